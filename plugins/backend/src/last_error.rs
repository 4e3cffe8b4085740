//! The message of the calling thread's last failed call.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};

use crate::Error;
use crate::types::ErrorCode;

struct LastError {
    code: ErrorCode,
    message: CString,
}

thread_local! {
    static LAST: RefCell<Option<LastError>> = const { RefCell::new(None) };
}

/// Records `error` as the last one of the thread, under the name of the entry point that failed.
#[cold]
#[inline(never)]
pub fn record(entry_point: &str, error: &Error) {
    // The older form of a function has the same C name.
    let entry_point = entry_point.split_once("_until_").map_or(entry_point, |(name, _)| name);
    log::debug!("{entry_point}: {} ({})", error.text(), error.code());
    set(error.code(), format!("{entry_point}: {}", error.text()));
}

/// Records a warning. The last-error query then returns `ErrorCode::SUCCESS` with it, as runtimes expect for warnings.
///
/// It is logged as information, because libsycl of 2026 prints every warning of an adapter, even that a machine has no
/// GPU.
#[cold]
pub fn record_warning(message: String) {
    log::info!("{message}");
    set(ErrorCode::SUCCESS, message);
}

fn set(code: ErrorCode, mut message: String) {
    message.retain(|c| c != '\0');
    let message = CString::new(message).unwrap_or_default();
    // A thread that is shutting down keeps no last error. Its message is lost, but the code is still returned.
    let _ = LAST.try_with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = Some(LastError { code, message });
        }
    });
}

/// Returns the code of the last error and a pointer to its message, which is valid until the next failing call of this
/// thread. Without an error the message is empty, because callers display it as the reason for anything that is
/// missing.
pub fn get() -> (ErrorCode, *const c_char) {
    const NONE: &CStr = c"";
    LAST.try_with(|last| last.try_borrow().ok()?.as_ref().map(|last| (last.code, last.message.as_ptr())))
        .ok()
        .flatten()
        .unwrap_or((ErrorCode::SUCCESS, NONE.as_ptr()))
}

#[cfg(test)]
#[expect(unsafe_code, reason = "the text of the last error is a C string")]
mod tests {
    use super::*;

    #[test]
    fn a_message_begins_with_the_call_that_c_programs_know_and_has_no_zero_byte() {
        record("piEventCreate_until_9_11", &Error::invalid_value("one\0 text"));
        let (code, text) = get();
        assert_eq!(code, ErrorCode::INVALID_VALUE);
        // SAFETY: the text stays until the thread's next error.
        assert_eq!(unsafe { CStr::from_ptr(text) }, c"piEventCreate: one text");
        record_warning("a warning".into());
        let (code, text) = get();
        assert_eq!(code, ErrorCode::SUCCESS);
        // SAFETY: the same.
        assert_eq!(unsafe { CStr::from_ptr(text) }, c"a warning");
    }
}
