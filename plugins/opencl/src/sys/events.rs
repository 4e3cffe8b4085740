//! Events that the plugin itself waits for.

use std::ptr::null_mut;

use opencl_sys::*;
use sycl_pi_backend::EventOut;

use super::driver::{direct, elsewhere};
use super::{Cl, Event, cl};

/// Hands the commands of an event's queue to the device; whether it has one and the driver does it. A user event has none.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this crate only")]
pub(crate) extern "C" fn flush_queue_of(event: cl_event) -> bool {
    let Some(cl) = direct(event).or_else(|| elsewhere(event)) else { return false };
    flush(cl, event)
}

/// As above, for an event of that driver.
pub(super) fn flush(cl: &Cl, event: cl_event) -> bool {
    let mut queue: cl_command_queue = null_mut();
    let room = (&raw mut queue).cast();
    let asked = cl.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, size_of_val(&queue), room, null_mut());
    asked.is_ok() && !queue.is_null() && cl.clFlush(queue).is_ok()
}

/// A growing list of events, released when it goes.
#[derive(Default)]
pub(crate) struct EventList {
    events: Vec<cl_event>,
}

impl EventList {
    /// Output for one more event, for a command to write to.
    pub(crate) fn next(&mut self) -> EventOut<'_, Event> {
        self.events.push(std::ptr::null_mut());
        let last = self.events.len() - 1;
        EventOut::into(pi_event_mut(&mut self.events[last]))
    }

    /// Length and start, as OpenCL takes them.
    pub(crate) fn raw_parts(&self) -> (cl_uint, *const cl_event) {
        let list = if self.events.is_empty() { std::ptr::null() } else { self.events.as_ptr() };
        (self.events.len() as cl_uint, list)
    }
}

/// A `cl_event` is a `*mut RawEvent`.
fn pi_event_mut(event: &mut cl_event) -> &mut sycl_pi_backend::types::*mut RawEvent {
    // SAFETY: both are pointers to opaque objects.
    unsafe { &mut *std::ptr::from_mut(event).cast() }
}

impl Drop for EventList {
    fn drop(&mut self) {
        let cl = cl();
        for event in self.events.iter().filter(|event| !event.is_null()) {
            // Nobody is left to hear of an error.
            let _ = cl.clReleaseEvent(*event);
        }
    }
}
