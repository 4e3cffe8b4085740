//! The software driver's functions for tests, which inject faults, and count calls and objects.

use std::ffi::{CString, c_char, c_void};

use libloading::os::unix::{Library, RTLD_NOW};

/// Returns a function of the driver's library.
pub fn function<T: Copy>(name: &str) -> T {
    // SAFETY: the driver's library, which may be opened.
    let library = unsafe { Library::open(Some("libcuda.so.1"), RTLD_NOW) }.unwrap();
    let name = CString::new(name).unwrap();
    // SAFETY: the caller passes the function's type, and the library stays open.
    let symbol = *unsafe { library.get::<T>(name.to_bytes_with_nul()) }.unwrap();
    std::mem::forget(library);
    symbol
}

/// Sets the faults to inject, as `name:n:code` with `!` appended to lasting ones, and resets the counts of calls.
pub fn inject(faults: &str) {
    let fail: unsafe extern "C" fn(*const c_char) = function("softwareCudaFail");
    let faults = CString::new(faults).unwrap();
    // SAFETY: a NUL-terminated text.
    unsafe { fail(faults.as_ptr()) };
}

/// Changes attributes of devices, given as `number=value` and separated by `;`. Resets all others to their usual
/// values.
pub fn set_attributes(attributes: &str) {
    let set: unsafe extern "C" fn(*const c_char) = function("softwareCudaAttributes");
    let attributes = CString::new(attributes).unwrap();
    // SAFETY: a NUL-terminated text.
    unsafe { set(attributes.as_ptr()) };
}

/// Returns the number of the driver's live objects.
pub fn live() -> i64 {
    let live: unsafe extern "C" fn() -> i64 = function("softwareCudaLive");
    // SAFETY: no arguments.
    unsafe { live() }
}

/// Returns what the last call of a function since the last [`inject`] was asked for, as the driver's calls of `note`
/// say.
pub fn noted(name: &str) -> u64 {
    let noted: unsafe extern "C" fn(*const c_char) -> u64 = function("softwareCudaNoted");
    let name = CString::new(name).unwrap();
    // SAFETY: a NUL-terminated text.
    unsafe { noted(name.as_ptr()) }
}

/// Returns the number of calls of a function since the last [`inject`], or of all functions for `*`.
pub fn calls(name: &str) -> u64 {
    let calls: unsafe extern "C" fn(*const c_char) -> u64 = function("softwareCudaCalls");
    let name = CString::new(name).unwrap();
    // SAFETY: a NUL-terminated text.
    unsafe { calls(name.as_ptr()) }
}

/// Leaves the calling thread without a current context.
pub fn forget_context() {
    let set: unsafe extern "C" fn(*mut c_void) -> u32 = function("cuCtxSetCurrent");
    // SAFETY: no context is one of the values.
    assert_eq!(unsafe { set(std::ptr::null_mut()) }, 0);
}
