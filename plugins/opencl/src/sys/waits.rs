//! Waits: in the driver, or beside it where the driver cannot stand two at once.
//!
//! A thread that waits in Intel's CPU runtime runs other commands meanwhile. Where its arena has no place left, the runtime
//! hands the wait of a second thread to the first one, which may begin it in the middle of the very command that it
//! waits for: both wait for ever then (2023.2.4 and 2026.2.0, within a thousand waits of two threads on two processors, if
//! one of their queues is out of order; `testing/robustness/programs/opencl_alone.c`, `waits loose`). So there one thread
//! waits in the driver, and another one looks at its events from time to time until they are done or it has its turn.
//!
//! Who looks sees a command done while the driver is still busy with letting go of it. An out-of-order queue that is released
//! in that moment goes with its last command, in the middle of it, and 2026.2.0 waits for ever there (one thread is enough:
//! `opencl_alone.c`, `queues`). So before such a queue goes, the driver is waited for, by who has the turn.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use opencl_sys::*;
use sycl_pi_backend::Result;

use super::driver::{Driver, asked_last, elsewhere, known_driver};
use super::error::driver_error;
use super::events::flush;
use super::functions::{Cl, REFUSED};
use super::jump_back::learn;
use super::turns::{Pause, Turn, Turns};

/// The turns of all drivers that need them: there is one in a process, or two of one runtime.
pub(super) static TURNS: Turns = Turns::new();
/// Whether any thread has seen its commands done by looking. Never in a process with one thread that waits.
static HAS_LOOKED: AtomicBool = AtomicBool::new(false);

/// Runs a call that waits in the driver of an object, as far as this thread may do it here and now; out of line else.
#[inline(always)]
pub(super) fn wait<T>(object: *mut c_void, call: impl Fn(&Cl) -> T, out_of_line: impl FnOnce() -> T) -> T {
    let waited = match asked_last(object) {
        Some(driver) if !driver.needs_turns => return call(driver.cl()),
        Some(driver) => TURNS.as_owner(|| call(driver.cl())),
        None => None,
    };
    waited.unwrap_or_else(out_of_line)
}

/// Runs an enqueue that may block: in the driver, or as one that does not block and a wait.
///
/// `enqueue` is called once, with `blocking` and `event` or with what stands for them. It is copied where it goes out of line,
/// so that its arguments stay in registers where it does not.
#[inline(always)]
pub(crate) fn blocking<T>(
    queue: cl_command_queue,
    blocking: cl_bool,
    event: *mut cl_event,
    enqueue: impl Fn(cl_bool, *mut cl_event) -> Result<T> + Copy,
) -> Result<T> {
    let is_free = |driver: &Driver| !driver.needs_turns;
    if blocking == CL_FALSE || asked_last(queue).is_some_and(is_free) {
        return enqueue(blocking, event);
    }
    match TURNS.as_owner(|| enqueue(CL_TRUE, event)) {
        Some(result) => result,
        None => {
            let copy = enqueue;
            blocking_in_turn(queue, event, &copy)
        }
    }
}

#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this file only")]
extern "C" fn blocking_in_turn<T>(
    queue: cl_command_queue,
    event: *mut cl_event,
    enqueue: &dyn Fn(cl_bool, *mut cl_event) -> Result<T>,
) -> Result<T> {
    let Some(driver) = one_at_a_time(queue) else { return enqueue(CL_TRUE, event) };
    if let Some(_turn) = TURNS.take() {
        return enqueue(CL_TRUE, event);
    }
    let mut own = null_mut();
    // SAFETY: null or the caller's place for an event.
    let wanted = unsafe { event.as_mut() };
    let is_wanted = wanted.is_some();
    let event = wanted.unwrap_or(&mut own);
    let value = enqueue(CL_FALSE, event)?;
    let waited = events_in_turn(driver.cl(), slice::from_ref(event));
    if !is_wanted || waited.is_err() {
        let event = std::mem::replace(event, null_mut());
        // What the command ended with is what the caller has to hear of.
        let _ = driver.cl().clReleaseEvent(event);
    }
    waited.map(|()| value)
}

/// As `clWaitForEvents`, one event at least, all of one driver.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this room only")]
pub(super) extern "C" fn wait_for_events(count: cl_uint, events: *const cl_event) -> Result<()> {
    // SAFETY: the caller's list of that many events.
    let list = unsafe { slice::from_raw_parts(events, count as usize) };
    let Some(first) = list.first() else { return Err(driver_error("clWaitForEvents", CL_INVALID_VALUE)) };
    match one_at_a_time(*first) {
        Some(driver) => events_in_turn(driver.cl(), list),
        None => functions_of(*first)?.clWaitForEvents(count, events),
    }
}

