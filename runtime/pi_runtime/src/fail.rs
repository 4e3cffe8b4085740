//! Codes and messages of failures, and the panic guard around each function.
#![expect(unsafe_code, reason = "C functions: the caller vouches for its pointers")]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use sycl_pi_host_process::inside;
use sycl_pi_runtime::{Error, ErrorKind, Result};

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs a function. Its error becomes a code and the thread's last message; a panic is error -1.
pub(super) fn fenced(body: impl FnOnce() -> Result<()>) -> i32 {
    let run = || match body() {
        Ok(()) => 0,
        Err(error) => {
            remember(&error.to_string());
            error.kind() as i32
        }
    };
    let fenced = || {
        keep_panics_silent();
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
            // The payload's own destructor may panic too, so it is leaked.
            std::mem::forget(panic);
            -1
        })
    };
    let refused = || {
        remember(
            "this process was forked while another thread was in a long call: fork before or after such a call",
        );
        ErrorKind::Backend as i32
    };
    inside(fenced, refused)
}

/// Makes a panic of this library its thread's last message, instead of text on standard error.
///
/// The hook belongs to this shared library's own copy of the standard library, so it affects neither the program nor
/// other libraries written in Rust.
fn keep_panics_silent() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            remember(&format!("a bug in libpi_runtime.so, please report it: {panic}"));
        }));
    });
}

/// Sets the thread's last message. A thread that is ending keeps none.
pub(super) fn remember(text: &str) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    let _ = LAST.try_with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = text;
        }
    });
}

/// Returns the caller's text.
///
/// # Safety
/// `text` is null or ends with a zero byte, and does not change during `'t`.
pub(super) unsafe fn text<'t>(text: *const c_char, what: &str) -> Result<&'t str> {
    if text.is_null() {
        return Err(Error::Invalid(format!("{what} is null")));
    }
    // SAFETY: it ends with a zero byte, as the caller guarantees.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Error::Invalid(format!("{what} is not UTF-8")))
}

/// Returns the caller's array, or an empty slice if `count` is 0.
///
/// # Safety
/// `array` is null, or it is aligned and has `count` items, which do not change during `'a`. A `count` that exceeds any
/// memory is refused.
pub(super) unsafe fn items<'a, T>(array: *const T, count: usize, what: &str) -> Result<&'a [T]> {
    let fits = count.checked_mul(size_of::<T>()).is_some_and(|size| isize::try_from(size).is_ok());
    match (array.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Error::Invalid(format!("{what}: null, with a length of {count}"))),
        _ if !fits => Err(Error::Invalid(format!("{what}: a length of {count} is beyond memory"))),
        // SAFETY: guaranteed by the caller.
        _ => Ok(unsafe { std::slice::from_raw_parts(array, count) }),
    }
}

/// Returns an empty list with room for as many items as the caller gave.
pub(super) fn room<T>(count: usize) -> Result<Vec<T>> {
    sycl_pi_host_process::room(count).map_err(|error| Error::HostMemory(error.to_string()))
}

/// Returns the caller's bytes, or an empty slice if `count` is 0.
///
/// # Safety
/// The requirements of [`items`] apply.
pub(super) unsafe fn bytes<'b>(bytes: *const std::ffi::c_void, count: usize, what: &str) -> Result<&'b [u8]> {
    // SAFETY: guaranteed by the caller.
    unsafe { items(bytes.cast(), count, what) }
}

/// Returns the message of this thread's last failure, which is never null and is valid until the thread's next call. A
/// thread that is ending has no message.
#[unsafe(no_mangle)]
pub extern "C" fn pi_runtime_error() -> *const c_char {
    const ENDING: &CStr = c"the thread is ending, and its last message is gone";
    let message = LAST.try_with(|last| last.try_borrow().ok().map(|last| last.as_ptr()));
    message.ok().flatten().unwrap_or(ENDING.as_ptr())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
    use super::*;

    /// A C text ends at its first zero byte.
    #[test]
    fn a_message_is_whole_although_it_has_a_zero_byte() {
        assert_eq!(fenced(|| Err(Error::Invalid("one\0two".into()))), ErrorKind::Invalid as i32);
        // SAFETY: the text ends with a zero byte.
        let text = unsafe { CStr::from_ptr(pi_runtime_error()) }.to_str().unwrap();
        assert!(text.contains("one two"), "{text}");
    }

    /// Makes a run of this test program panic inside the guard.
    const PANIC: &str = "PI_RUNTIME_TEST_PANIC";

    #[test]
    fn a_panic_is_an_error_with_its_place_and_prints_nothing() {
        if std::env::var_os(PANIC).is_some() {
            assert_eq!(fenced(|| panic!("not on paper")), -1);
            // SAFETY: the text ends with a zero byte.
            let text = unsafe { CStr::from_ptr(pi_runtime_error()) }.to_str().unwrap().to_owned();
            assert!(text.starts_with("a bug in libpi_runtime.so, please report it: panicked at "), "{text}");
            assert!(text.contains("fail.rs") && text.contains("not on paper"), "{text}");
            return;
        }
        let name = "fail::tests::a_panic_is_an_error_with_its_place_and_prints_nothing";
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let output = child.args([name, "--exact", "--nocapture"]).env(PANIC, "1").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}
