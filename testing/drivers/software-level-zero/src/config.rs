//! Settings: constants, and those of the environment, which are read at their first use.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::OnceLock;

/// The memory of each root device.
pub(crate) const MEMORY: u64 = 4 << 30;
/// The size of the largest host allocation in bytes.
pub(crate) const HOST_MEMORY: u64 = 16 << 30;

/// The driver's settings.
#[derive(Debug)]
pub(crate) struct Config {
    /// `PI_SOFT_ZE_DEVICES`: the number of root devices (1).
    pub(crate) devices: u32,
    /// `PI_SOFT_ZE_SUBDEVICES`: the number of sub-devices of each (0).
    pub(crate) subdevices: u32,
    /// `PI_SOFT_ZE_SUBSLICES`: the number of sub-slices of each slice (the host's processors, which the kernels
    /// share). A sub-device is a slice.
    pub(crate) sub_slices: u32,
    /// `PI_SOFT_ZE_COPY_FIRST`: 1 lists the queue group for copies before the one for everything (0).
    pub(crate) copy_first: bool,
    /// `PI_SOFT_ZE_API_MINOR`: the minor version of the specification that the driver reports (6). From 7 on,
    /// clients use in-order queues and lists, which the checks of Debian's loader do not support.
    pub(crate) api_minor: u32,
    /// `PI_SOFT_ZE_REORDER`: 1 executes commands that may be executed in any order in another order than they were
    /// appended: commands between barriers that do not wait for events, in lists that are not in-order (0).
    pub(crate) reorder: bool,
    /// `PI_SOFT_ZE_LATE`: each command waits at most this number of microseconds before it is executed (0).
    pub(crate) late: u64,
    /// `PI_SOFT_ZE_FAULT`: injected failures (see `faults`).
    pub(crate) faults: String,
    /// `PI_SOFT_ZE_TAKE_ADDRESS`: 0 lets `zeModuleGetGlobalPointer` work without `-ze-take-global-address`, like
    /// drivers since 2024 (1).
    pub(crate) take_address: bool,
    /// `PI_SOFT_ZE_CACHE`: an existing folder for built programs (none).
    pub(crate) cache: Option<PathBuf>,
}

static CONFIG: OnceLock<Config> = OnceLock::new();

/// Returns the settings.
pub(crate) fn config() -> &'static Config {
    CONFIG.get_or_init(|| Config {
        devices: number("PI_SOFT_ZE_DEVICES", 1).clamp(1, 64),
        subdevices: number("PI_SOFT_ZE_SUBDEVICES", 0).min(16),
        sub_slices: number("PI_SOFT_ZE_SUBSLICES", processors()).clamp(1, 64),
        copy_first: number("PI_SOFT_ZE_COPY_FIRST", 0) != 0,
        api_minor: number("PI_SOFT_ZE_API_MINOR", 6),
        reorder: number("PI_SOFT_ZE_REORDER", 0) != 0,
        late: number("PI_SOFT_ZE_LATE", 0),
        faults: std::env::var("PI_SOFT_ZE_FAULT").unwrap_or_default(),
        take_address: number("PI_SOFT_ZE_TAKE_ADDRESS", 1) != 0,
        cache: std::env::var_os("PI_SOFT_ZE_CACHE").filter(|folder| !folder.is_empty()).map(PathBuf::from),
    })
}

/// Returns the number of the host's processors.
fn processors() -> u32 {
    std::thread::available_parallelism().map_or(1, |count| count.get() as u32)
}

/// Parses a number in decimal or, with `0x`, hexadecimal.
fn number<T: FromStr + TryFrom<u64>>(name: &str, default: T) -> T {
    let Ok(text) = std::env::var(name) else { return default };
    match text.trim().strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok().and_then(|n| n.try_into().ok()).unwrap_or(default),
        None => text.trim().parse().unwrap_or(default),
    }
}
