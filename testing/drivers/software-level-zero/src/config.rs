//! What the environment asks for. Read once, at the first look.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::OnceLock;

/// The driver's settings.
#[derive(Debug)]
pub(crate) struct Config {
    /// `PI_SOFT_ZE_DEVICES`: root devices (1).
    pub(crate) devices: u32,
    /// `PI_SOFT_ZE_SUBDEVICES`: sub-devices of each (0).
    pub(crate) subdevices: u32,
    /// `PI_SOFT_ZE_SUBSLICES`: sub-slices of each slice (the host's processors, which the kernels share); a sub-device is a slice.
    pub(crate) sub_slices: u32,
    /// `PI_SOFT_ZE_API_MINOR`: the minor number of the specification's version that the driver says it has (6). From 7 on,
    /// clients use queues and lists that the driver keeps in order; the checks of Debian's loader do not know these.
    pub(crate) api_minor: u32,
    /// `PI_SOFT_ZE_DEVICE_ID`: the PCI device id; clients choose paths by it (0x4905).
    pub(crate) device_id: u32,
    /// `PI_SOFT_ZE_INTEGRATED`: 1 for a device that shares the host's memory (0).
    pub(crate) integrated: bool,
    /// `PI_SOFT_ZE_COPY_ENGINES`: queues in the copy-only group (1); 0 for no such group.
    pub(crate) copy_engines: u32,
    /// `PI_SOFT_ZE_MEMORY_MIB`: memory of each root device (4096).
    pub(crate) memory: u64,
    /// `PI_SOFT_ZE_TIMER_NS`: length of a timestamp's tick (80).
    pub(crate) timer_ns: u64,
    /// `PI_SOFT_ZE_SLOW_US`: each command takes at least this long (0).
    pub(crate) slow_us: u64,
    /// `PI_SOFT_ZE_REORDER`: 1 executes what may be executed in any order in another order than it was appended: commands
    /// between barriers that no event holds back, in lists that are not in-order (0).
    pub(crate) reorder: bool,
    /// `PI_SOFT_ZE_FAULT`: injected failures, see `faults`.
    pub(crate) faults: String,
    /// `PI_SOFT_ZE_REPORT`: the file for the report at exit; `%p` becomes the process id.
    pub(crate) report: Option<PathBuf>,
    /// `PI_SOFT_ZE_OPENCL`: the OpenCL library (`libOpenCL.so.1`).
    pub(crate) opencl: String,
    /// `PI_SOFT_ZE_TAKE_ADDRESS`: 0 lets `zeModuleGetGlobalPointer` work without `-ze-take-global-address`, as drivers
    /// since 2024 do (1).
    pub(crate) take_address: bool,
}

static CONFIG: OnceLock<Config> = OnceLock::new();

/// The settings.
pub(crate) fn config() -> &'static Config {
    CONFIG.get_or_init(|| Config {
        devices: number("PI_SOFT_ZE_DEVICES", 1).clamp(1, 64),
        subdevices: number("PI_SOFT_ZE_SUBDEVICES", 0).min(16),
        sub_slices: number("PI_SOFT_ZE_SUBSLICES", processors()).clamp(1, 64),
        api_minor: number("PI_SOFT_ZE_API_MINOR", 6),
        device_id: number("PI_SOFT_ZE_DEVICE_ID", 0x4905),
        integrated: number("PI_SOFT_ZE_INTEGRATED", 0) != 0,
        copy_engines: number("PI_SOFT_ZE_COPY_ENGINES", 1).min(8),
        memory: u64::from(number::<u32>("PI_SOFT_ZE_MEMORY_MIB", 4096)) << 20,
        timer_ns: number("PI_SOFT_ZE_TIMER_NS", 80).max(1),
        slow_us: number("PI_SOFT_ZE_SLOW_US", 0),
        reorder: number("PI_SOFT_ZE_REORDER", 0) != 0,
        faults: std::env::var("PI_SOFT_ZE_FAULT").unwrap_or_default(),
        report: std::env::var("PI_SOFT_ZE_REPORT")
            .ok()
            .map(|path| PathBuf::from(path.replace("%p", &std::process::id().to_string()))),
        opencl: std::env::var("PI_SOFT_ZE_OPENCL").unwrap_or_else(|_| "libOpenCL.so.1".to_owned()),
        take_address: number("PI_SOFT_ZE_TAKE_ADDRESS", 1) != 0,
    })
}

/// Processors of the host.
fn processors() -> u32 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as u32)
}

/// A number in decimal or, with `0x`, hexadecimal.
fn number<T: FromStr + TryFrom<u64>>(name: &str, default: T) -> T {
    let Ok(text) = std::env::var(name) else { return default };
    match text.trim().strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok().and_then(|n| n.try_into().ok()).unwrap_or(default),
        None => text.trim().parse().unwrap_or(default),
    }
}
