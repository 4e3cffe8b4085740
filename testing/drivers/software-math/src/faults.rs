//! Counters of calls, and injected errors.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int};
use std::sync::Mutex;

/// The number of calls of each function, and the injected errors.
static CALLS: Mutex<Option<HashMap<&'static str, u64>>> = Mutex::new(None);
static FAULT: Mutex<Option<(String, c_int)>> = Mutex::new(None);

/// Counts a call, and returns the error that is returned instead of executing it.
pub(crate) fn before(name: &'static str) -> Option<c_int> {
    *CALLS.lock().unwrap().get_or_insert_default().entry(name).or_default() += 1;
    FAULT.lock().unwrap().as_ref().filter(|(function, _)| function == name).map(|(_, code)| *code)
}

/// Returns the number of calls of a function since `softwareMathFail`, or of all functions for `*`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn softwareMathCalls(name: *const c_char) -> u64 {
    // SAFETY: the caller's string.
    let name = unsafe { CStr::from_ptr(name) }.to_str().unwrap();
    let mut calls = CALLS.lock().unwrap();
    let calls = calls.get_or_insert_default();
    if name == "*" { calls.values().sum() } else { calls.get(name).copied().unwrap_or(0) }
}

/// Makes a function return `code` from now on, or none if the name is empty. The call counters start again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn softwareMathFail(name: *const c_char, code: c_int) {
    // SAFETY: the caller's string.
    let name = unsafe { CStr::from_ptr(name) }.to_str().unwrap().to_owned();
    *CALLS.lock().unwrap() = None;
    *FAULT.lock().unwrap() = (!name.is_empty()).then_some((name, code));
}

/// Declares functions of NVIDIA's, which count their calls and return injected errors.
macro_rules! calls {
    ($($(#[$doc:meta])* fn $name:ident($($argument:tt: $type:ty),* $(,)?) $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $type),*) -> std::ffi::c_int {
            match $crate::faults::before(stringify!($name)) {
                Some(code) => code,
                None => $body,
            }
        }
    )*};
}
pub(crate) use calls;
