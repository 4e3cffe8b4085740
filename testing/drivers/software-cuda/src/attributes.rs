//! Attributes of devices, which a test can change, and the version of the driver.

use std::ffi::{CStr, c_char, c_int, c_uint};
use std::sync::{LazyLock, Mutex};

use crate::lock;

/// Returns the driver's version.
pub(crate) fn version() -> c_int {
    const USUAL: c_int = 12040;
    std::env::var("PI_SOFTWARE_CUDA_VERSION").ok().and_then(|text| text.parse().ok()).unwrap_or(USUAL)
}

/// The registers of a work-group.
pub(crate) const REGISTERS: c_uint = 65536;

/// An attribute that the driver's interface lacks: whether devices reach each other's memory.
pub(crate) const PEERS: c_int = 10_001;
/// Another one: the milliseconds by which the clock of devices is behind what it was.
pub(crate) const CLOCK_BEHIND: c_int = 10_002;

/// Attributes that differ from their usual values.
static CHANGED: LazyLock<Mutex<Vec<(c_int, c_int)>>> =
    LazyLock::new(|| Mutex::new(parse(&std::env::var("PI_SOFTWARE_CUDA_ATTRIBUTES").unwrap_or_default())));

fn parse(text: &str) -> Vec<(c_int, c_int)> {
    text.split(';')
        .filter_map(|attribute| {
            let (name, value) = attribute.split_once('=')?;
            Some((name.parse().ok()?, value.parse().ok()?))
        })
        .collect()
}

/// Changes attributes, like the variable. All others get their usual values again.
///
/// # Safety
///
/// `attributes` is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn softwareCudaAttributes(attributes: *const c_char) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { CStr::from_ptr(attributes) }.to_str().unwrap_or_default();
    *lock(&CHANGED) = parse(text);
}

/// Returns an attribute's value.
pub(crate) fn attribute(attribute: c_int) -> c_int {
    let changed = lock(&CHANGED).iter().find(|(name, _)| *name == attribute).map(|(_, value)| *value);
    changed.unwrap_or_else(|| usual(attribute))
}

fn usual(attribute: c_int) -> c_int {
    match attribute {
        1 => 1024,
        2 | 3 => 1024,
        4 => 64,
        5 => i32::MAX,
        6 | 7 => 65535,
        8 => 49152,
        9 => 65536,
        10 => 32,
        12 => REGISTERS as c_int,
        13 => 1_980_000,
        14 => 512,
        16 => 8,
        21 | 22 | 23 | 24 | 25 | 26 | 55 | 56 | 57 | 58 | 59 | 60 | 61 | 63 | 64 => 16384,
        // The images of a layered surface.
        62 | 65 => 2048,
        27 | 28 | 29 | 69 | 70 | 71 => 16384,
        31 | 32 | 40 | 41 | 42 | 43 | 83 | 89 => 1,
        36 => 2_600_000,
        37 => 4096,
        38 => 50 << 20,
        51 => 32,
        75 => 9,
        76 => 0,
        86 => 0,
        88 => 0,
        95 | 98 | 102 | 103 | 120 => 1,
        97 => 232_448,
        // The number of an H100, and NVIDIA's.
        139 => 0x2330_10de,
        PEERS => 1,
        _ => 0,
    }
}
