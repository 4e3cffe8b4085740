//! Functions for tests, found with dlsym in the already loaded library.

use std::ffi::c_char;
use std::sync::atomic::Ordering;

use crate::command::EXECUTED;
use crate::{caller, complaints, entry, faults, report};

/// Returns how often a driver function was called.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn soft_ze_calls(name: *const c_char) -> u64 {
    let name = caller::text(name);
    entry::counts().into_iter().find(|(call, _)| *call == name).map_or(0, |(_, count)| count)
}

/// Returns the total number of calls of driver functions.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn soft_ze_all_calls() -> u64 {
    entry::counts().into_iter().map(|(_, count)| count).sum()
}

/// Returns the number of commands that the devices executed.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn soft_ze_executed() -> u64 {
    EXECUTED.load(Ordering::Relaxed)
}

/// Returns the number of complaints about the caller.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn soft_ze_complaints() -> u64 {
    complaints::count()
}

/// Resets counts and complaints.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn soft_ze_reset() {
    entry::reset_counts();
    report::reset();
}

/// Replaces the injected failures (the text of `PI_SOFT_ZE_FAULT`), and restores a lost device.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn soft_ze_fault(text: *const c_char) {
    faults::set(&caller::text(text));
}

/// Writes as much of the report's text as fits, with a final NUL. Returns the length of the complete text.
///
/// # Safety
///
/// `room` is valid for `size` bytes.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn soft_ze_report(room: *mut c_char, size: usize) -> usize {
    let text = report::text();
    if size > 0 && !room.is_null() {
        let length = text.len().min(size - 1);
        // SAFETY: the caller provides `size` bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), room, length);
            room.add(length).write(0);
        }
    }
    text.len()
}
