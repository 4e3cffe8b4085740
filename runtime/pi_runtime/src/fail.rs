//! Codes and messages of failures, and the panic fence around each function.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use sycl_pi_runtime::{Error, Result};

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs a function. Its error becomes a code and the thread's last message; a panic is error -1.
pub(super) fn fenced(body: impl FnOnce() -> Result<()>) -> i32 {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => {
            remember(&error.to_string());
            error.kind() as i32
        }
        Err(_) => {
            remember("a bug in libpi_runtime.so: please report it");
            -1
        }
    }
}

/// Sets the thread's last message.
pub(super) fn remember(text: &str) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    LAST.with(|last| *last.borrow_mut() = text);
}

/// The caller's text.
///
/// # Safety
/// `text` is null or ends with a zero byte, and does not change during `'t`.
pub(super) unsafe fn text<'t>(text: *const c_char, what: &str) -> Result<&'t str> {
    if text.is_null() {
        return Err(Error::Invalid(format!("{what} is null")));
    }
    // SAFETY: it ends with a zero byte, as the caller says.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Error::Invalid(format!("{what} is not UTF-8")))
}

/// The caller's bytes; an empty slice if `count` is 0.
///
/// # Safety
/// `bytes` is null or has `count` bytes, which do not change during `'b`.
pub(super) unsafe fn bytes<'b>(bytes: *const std::ffi::c_void, count: usize, what: &str) -> Result<&'b [u8]> {
    match (bytes.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Error::Invalid(format!("{what} is null, but has {count} bytes"))),
        // SAFETY: as the caller says.
        _ => Ok(unsafe { std::slice::from_raw_parts(bytes.cast(), count) }),
    }
}

/// The message of this thread's last failure: never null, valid until the thread's next call.
#[unsafe(no_mangle)]
pub extern "C" fn pi_runtime_error() -> *const c_char {
    LAST.with(|last| last.borrow().as_ptr())
}
