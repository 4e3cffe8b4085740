//! The last release of a queue of Intel's CPU runtimes.
//!
//! A program may release a queue whose commands have not run: OpenCL runs them to their end, and the queue goes with the last
//! one. In these runtimes a thread that waits runs commands meanwhile. If the last command of a released queue ends inside
//! such a wait, it frees its own queue and waits for itself for ever (`testing/robustness/programs/released_queue.c`). And an
//! event can be complete while the runtime still tidies up after its command; 2026.2.0 waits for ever if the queue goes in that
//! moment (`opencl_alone.c`, `queues`).
//!
//! So the driver finishes such a queue before it goes. A queue that has commands yet is kept until they are complete; the
//! next queue that is created or released looks after it.
//!
//! The runtime's own end does not survive a queue that somebody still holds and whose command runs: it aborts or faults. So an exit
//! handler releases what is kept, after its commands, and from then on no queue is kept. That holds for in-order queues too: twenty
//! of them that are released with their commands running end the process badly otherwise (`testing/robustness/exits.py`).

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use opencl_sys::*;
use parking_lot::Mutex;
use sycl_pi_backend::Result;
use sycl_pi_host_process::{at_exit, generation};

use super::handles::{Device, Event, Queue};
use super::library::cl;
use super::owned::Owned;
use super::process_locks;
use super::query::Queried;
use super::serialize::{enqueue_marker, is_serialized};
use super::thread_end::{in_living_thread, note_thread};

/// How long the end of a process waits for the next queue to complete. After that the queues are released as any other driver's: a
/// command may wait for ever.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// A queue that the program has released, with the event behind its last command.
struct Kept {
    marker: Owned<Event>,
    /// The program's last reference.
    queue: Owned<Queue>,
}

struct KeptQueues {
    all: Vec<Kept>,
    /// Whether the process has begun to end.
    is_ending: bool,
}

static KEPT: Mutex<KeptQueues> = Mutex::new(KeptQueues { all: Vec::new(), is_ending: false });
/// How many queues are kept: most programs never have one, and need not take the lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// The generation of the process in which the driver was found.
static OF_DRIVER: AtomicU32 = AtomicU32::new(0);

/// `clReleaseCommandQueue`, after the driver has finished with the last command.
pub(super) fn release(queue: &Queue) -> Result<()> {
    if !is_serialized(queue) || is_inherited() {
        return cl().clReleaseCommandQueue(queue.cl());
    }
    release_complete();
    let is_exit_handler = !note_thread();
    in_living_thread(|| {
        let unfinished = if is_last_reference(queue) { unfinished(queue) } else { None };
        let Some(unfinished) = unfinished else { return cl().clReleaseCommandQueue(queue.cl()) };
        match keep(unfinished) {
            None => Ok(()),
            Some(left) if is_exit_handler => release_all(vec![left]),
            // A thread that goes on while the process ends.
            Some(left) => left.release(),
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

/// Keeps a queue, unless the process ends.
fn keep(queue: Kept) -> Option<Kept> {
    let mut kept = KEPT.lock();
    if kept.is_ending {
        return Some(queue);
    }
    kept.all.push(queue);
    COUNT.store(kept.all.len(), Ordering::Relaxed);
    None
}

/// Has the queues that are kept released before the driver's library ends itself. To be called before there is a queue: handlers that are
/// registered later run earlier, and may still leave queues.
pub(crate) fn release_at_exit(device: &Device) {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    if is_serialized(device) && !IS_REGISTERED.swap(true, Ordering::Relaxed) {
        register();
    }
}

fn register() {
    extern "C" fn end() {
        let all = {
            let mut kept = KEPT.lock();
            kept.is_ending = true;
            COUNT.store(0, Ordering::Relaxed);
            std::mem::take(&mut kept.all)
        };
        if !all.is_empty() {
            // Nobody is left to hear of an error.
            let _ = in_living_thread(|| release_all(all));
        }
    }
    OF_DRIVER.store(generation(), Ordering::Relaxed);
    at_exit(end);
}

/// Releases queues after their commands, for which it waits as long as [`LAST_WAIT`] says.
fn release_all(queues: Vec<Kept>) -> Result<()> {
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
    fn release(self) -> Result<()> {
        drop(self.marker);
        cl().clReleaseCommandQueue(self.queue.into_raw())
    }
}

/// Whether the driver is that of a parent: the threads are not there that would complete commands, and the driver's locks may be held.
fn is_inherited() -> bool {
    generation() != OF_DRIVER.load(Ordering::Relaxed)
}

fn is_last_reference(queue: &Queue) -> bool {
    queue.value(CL_QUEUE_REFERENCE_COUNT, 0_u32).unwrap_or_default() == 1
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
    Some(Kept { marker, queue })
}
