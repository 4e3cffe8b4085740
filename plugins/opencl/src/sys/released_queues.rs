//! The last release of a queue of Intel's CPU runtimes.
//!
//! A program may release a queue whose commands have yet to run. OpenCL completes them, and the last one destroys the
//! queue. In these runtimes, a thread that waits executes commands during the wait. If the last command of a
//! released queue ends inside such a wait, it destroys its own queue and waits for itself forever
//! (`testing/robustness/programs/released_queue.c`). Moreover, an event can be complete while the runtime is still
//! cleaning up after its command; 2026.2.0 waits forever if the queue is destroyed at that moment (`opencl_alone.c`,
//! `queues`).
//!
//! Therefore, the driver finishes such a queue before it is destroyed. A queue that still has commands is kept until
//! they are complete, which is checked when the next queue is created or released.
//!
//! When the process exits, the kept queues are released after their commands ([`process_end`](super::process_end)), and
//! from then on no queue is kept. This also applies to in-order queues: if twenty of them are released with their
//! commands running, the process otherwise ends badly (`testing/robustness/exits.py`).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use opencl_sys::*;
use parking_lot::Mutex;
use sycl_pi_backend::Result;

use super::handles::{Event, Queue};
use super::held_queues::{forget_queue, give_up, is_inherited};
use super::late_free::unwatch_queue;
use super::library::cl;
use super::owned::Owned;
use super::process_locks;
use super::query::Queried;
use super::serialize::{is_serialized, last_marker};
use super::thread_end::in_living_thread;

/// The maximum time that the exit of a process waits for the next queue to complete. After that, the queues are
/// released like those of any other driver, because a command may wait forever.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// A queue that the program has released, or holds when the process exits, with the event behind its last command.
pub(super) struct Kept {
    marker: Owned<Event>,
    /// The program's last reference, or one more.
    queue: Owned<Queue>,
    is_held: bool,
}

struct KeptQueues {
    all: Vec<Kept>,
    /// Whether the process has begun to exit.
    is_ending: bool,
}

static KEPT: Mutex<KeptQueues> = Mutex::new(KeptQueues { all: Vec::new(), is_ending: false });
/// The number of kept queues. Most programs never have one, and need not take the lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Calls `clReleaseCommandQueue` after the driver has finished the last command.
pub(super) fn release(queue: &Queue) -> Result<()> {
    unwatch_queue(queue);
    if !is_serialized(queue) || is_inherited() {
        return cl().clReleaseCommandQueue(queue.cl());
    }
    if !forget_queue(queue) {
        return Ok(());
    }
    release_complete();
    in_living_thread(|| {
        let unfinished = if is_last_reference(queue) { unfinished(queue) } else { None };
        let Some(unfinished) = unfinished else { return cl().clReleaseCommandQueue(queue.cl()) };
        match keep(unfinished) {
            None => Ok(()),
            // A command that still runs when the driver shuts down would crash it.
            Some(left) => release_all(vec![left]),
        }
    })
}

/// Releases the kept queues whose commands are complete.
#[inline]
pub(crate) fn release_complete() {
    if COUNT.load(Ordering::Relaxed) != 0 && !is_inherited() {
        drop_complete();
    }
}

#[cold]
fn drop_complete() {
    // The driver finishes them, which is a wait.
    let Some(_guard) = process_locks::waits(Duration::ZERO) else { return };
    let complete: Vec<_> = {
        let mut kept = KEPT.lock();
        let complete = kept.all.extract_if(.., |one| one.marker.is_complete()).collect();
        COUNT.store(kept.all.len(), Ordering::Relaxed);
        complete
    };
    for one in complete {
        let _ = cl().clFinish(one.queue.cl());
        let _ = one.release();
    }
}

/// Keeps a queue, unless the process is exiting.
fn keep(queue: Kept) -> Option<Kept> {
    let mut kept = KEPT.lock();
    if kept.is_ending {
        return Some(queue);
    }
    kept.all.push(queue);
    COUNT.store(kept.all.len(), Ordering::Relaxed);
    None
}

/// Returns the kept queues. From then on no queue is kept, because the process exits.
pub(super) fn keep_no_more() -> Vec<Kept> {
    let mut kept = KEPT.lock();
    kept.is_ending = true;
    COUNT.store(0, Ordering::Relaxed);
    std::mem::take(&mut kept.all)
}

/// Releases queues after their commands. Waits for at most [`LAST_WAIT`] without progress.
pub(super) fn release_all(queues: Vec<Kept>) -> Result<()> {
    if !is_inherited() {
        let pending = || queues.iter().filter(|one| !one.marker.is_complete()).count();
        let (mut left, mut since) = (pending(), Instant::now());
        while left > 0 && since.elapsed() < LAST_WAIT {
            sleep(Duration::from_micros(200));
            let now = pending();
            if now < left {
                (left, since) = (now, Instant::now());
            }
        }
        if let Some(_guard) = process_locks::waits(LAST_WAIT) {
            let complete = queues.iter().filter(|one| one.marker.is_complete());
            complete.for_each(|one| drop(cl().clFinish(one.queue.cl())));
        }
    }
    queues.into_iter().map(Kept::release).fold(Ok(()), Result::and)
}

impl Kept {
    /// Returns a queue that the program holds. Returns `None` if the driver gives no event, and then releases the
    /// reference.
    pub(super) fn held(queue: Owned<Queue>) -> Option<Self> {
        match last_marker(&queue) {
            Ok(marker) => Some(Self { marker, queue, is_held: true }),
            Err(_) => {
                let _ = cl().clReleaseCommandQueue(queue.into_raw());
                None
            }
        }
    }

    fn release(self) -> Result<()> {
        let is_complete = self.marker.is_complete();
        drop(self.marker);
        if self.is_held && !is_complete {
            give_up(&self.queue);
        }
        cl().clReleaseCommandQueue(self.queue.into_raw())
    }
}

fn is_last_reference(queue: &Queue) -> bool {
    queue.value(CL_QUEUE_REFERENCE_COUNT, 0_u32).unwrap_or_default() == 1
}

/// Lets the driver finish a queue without commands, and takes over the reference to any other.
fn unfinished(queue: &Queue) -> Option<Kept> {
    let marker = last_marker(queue).ok()?;
    if marker.is_complete()
        && let Some(_guard) = process_locks::waits(Duration::ZERO)
    {
        // Errors of commands are reported by their own events.
        let _ = cl().clFinish(queue.cl());
        return None;
    }
    let queue = Owned::adopt(core::ptr::from_ref(queue).cast_mut().cast()).ok()?;
    Some(Kept { marker, queue, is_held: false })
}
