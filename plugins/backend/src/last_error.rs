//! The text of the calling thread's last failed call, for `piPluginGetLastError`.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::sync::atomic::{AtomicBool, Ordering};

use sycl_pi_core::*;

use crate::Error;

struct Last {
    code: pi_result,
    text: CString,
}

thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

/// Whether anybody asked for a text yet.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Somebody asks for a text; whether that is the first time.
pub fn ask() -> bool {
    !ASKED.load(Ordering::Relaxed) && !ASKED.swap(true, Ordering::SeqCst)
}

/// Whether somebody may want the text of a refusal: one who asked for a text before, or who reads the log.
pub fn is_wanted() -> bool {
    ASKED.load(Ordering::SeqCst) || log::log_enabled!(log::Level::Debug)
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

/// Keeps a warning: `piPluginGetLastError` answers `PI_SUCCESS` with it, as the runtime's protocol for warnings asks.
#[cold]
pub fn record_warning(text: String) {
    log::warn!("{text}");
    set(PI_SUCCESS, text);
}

fn set(code: pi_result, mut text: String) {
    text.retain(|c| c != '\0');
    let text = CString::new(text).unwrap_or_default();
    // A thread that is being torn down has no last error any more; its text is lost, the code still returned.
    let _ = LAST.try_with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = Some(Last { code, text });
        }
    });
}

/// The last error's code and a pointer to its text, valid until the next failing call of this thread.
///
/// What the driver refused behind a jump (see [`Jump`](crate::api::Jump)) before anybody asked has left no text.
pub fn get() -> (pi_result, *const c_char) {
    const NONE: &CStr = c"no error on this thread has a text yet; from now on each one has";
    LAST.try_with(|last| last.try_borrow().ok()?.as_ref().map(|last| (last.code, last.text.as_ptr())))
        .ok()
        .flatten()
        .unwrap_or((PI_SUCCESS, NONE.as_ptr()))
}
