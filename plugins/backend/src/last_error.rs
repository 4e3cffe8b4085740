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

/// Keeps `error` as the thread's last one, under the name of the entry point that failed.
#[cold]
#[inline(never)]
pub fn record(entry_point: &str, error: &Error) {
    // An older version's form of a function goes by the C name too.
    let entry_point = entry_point.split_once("_until_").map_or(entry_point, |(name, _)| name);
    log::debug!("{entry_point}: {} ({})", error.text(), error.code());
    set(error.code(), format!("{entry_point}: {}", error.text()));
}

/// Keeps a warning. The query for the last error answers `ErrorCode::SUCCESS` with it, as runtimes expect of warnings.
///
/// The log has it as information: libsycl of 2026 prints warnings of adapters, also that a machine has no GPU.
#[cold]
pub fn record_warning(message: String) {
    log::info!("{message}");
    set(ErrorCode::SUCCESS, message);
}

fn set(code: ErrorCode, mut message: String) {
    message.retain(|c| c != '\0');
    let message = CString::new(message).unwrap_or_default();
    // A thread that is being torn down keeps no last error: its message is lost, the code is still returned.
    let _ = LAST.try_with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = Some(LastError { code, message });
        }
    });
}

/// The last error's code and a pointer to its message, valid until the next failing call of this thread. Without an error the
/// message is empty: callers show it as the reason of whatever they miss.
pub fn get() -> (ErrorCode, *const c_char) {
    const NONE: &CStr = c"";
    LAST.try_with(|last| last.try_borrow().ok()?.as_ref().map(|last| (last.code, last.message.as_ptr())))
        .ok()
        .flatten()
        .unwrap_or((ErrorCode::SUCCESS, NONE.as_ptr()))
}
