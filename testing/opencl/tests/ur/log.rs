//! Tests of the callbacks for lines of the log. Another test may write lines too, so only those of this thread count.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;
use std::sync::Mutex;
use std::thread::{ThreadId, current};

use sycl_ur_core::*;

use crate::host::{Host, newest, ok, with_setters};

/// The lines that a callback has got on one thread.
struct Lines {
    of: ThreadId,
    seen: Mutex<Vec<(ur_logger_level_t, String)>>,
}

impl Lines {
    fn new() -> Self {
        Self { of: current().id(), seen: Mutex::default() }
    }

    /// Returns the lines since the last call.
    fn take(&self) -> Vec<(ur_logger_level_t, String)> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

/// # Safety
/// `data` must point to [`Lines`], and `text` to a text.
unsafe extern "C" fn keep(level: ur_logger_level_t, text: *const c_char, data: *mut c_void) {
    // SAFETY: what the caller guarantees.
    let (lines, text) = unsafe { (&*data.cast::<Lines>(), CStr::from_ptr(text)) };
    if current().id() == lines.of {
        lines.seen.lock().unwrap().push((level, text.to_string_lossy().into_owned()));
    }
}

fn adapter(host: Host) -> ur_adapter_handle_t {
    let mut adapter = null_mut();
    // SAFETY: room for the handle.
    ok(unsafe { host.calls.urAdapterGet(1, &mut adapter, null_mut()) });
    adapter
}

fn set(host: Host, lines: &'static Lines, level: ur_logger_level_t) {
    let data = std::ptr::from_ref(lines).cast_mut().cast();
    // SAFETY: a live handle, and a function that takes this data.
    ok(unsafe { host.calls.urAdapterSetLoggerCallback(adapter(host), Some(keep), data, level) });
}

fn set_level(host: Host, level: ur_logger_level_t) -> ur_result_t {
    // SAFETY: a live handle.
    unsafe { host.calls.urAdapterSetLoggerCallbackLevel(adapter(host), level) }
}

/// A call that is refused, which is a line of the level `debug`.
fn refused(host: Host) {
    // SAFETY: null is refused.
    let code = unsafe { host.calls.urQueueFinish(null_mut()) };
    assert_eq!(code, UR_RESULT_ERROR_INVALID_NULL_HANDLE);
}

fn is_told(lines: &Lines) -> bool {
    let seen = lines.take();
    let is_known = |(level, text): &(ur_logger_level_t, String)| {
        *level == UR_LOGGER_LEVEL_DEBUG && text.starts_with("urQueueFinish: hQueue is null")
    };
    assert!(seen.len() < 2 && seen.iter().all(is_known), "{seen:?}");
    !seen.is_empty()
}

#[test]
fn each_loader_has_one_callback_of_a_level_of_its_own() {
    let [first, replaced, second] = [(); 3].map(|()| &*Box::leak(Box::new(Lines::new())));
    let (host, other) = (newest(), with_setters());
    set(host, replaced, UR_LOGGER_LEVEL_DEBUG);
    set(host, first, UR_LOGGER_LEVEL_DEBUG);
    set(other, second, UR_LOGGER_LEVEL_ERROR);
    let told = || [first, replaced, second].map(is_told);
    refused(host);
    assert_eq!(told(), [true, false, false], "each line goes to the last callback of a loader, by its level");
    ok(set_level(other, UR_LOGGER_LEVEL_DEBUG));
    ok(set_level(host, UR_LOGGER_LEVEL_INFO));
    refused(host);
    assert_eq!(told(), [false, false, true]);
    ok(set_level(host, UR_LOGGER_LEVEL_QUIET));
    ok(set_level(other, UR_LOGGER_LEVEL_QUIET));
    refused(other);
    assert_eq!(set_level(host, UR_LOGGER_LEVEL_QUIET + 1), UR_RESULT_ERROR_INVALID_ENUMERATION);
    assert_eq!(told(), [false; 3]);
}
