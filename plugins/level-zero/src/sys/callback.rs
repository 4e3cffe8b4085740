//! Callers' functions. No lock of the backend is held while one runs.

use std::ffi::c_void;

use sycl_pi_backend::api::{EventNotify, ProgramCallback};
use sycl_pi_backend::raw::{RawEvent, RawProgram};
use sycl_pi_backend::types::EventStatus;

/// An event's callback.
pub(crate) fn call_event_notify(notify: EventNotify, event: *mut RawEvent, status: EventStatus) {
    // SAFETY: the caller's own function and data, and a live event.
    unsafe { (notify.function)(event, status, notify.user_data) };
}

/// The end of a build.
pub(crate) fn call_program_notify(function: ProgramCallback, program: *mut RawProgram, data: *mut c_void) {
    if let Some(function) = function {
        // SAFETY: the caller's own function and data, and a live program.
        unsafe { function(program, data) };
    }
}

/// A value on its way to another thread.
pub(crate) struct Across<T>(T);

// SAFETY: only for callers' functions with their data, which the interface calls from any thread.
unsafe impl<T> Send for Across<T> {}

impl<T> Across<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(value)
    }

    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}
