//! Callers' callbacks. The backend holds no lock while one runs.

use std::ffi::c_void;

use sycl_pi_backend::api::{EventNotify, ProgramCallback};
use sycl_pi_backend::raw::{RawEvent, RawProgram};
use sycl_pi_backend::types::EventStatus;

/// Calls an event callback.
pub(crate) fn call_event_notify(notify: EventNotify, event: *mut RawEvent, status: EventStatus) {
    // SAFETY: the function and the data are the caller's, and the event is live.
    unsafe { (notify.function)(event, status, notify.user_data) };
}

/// Calls the callback for the end of a build.
pub(crate) fn call_program_notify(function: ProgramCallback, program: *mut RawProgram, data: *mut c_void) {
    if let Some(function) = function {
        // SAFETY: the function and the data are the caller's, and the program is live.
        unsafe { function(program, data) };
    }
}

/// A value that is passed to another thread.
pub(crate) struct Across<T>(T);

// SAFETY: this is used only for callers' functions with their data, which the interface may call from any thread.
unsafe impl<T> Send for Across<T> {}

impl<T> Across<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(value)
    }

    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}
