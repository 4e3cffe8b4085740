//! Counters of calls, injected errors, and the sticky error after a failed kernel.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex};

use crate::{Code, INVALID_CONTEXT, current, lock};

static CALLS: LazyLock<Mutex<HashMap<&'static str, u64>>> = LazyLock::new(Mutex::default);
static FAULTS: LazyLock<Mutex<Vec<Fault>>> =
    LazyLock::new(|| Mutex::new(parse(&std::env::var("PI_SOFTWARE_CUDA_FAIL").unwrap_or_default())));
static STICKY: AtomicU32 = AtomicU32::new(0);
static LIVE: AtomicI64 = AtomicI64::new(0);

/// An injected error.
struct Fault {
    function: String,
    /// The number of the call of the function, counted from 1.
    call: u64,
    code: Code,
    /// Whether every function also returns it from then on.
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

/// Functions that still work in a lost context.
const IMMUNE: [&str; 7] = [
    "cuInit",
    "cuDriverGetVersion",
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuDeviceGet",
    "cuDeviceGetCount",
    "cuDevicePrimaryCtxRelease_v2",
];

/// Returns the error of a call that is not executed.
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
    injected
        .or((sticky != 0 && !IMMUNE.contains(&name)).then_some(sticky))
        .or(current::is_missing_for(name).then_some(INVALID_CONTEXT))
}

/// Makes every call return `code` from now on.
pub(crate) fn lose(code: Code) {
    STICKY.store(code, Ordering::Release);
}

/// Counts an object that was created or released.
pub(crate) fn live(change: i64) {
    LIVE.fetch_add(change, Ordering::Relaxed);
}

/// Returns the number of objects that were created and not released.
#[unsafe(no_mangle)]
pub extern "C" fn softwareCudaLive() -> i64 {
    LIVE.load(Ordering::Relaxed)
}

/// Returns the number of calls of a function so far, or of all functions for `*`.
///
/// # Safety
///
/// `name` is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn softwareCudaCalls(name: *const c_char) -> u64 {
    // SAFETY: guaranteed by the caller.
    let name = unsafe { CStr::from_ptr(name) }.to_str().unwrap_or_default();
    let calls = lock(&CALLS);
    if name == "*" { calls.values().sum() } else { calls.get(name).copied().unwrap_or(0) }
}

/// Injects faults, like the variable. The call counters start again, and the noted numbers are 0.
///
/// # Safety
///
/// `faults` is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn softwareCudaFail(faults: *const c_char) {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { CStr::from_ptr(faults) }.to_str().unwrap_or_default();
    lock(&CALLS).clear();
    lock(&NOTES).clear();
    *lock(&FAULTS) = parse(text);
    STICKY.store(0, Ordering::Release);
}

/// A number of the last call of a function, which the driver has no other use for.
static NOTES: Mutex<BTreeMap<&'static str, u64>> = Mutex::new(BTreeMap::new());

/// Notes a number that a function was called with.
pub(crate) fn note(name: &'static str, number: u64) {
    lock(&NOTES).insert(name, number);
}

/// Returns the number that was noted of the last call of a function since [`softwareCudaFail`], or 0.
///
/// # Safety
///
/// `name` is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn softwareCudaNoted(name: *const c_char) -> u64 {
    // SAFETY: guaranteed by the caller.
    let name = unsafe { CStr::from_ptr(name) }.to_str().unwrap_or_default();
    lock(&NOTES).get(name).copied().unwrap_or(0)
}

/// Returns the sticky error, or 0.
pub(crate) fn sticky() -> Code {
    STICKY.load(Ordering::Acquire)
}
