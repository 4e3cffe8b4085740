//! Queue commands, which are run with their wait lists and events or recorded into a graph.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use sycl_pi_backend::api::{Backend, Objects};
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Dependencies, EventOut, New, Result, cold_error};
use sycl_ur_core::*;

use crate::capture::{has_internal_event, is_captured, record, refuse};
use crate::handle::{Handle, adopt, origin};
use crate::queue_command::QueueCommand;
use crate::view::{List, objects};

/// The arguments of a queue command about events: the length of its wait list, the list, and the place for its own
/// event.
pub(crate) type EventArgs = (u32, *const ur_event_handle_t, *mut ur_event_handle_t);

/// Runs a queue command with its wait list, and passes its event to the caller if wanted. Refuses the command on a
/// queue that is being captured, because graphs cannot contain it.
///
/// # Safety
///
/// If `count` > 0, `list` must be null or point to `count` handles of events; `event` must be null or writable.
pub(crate) unsafe fn enqueue<B: Backend, R>(
    queue: &Handle<B::Queue>, events: EventArgs,
    command: impl FnOnce(Dependencies<'_, B::Event>) -> Result<R>,
) -> Result<R> {
    let (count, list, _) = events;
    // SAFETY: guaranteed by the caller.
    unsafe {
        run_unless_captured::<B, _, _>(
            queue,
            events,
            command,
            |command, dependencies| command(dependencies),
            |_| Err(refuse::<B>(queue, (count, list))),
        )
    }
}

/// Runs a command like [`enqueue`] does, but records the command into the graph of a queue that is being captured.
///
/// # Safety
///
/// Same as for [`enqueue`].
pub(crate) unsafe fn enqueue_or_record<'a, B: Backend>(
    queue: &Handle<B::Queue>, events: EventArgs, command: QueueCommand<'a, B>,
) -> Result<()> {
    let (count, list, event) = events;
    // SAFETY: guaranteed by the caller.
    unsafe {
        run_unless_captured::<B, _, _>(
            queue,
            events,
            command,
            |command, dependencies| command.run(queue, dependencies),
            |command| record::<B>(queue, (count, list), event, command.into_record()),
        )
    }
}

/// Runs a command. In a queue that is being captured, and for a wait list with events of a capture, calls `on_capture`
/// instead.
///
/// # Safety
///
/// Same as for [`enqueue`].
unsafe fn run_unless_captured<B: Backend, C, R>(
    queue: &Handle<B::Queue>, (count, list, event): EventArgs, command: C,
    run: impl FnOnce(C, Dependencies<'_, B::Event>) -> Result<R>, on_capture: impl FnOnce(C) -> Result<R>,
) -> Result<R> {
    if is_captured::<B>(queue) {
        return out_of_line(|| on_capture(command));
    }
    let decoded;
    let waits: &[&B::Event] = if count == 0 {
        &[]
    } else {
        // SAFETY: guaranteed by the caller.
        decoded = match unsafe { decode_wait_list::<B>(count, list) } {
            Ok(events) => events,
            // SAFETY: guaranteed by the caller.
            Err(_) if unsafe { has_internal_event::<B>((count, list)) } => {
                return out_of_line(|| on_capture(command));
            }
            Err(error) => return Err(error),
        };
        &decoded
    };
    let mut raw = std::ptr::null_mut();
    let place = if event.is_null() { None } else { Some(&mut raw) };
    let place = place.map_or_else(EventOut::none, EventOut::into);
    let answer = run(command, Dependencies { waits, event: place })?;
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
unsafe fn decode_wait_list<'a, B: Objects>(
    count: u32, list: *const ur_event_handle_t,
) -> Result<List<'a, B::Event>> {
    // SAFETY: guaranteed by the caller.
    unsafe { objects::<B::Event>(count, list, "phEventWaitList") }
        .map_err(|error| cold_error(move || error.with_code(ErrorCode::INVALID_EVENT_WAIT_LIST)))
}
