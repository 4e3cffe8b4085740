//! What the software driver offers beyond a driver's functions: faults to order, calls and objects that it counted.

use std::ffi::{CString, c_char};

use libloading::os::unix::{Library, RTLD_NOW};

/// A function of the driver's library.
pub fn function<T: Copy>(name: &str) -> T {
    // SAFETY: the driver's library, which is made to be opened.
    let library = unsafe { Library::open(Some("libcuda.so.1"), RTLD_NOW) }.unwrap();
    let name = CString::new(name).unwrap();
    // SAFETY: the caller gives the function's own type; the library stays open.
    let symbol = *unsafe { library.get::<T>(name.to_bytes_with_nul()) }.unwrap();
    std::mem::forget(library);
    symbol
}

/// Orders faults, `name:n:code` with `!` behind those that stay; counts calls anew.
pub fn inject(faults: &str) {
    let fail: unsafe extern "C" fn(*const c_char) = function("softwareCudaFail");
    let faults = CString::new(faults).unwrap();
    // SAFETY: a text with its NUL.
    unsafe { fail(faults.as_ptr()) };
}

/// Changes attributes of devices, `number=value`, several with `;`. All others have their usual values again.
pub fn set_attributes(attributes: &str) {
    let set: unsafe extern "C" fn(*const c_char) = function("softwareCudaAttributes");
    let attributes = CString::new(attributes).unwrap();
    // SAFETY: a text with its NUL.
    unsafe { set(attributes.as_ptr()) };
}

/// Objects of the driver's that were made and not given back.
pub fn live() -> i64 {
    let live: unsafe extern "C" fn() -> i64 = function("softwareCudaLive");
    // SAFETY: takes nothing.
    unsafe { live() }
}

/// Calls of a function since the last [`inject`]; of all functions for `*`.
pub fn calls(name: &str) -> u64 {
    let calls: unsafe extern "C" fn(*const c_char) -> u64 = function("softwareCudaCalls");
    let name = CString::new(name).unwrap();
    // SAFETY: a text with its NUL.
    unsafe { calls(name.as_ptr()) }
}
