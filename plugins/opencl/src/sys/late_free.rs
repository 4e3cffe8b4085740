//! Freeing memory after the commands that use it, without the driver's help.
//!
//! USM stays until the commands of the context are complete, but two kinds of drivers cannot wait for them. Shared
//! virtual memory has only `clSVMFree`, which frees at once. PoCL has `clMemBlockingFreeINTEL`, but it retains all queues
//! of the context with their last events while other threads destroy them, which ends the process
//! (`testing/robustness/programs/opencl_alone.c`, `usm` and `usm new-queues`).
//!
//! Which commands use a block is not known, so it is kept until all that were enqueued before are complete. This is
//! checked when memory is allocated or freed, and when a queue is finished or released.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{sleep, yield_now};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sycl_pi_backend::{New, Result};
use sycl_pi_host_process::outside;

use super::driver::{Driver, HasPlatform};
use super::handles::{Context, Event, Queue};
use super::library::cl;
use super::owned::Owned;
use super::queue_list::QueueList;
use super::serialize::{last_marker, lock_usm};

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

/// The queues of drivers whose memory is freed late.
static QUEUES: Mutex<QueueList> = Mutex::new(QueueList::new());
/// The events behind the commands of released queues, with the addresses of their contexts.
static RELEASED: Mutex<Vec<(usize, Owned<Event>)>> = Mutex::new(Vec::new());
static KEPT: Mutex<Vec<LateFree>> = Mutex::new(Vec::new());
/// The number of kept blocks. Most programs never have one, and need not take the lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Whether there ever was such a queue.
static ANY: AtomicBool = AtomicBool::new(false);
/// The numbers of blocks that the program has not freed, by the addresses of their contexts. The commands of a released
/// queue matter only if there are blocks in its context.
static BLOCKS: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

/// Records a queue that the program gets.
pub(crate) fn watch_queue(context: &Context, queue: &New<Queue>) {
    if context.driver().is_ok_and(Driver::frees_late) {
        ANY.store(true, Ordering::Relaxed);
        QUEUES.lock().add(queue);
    }
}

/// Forgets a queue that the program is about to release, but not the commands that it still has.
#[inline]
pub(super) fn unwatch_queue(queue: &Queue) {
    if ANY.load(Ordering::Relaxed) {
        unwatch(queue);
        free_complete();
    }
}

#[cold]
fn unwatch(queue: &Queue) {
    if !QUEUES.lock().remove(queue) {
        return;
    }
    let Ok(context) = queue.context() else { return };
    let address = context.cl().addr();
    if context.driver().is_ok_and(Driver::keeps_released_queues)
        && BLOCKS.lock().contains_key(&address)
        && let Some(marker) = unfinished(queue)
    {
        RELEASED.lock().push((address, marker));
    }
}

/// Returns the event behind the commands of a queue, unless they are complete. A queue that takes no more commands has
/// none that could use memory.
fn unfinished(queue: &Queue) -> Option<Owned<Event>> {
    last_marker(queue).ok().filter(|marker| !marker.is_complete())
}

/// Returns the events behind all commands of a context that are not complete.
fn unfinished_in(context: &Context) -> Vec<Owned<Event>> {
    let is_of_context = |queue: &Queue| queue.context().is_ok_and(|its| its.cl() == context.cl());
    let queues = QUEUES.lock().retained(is_of_context);
    let mut markers = Vec::new();
    for queue in queues {
        markers.extend(unfinished(&queue));
        // This is not the program's reference.
        let _ = cl().clReleaseCommandQueue(queue.into_raw());
    }
    release_complete_markers();
    let address = context.cl().addr();
    let released = RELEASED.lock();
    let of_context = released.iter().filter(|(its, _)| *its == address);
    markers.extend(of_context.filter_map(|(_, marker)| Owned::retain(&**marker).ok()));
    markers
}

/// Releases the markers of released queues that are complete. They keep their contexts alive.
fn release_complete_markers() {
    let complete: Vec<_> = RELEASED.lock().extract_if(.., |(_, marker)| marker.is_complete()).collect();
    drop(complete);
}

/// Counts a block of a context that [`free_late`] will free.
pub(crate) fn note_block(context: &Context) {
    *BLOCKS.lock().entry(context.cl().addr()).or_default() += 1;
}

fn forget_block(context: &Context) {
    if let Entry::Occupied(mut count) = BLOCKS.lock().entry(context.cl().addr()) {
        *count.get_mut() -= 1;
        if *count.get() == 0 {
            count.remove();
        }
    }
}

/// Frees a block, or keeps it until the commands of its context are complete.
pub(crate) fn free_late(context: &Context, block: NonNull<c_void>) -> Result<()> {
    forget_block(context);
    free_complete();
    let mut markers = unfinished_in(context);
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
        release_complete_markers();
        return free_now(context, block.as_ptr());
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
    release_complete_markers();
    for one in complete {
        let _ = free_now(&one.context, std::ptr::with_exposed_provenance_mut(one.block));
    }
}

fn free_now(context: &Context, block: *mut c_void) -> Result<()> {
    let driver = context.driver()?;
    if driver.has_usm {
        let _guard = lock_usm(driver);
        driver.extensions.clMemFreeINTEL(context.cl(), block)
    } else {
        cl().clSVMFree(context.cl(), block)
    }
}
