//! Freeing shared virtual memory after the commands that use it.
//!
//! `clSVMFree` frees at once, whereas USM stays until the commands of the context are complete. Which of them use a
//! block is not known, so it is kept until all that were enqueued before are complete. This is checked when memory is
//! allocated or freed, and when a queue is finished or released.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{sleep, yield_now};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sycl_pi_backend::{New, Result};
use sycl_pi_host_process::outside;

use super::driver::HasPlatform;
use super::handles::{Context, Event, Queue};
use super::library::cl;
use super::owned::Owned;
use super::queue_list::QueueList;
use super::serialize::last_marker;

/// How long a free waits. A queue without commands has completed its marker by then. A longer wait might last forever,
/// because a command may wait for something that the caller does later.
const WAIT: Duration = Duration::from_millis(100);
/// The time between two looks at a marker, after as many looks without a pause take as long.
const PAUSE: Duration = Duration::from_micros(200);

/// A block that is freed once these events are complete.
struct LateFree {
    context: Owned<Context>,
    block: usize,
    markers: Vec<Owned<Event>>,
}

/// The queues of drivers without USM.
static QUEUES: Mutex<QueueList> = Mutex::new(QueueList::new());
static KEPT: Mutex<Vec<LateFree>> = Mutex::new(Vec::new());
/// The number of kept blocks. Most programs never have one, and need not take the lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Whether there ever was such a queue.
static ANY: AtomicBool = AtomicBool::new(false);

/// Records a queue that the program gets.
pub(crate) fn note_svm_queue(context: &Context, queue: &New<Queue>) {
    if context.driver().is_ok_and(|driver| !driver.has_usm) {
        ANY.store(true, Ordering::Relaxed);
        QUEUES.lock().add(queue);
    }
}

/// Forgets a queue that the program releases.
#[inline]
pub(super) fn forget_svm_queue(queue: &Queue) {
    if ANY.load(Ordering::Relaxed) {
        QUEUES.lock().remove(queue);
        free_complete();
    }
}

/// Frees a block, or keeps it until the commands of its context are complete.
pub(crate) fn free_late(context: &Context, block: NonNull<c_void>) -> Result<()> {
    free_complete();
    let mut markers = Vec::new();
    let is_of_context = |queue: &Queue| queue.context().is_ok_and(|its| its.cl() == context.cl());
    let queues = QUEUES.lock().retained(is_of_context);
    for queue in queues {
        // A queue that takes no more commands has none that could use the block.
        let marker = last_marker(&queue).ok();
        // This is not the program's reference.
        let _ = cl().clReleaseCommandQueue(queue.into_raw());
        markers.extend(marker.filter(|marker| !marker.is_complete()));
    }
    let since = Instant::now();
    while !markers.is_empty() && since.elapsed() < WAIT {
        if since.elapsed() < PAUSE {
            yield_now()
        } else {
            outside(|| sleep(PAUSE))
        }
        markers.retain(|marker| !marker.is_complete());
    }
    if markers.is_empty() {
        return cl().clSVMFree(context.cl(), block.as_ptr());
    }
    let context = Owned::retain(context)?;
    let mut kept = KEPT.lock();
    kept.push(LateFree { context, block: block.as_ptr().expose_provenance(), markers });
    COUNT.store(kept.len(), Ordering::Relaxed);
    Ok(())
}

/// Frees the blocks whose commands are complete.
#[inline]
pub(crate) fn free_complete() {
    if COUNT.load(Ordering::Relaxed) != 0 {
        free_kept();
    }
}

#[cold]
fn free_kept() {
    let is_complete = |one: &mut LateFree| one.markers.iter().all(|marker| marker.is_complete());
    let complete: Vec<LateFree> = {
        let mut kept = KEPT.lock();
        let complete = kept.extract_if(.., is_complete).collect();
        COUNT.store(kept.len(), Ordering::Relaxed);
        complete
    };
    for one in complete {
        let _ = cl().clSVMFree(one.context.cl(), std::ptr::with_exposed_provenance_mut(one.block));
    }
}
