//! The last release of an out-of-order queue of Intel's CPU runtimes.
//!
//! A program may release a queue whose commands have not run: OpenCL runs them to their end, and the queue goes with the last
//! one. In these runtimes a thread that waits runs commands meanwhile. If the last command of a released queue ends inside
//! such a wait, it frees its own queue and waits for itself for ever (`testing/robustness/programs/released_queue.c`). And an
//! event can be complete while the runtime still tidies up after its command; 2026.2.0 waits for ever if the queue goes in that
//! moment (`opencl_alone.c`, `queues`).
//!
//! So the driver finishes such a queue before it goes. A queue that has commands yet is kept until they are complete; the
//! next queue that is created or released looks after it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use opencl_sys::*;
use parking_lot::Mutex;
use sycl_pi_backend::Result;

use super::handles::{Event, Queue};
use super::library::cl;
use super::owned::Owned;
use super::process_locks;
use super::query::Queried;
use super::serialize::{enqueue_marker, is_serialized};
use super::thread_end::is_left_to_driver;

/// A queue that the program has released, with the event behind its last command.
struct Kept {
    marker: Owned<Event>,
    /// The program's last reference.
    _queue: Owned<Queue>,
}

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());
/// How many queues are kept: most programs never have one, and need not take the lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// `clReleaseCommandQueue`, after the driver has finished with the last command.
pub(super) fn release(queue: &Queue) -> Result<()> {
    if is_left_to_driver(queue) {
        return Ok(());
    }
    if is_serialized(queue) {
        release_complete();
        if is_last_reference(queue)
            && let Some(kept) = unfinished(queue)
        {
            KEPT.lock().push(kept);
            COUNT.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
    }
    cl().clReleaseCommandQueue(queue.cl())
}

/// Releases the kept queues whose commands are complete.
#[inline]
pub(crate) fn release_complete() {
    if COUNT.load(Ordering::Relaxed) != 0 {
        drop(take_complete());
    }
}

#[cold]
fn take_complete() -> Vec<Kept> {
    let mut kept = KEPT.lock();
    let (complete, pending): (Vec<_>, Vec<_>) =
        std::mem::take(&mut *kept).into_iter().partition(|one| one.marker.is_complete());
    *kept = pending;
    COUNT.store(kept.len(), Ordering::Relaxed);
    complete
}

/// Whether this is the last reference to an out-of-order queue.
fn is_last_reference(queue: &Queue) -> bool {
    let properties = || queue.value(CL_QUEUE_PROPERTIES, 0_u64).unwrap_or_default();
    queue.value(CL_QUEUE_REFERENCE_COUNT, 0_u32).unwrap_or_default() == 1
        && properties() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0
}

/// Lets the driver finish a queue without commands, and takes the reference to any other.
fn unfinished(queue: &Queue) -> Option<Kept> {
    let marker = enqueue_marker(queue).ok()?;
    cl().clFlush(queue.cl()).ok()?;
    if marker.is_complete()
        && let Some(_guard) = process_locks::waits(Duration::ZERO)
    {
        // Errors of commands are told by their own events.
        let _ = cl().clFinish(queue.cl());
        return None;
    }
    let queue = Owned::adopt(core::ptr::from_ref(queue).cast_mut().cast()).ok()?;
    Some(Kept { marker, _queue: queue })
}
