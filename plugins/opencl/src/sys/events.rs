//! Event queries by the backend itself.

use std::ffi::c_void;
use std::ptr::null_mut;

use opencl_sys::*;

use super::handles::Event;
use super::library::cl;
use super::query::Queried;

impl Event {
    /// Returns whether the command is complete, with or without an error. An event that cannot be queried counts as
    /// complete.
    pub(crate) fn is_complete(&self) -> bool {
        self.value(CL_EVENT_COMMAND_EXECUTION_STATUS, CL_QUEUED).map_or(true, |status| status <= CL_COMPLETE)
    }

    /// Submits the commands of the event's queue to the device. Returns false for a user event, which has no queue, and
    /// on an error.
    pub(crate) fn flush_queue(&self) -> bool {
        match self.value(CL_EVENT_COMMAND_QUEUE, null_mut::<c_void>()) {
            Ok(queue) => !queue.is_null() && cl().clFlush(queue).is_ok(),
            Err(_) => false,
        }
    }
}
