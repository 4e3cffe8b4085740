//! Calls counted, errors injected, and the error that stays after a kernel failed.

use std::collections::HashMap;
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex};

use crate::{Code, lock};

static CALLS: LazyLock<Mutex<HashMap<&'static str, u64>>> = LazyLock::new(Mutex::default);
static FAULTS: LazyLock<Mutex<Vec<Fault>>> =
    LazyLock::new(|| Mutex::new(parse(&std::env::var("PI_SOFTWARE_CUDA_FAIL").unwrap_or_default())));
static STICKY: AtomicU32 = AtomicU32::new(0);
static LIVE: AtomicI64 = AtomicI64::new(0);

/// An error to answer.
struct Fault {
    function: String,
    /// At this call of the function, from 1 on.
    call: u64,
    code: Code,
    /// And from then on by every function.
    stays: bool,
}

fn parse(text: &str) -> Vec<Fault> {
    text.split(';')
        .filter_map(|fault| {
            let stays = fault.ends_with('!');
            let mut parts = fault.trim_end_matches('!').split(':');
            Some(Fault {
                function: parts.next()?.to_owned(),
                call: parts.next()?.parse().ok()?,
                code: parts.next()?.parse().ok()?,
                stays,
            })
        })
        .collect()
}

/// Functions that answer as ever in a lost context.
const IMMUNE: [&str; 7] = [
    "cuInit",
    "cuDriverGetVersion",
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuDeviceGet",
    "cuDeviceGetCount",
    "cuDevicePrimaryCtxRelease_v2",
];

/// The error that a call answers without being run.
pub(crate) fn before(name: &'static str) -> Option<Code> {
    let count = {
        let mut calls = lock(&CALLS);
        let count = calls.entry(name).or_default();
        *count += 1;
        *count
    };
    let injected = lock(&FAULTS)
        .iter()
        .find(|fault| fault.function == name && fault.call == count)
        .map(|fault| (fault.code, fault.stays));
    if let Some((code, true)) = injected {
        lose(code);
    }
    let injected = injected.map(|(code, _)| code);
    let sticky = STICKY.load(Ordering::Acquire);
    injected.or((sticky != 0 && !IMMUNE.contains(&name)).then_some(sticky))
}

/// From now on every call answers `code`.
pub(crate) fn lose(code: Code) {
    STICKY.store(code, Ordering::Release);
}

/// An object was made, or given back.
pub(crate) fn live(change: i64) {
    LIVE.fetch_add(change, Ordering::Relaxed);
}

/// Objects that were made and not given back.
#[unsafe(no_mangle)]
pub extern "C" fn softwareCudaLive() -> i64 {
    LIVE.load(Ordering::Relaxed)
}

/// Calls of a function so far; of all functions for `*`.
///
/// # Safety
///
/// `name` is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn softwareCudaCalls(name: *const c_char) -> u64 {
    // SAFETY: as demanded.
    let name = unsafe { CStr::from_ptr(name) }.to_str().unwrap_or_default();
    let calls = lock(&CALLS);
    if name == "*" { calls.values().sum() } else { calls.get(name).copied().unwrap_or(0) }
}

/// Injects faults, as the variable does; calls are counted anew.
///
/// # Safety
///
/// `faults` is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn softwareCudaFail(faults: *const c_char) {
    // SAFETY: as demanded.
    let text = unsafe { CStr::from_ptr(faults) }.to_str().unwrap_or_default();
    lock(&CALLS).clear();
    *lock(&FAULTS) = parse(text);
    STICKY.store(0, Ordering::Release);
}

/// The error that stays, or 0.
pub(crate) fn sticky() -> Code {
    STICKY.load(Ordering::Acquire)
}
