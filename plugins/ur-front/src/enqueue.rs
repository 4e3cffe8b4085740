//! Queue commands, which are run with their wait lists and events or recorded into a graph.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use sycl_pi_backend::api::{Backend, Objects};
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Dependencies, EventOut, New, Result, cold_error};
use sycl_ur_core::*;

use crate::capture::recorded::ToRecord;
use crate::capture::{has_internal_event, is_captured, record, refuse};
use crate::handle::{Handle, adopt, origin};
use crate::view::{List, objects};

/// Runs a queue command with its wait list, and passes its event to the caller if wanted. Refuses the command on a
/// queue that is being captured, because graphs cannot contain it.
///
/// # Safety
///
/// If `count` > 0, `list` must be null or point to `count` handles of events; `event` must be null or writable.
pub(crate) unsafe fn enqueue<B: Backend, R>(
    queue: &Handle<B::Queue>, count: u32, list: *const ur_event_handle_t, event: *mut ur_event_handle_t,
    command: impl FnOnce(Dependencies<'_, B::Event>) -> Result<R>,
) -> Result<R> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        run_or::<B, _>(queue, count, list, event, command, move || Err(refuse::<B>(queue, (count, list))))
    }
}

/// Runs a command like [`enqueue`] does, but records `what` into the graph of a queue that is being captured.
///
/// # Safety
///
/// Same as for [`enqueue`].
pub(crate) unsafe fn enqueue_or_record<'a, B: Backend>(
    queue: &Handle<B::Queue>, count: u32, list: *const ur_event_handle_t, event: *mut ur_event_handle_t,
    what: impl FnOnce() -> ToRecord<'a, B>, command: impl FnOnce(Dependencies<'_, B::Event>) -> Result<()>,
) -> Result<()> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        run_or::<B, _>(queue, count, list, event, command, move || {
            record::<B>(queue, (count, list), event, what())
        })
    }
}

/// Runs `command`, or `captured` if the queue is being captured or the wait list contains events of a capture.
///
/// # Safety
///
/// Same as for [`enqueue`].
unsafe fn run_or<B: Backend, R>(
    queue: &Handle<B::Queue>, count: u32, list: *const ur_event_handle_t, event: *mut ur_event_handle_t,
    command: impl FnOnce(Dependencies<'_, B::Event>) -> Result<R>, captured: impl FnOnce() -> Result<R>,
) -> Result<R> {
    if is_captured::<B>(queue) {
        return out_of_line(captured);
    }
    let some;
    let waits: &[&B::Event] = if count == 0 {
        &[]
    } else {
        // SAFETY: guaranteed by the caller.
        some = match unsafe { waits::<B>(count, list) } {
            Ok(waits) => waits,
            // SAFETY: guaranteed by the caller.
            Err(_) if unsafe { has_internal_event::<B>((count, list)) } => return out_of_line(captured),
            Err(error) => return Err(error),
        };
        &some
    };
    let mut raw = std::ptr::null_mut();
    let place = if event.is_null() { None } else { Some(&mut raw) };
    let place = place.map_or_else(EventOut::none, EventOut::into);
    let answer = command(Dependencies { waits, event: place })?;
    // SAFETY: the pointer is null, or the reference that the backend has stored there.
    if let Some(new) = unsafe { New::<B::Event>::from_raw(raw) } {
        // SAFETY: an event was requested, so the caller's place is writable.
        unsafe { event.write(adopt(new, origin(queue))) };
    }
    Ok(answer)
}

/// Keeps rare code out of the way of frequent code.
#[inline(never)]
fn out_of_line<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// Returns the objects of a wait list.
///
/// # Safety
///
/// If `count` > 0, `list` must be null or point to `count` handles of events.
unsafe fn waits<'a, B: Objects>(count: u32, list: *const ur_event_handle_t) -> Result<List<'a, B::Event>> {
    // SAFETY: guaranteed by the caller.
    unsafe { objects::<B::Event>(count, list, "phEventWaitList") }
        .map_err(|error| cold_error(move || error.with_code(ErrorCode::INVALID_EVENT_WAIT_LIST)))
}