/// As `clFinish`.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this room only")]
pub(super) extern "C" fn finish(queue: cl_command_queue) -> Result<()> {
    let Some(driver) = one_at_a_time(queue) else { return functions_of(queue)?.clFinish(queue) };
    let cl = driver.cl();
    if let Some(_turn) = TURNS.take() {
        return cl.clFinish(queue);
    }
    let mut marker = null_mut();
    cl.clEnqueueMarkerWithWaitList(queue, 0, null(), &mut marker)?;
    // What failed in the queue is told by the commands' own events.
    let finished = match turn_or_complete(cl, slice::from_ref(&marker)) {
        Some(_turn) => cl.clFinish(queue),
        None => Ok(()),
    };
    cl.clReleaseEvent(marker)?;
    finished
}

/// The driver of an object, if it cannot stand two waits at once. Asked before any turn of a thread that is no owner yet.
fn one_at_a_time(object: *mut c_void) -> Option<&'static Driver> {
    known_driver(object).filter(|driver| driver.needs_turns).inspect(|driver| learn(driver))
}

/// The functions for an object of a driver that waits as it likes, or is not known yet.
fn functions_of(object: *mut c_void) -> Result<&'static Cl> {
    elsewhere(object).ok_or_else(|| driver_error("clGetPlatformIDs", REFUSED))
}

fn events_in_turn(cl: &Cl, events: &[cl_event]) -> Result<()> {
    let _turn = turn_or_complete(cl, events);
    // With the turn, or as it does not wait for what is complete and has the errors.
    cl.clWaitForEvents(events.len() as cl_uint, events.as_ptr())
}

/// Returns with a turn, or without one when all events are complete, whatever comes first.
fn turn_or_complete(cl: &Cl, events: &[cl_event]) -> Option<Turn<'static>> {
    let mut pause = Pause::default();
    loop {
        if let Some(turn) = TURNS.take() {
            return Some(turn);
        }
        if pause.is_first() {
            // As waiting in the driver does. An error comes again, where it is heard of.
            for event in events {
                flush(cl, *event);
            }
        }
        if events.iter().all(|event| is_complete(cl, *event)) {
            HAS_LOOKED.store(true, Ordering::Relaxed);
            return None;
        }
        pause.next();
    }
}

/// Whether a queue can be released as it is, without [`release_queue`].
#[inline(always)]
pub(super) fn may_release() -> bool {
    !HAS_LOOKED.load(Ordering::Relaxed)
}

/// As `clReleaseCommandQueue`, when the driver has let go of the last command.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this room only")]
pub(super) extern "C" fn release_queue(queue: cl_command_queue) -> Result<()> {
    /// Long after any command that was seen done.
    const PATIENCE: Duration = Duration::from_millis(20);
    let Some(driver) = one_at_a_time(queue) else {
        return functions_of(queue)?.clReleaseCommandQueue(queue);
    };
    let cl = driver.cl();
    let ask = |name| {
        let mut value: cl_ulong = 0;
        let room = (&raw mut value).cast();
        let asked = cl.clGetCommandQueueInfo(queue, name, size_of_val(&value), room, null_mut());
        asked.map(|()| value).unwrap_or_default()
    };
    let is_loose = ask(CL_QUEUE_PROPERTIES) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0;
    if is_loose && ask(CL_QUEUE_REFERENCE_COUNT) == 1 {
        let turn = TURNS.take_within(PATIENCE);
        if turn.is_some() && is_idle(cl, queue) {
            // What failed in the queue is told by the commands' own events.
            let _ = cl.clFinish(queue);
        }
    }
    cl.clReleaseCommandQueue(queue)
}

/// Whether all that is in a queue is done, or is in a moment. What is not, the driver lets go of by itself.
fn is_idle(cl: &Cl, queue: cl_command_queue) -> bool {
    const MOMENT: Duration = Duration::from_millis(5);
    let mut marker = null_mut();
    if cl.clEnqueueMarkerWithWaitList(queue, 0, null(), &mut marker).is_err() {
        return false;
    }
    let is_on_its_way = cl.clFlush(queue).is_ok();
    let (start, mut pause) = (Instant::now(), Pause::default());
    let mut is_idle = is_complete(cl, marker);
    while is_on_its_way && !is_idle && start.elapsed() < MOMENT {
        pause.next();
        is_idle = is_complete(cl, marker);
    }
    cl.clReleaseEvent(marker).is_ok() && is_idle
}

/// Whether an event is complete, well or not, or cannot be asked.
fn is_complete(cl: &Cl, event: cl_event) -> bool {
    let mut status = CL_QUEUED;
    let (name, room) = (CL_EVENT_COMMAND_EXECUTION_STATUS, (&raw mut status).cast());
    let asked = cl.clGetEventInfo(event, name, size_of_val(&status), room, null_mut());
    asked.is_err() || status <= CL_COMPLETE
}
