//! Serialized calls, which only one thread at a time makes into Intel's CPU runtime, and some of them into PoCL. Other
//! drivers do not need this.
//!
//! **Waits.** A thread that waits in that runtime executes other commands during the wait. If its thread pool has no
//! free slot, the runtime passes the wait of a second thread to the first one. The first one may start it in the middle
//! of the very command that it waits for, and then both wait forever. This takes two threads and one out-of-order queue
//! (2023.2.4 and 2026.2.0; `testing/robustness/programs/opencl_alone.c`, `waits loose`). Therefore, only the thread
//! that holds the lock of waits waits in the driver. Any other thread polls the status of its events until they are
//! complete or it gets the lock.
//!
//! **USM.** In `clMemBlockingFreeINTEL`, 2023.2.4 modifies its list of allocations without a lock. Two concurrent
//! frees, or a free and an allocation, result in "double free or corruption" or in `CL_INVALID_VALUE`
//! (`opencl_alone.c`, `usm`). PoCL 7.1 forgets an address after it has freed it, and ends the process if another thread
//! got the same address in between (`usm new-queues free-now`). Therefore, allocations, frees and queries hold the lock
//! of USM.
//!
//! Both locks are shared by the process: see [`process_locks`](super::process_locks). The lock of waits is reentrant,
//! because a callback or a native kernel that the driver runs during a wait may also wait.

use std::ptr::{null, null_mut};
use std::time::Duration;

use opencl_sys::*;
use sycl_pi_backend::Result;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_host_process::outside;

use super::driver::{Driver, HasPlatform};
use super::handles::*;
use super::library::cl;
use super::owned::Owned;
use super::process_locks::{self, ProcessGuard};

/// Returns whether the driver of an object requires its calls to be serialized.
#[inline]
pub(super) fn is_serialized(object: &impl HasPlatform) -> bool {
    object.driver().is_ok_and(|driver| driver.is_intel_cpu)
}

/// Waits until all events are complete. They may belong to several contexts and drivers, which `clWaitForEvents` does
/// not accept.
#[inline]
pub(crate) fn wait_for_events(events: &[&Event]) -> Result<()> {
    if events.len() > 1 && !are_of_one_driver(events) {
        return wait_for_each(events);
    }
    match wait_in_driver(events) {
        Err(error) if error.code() == ErrorCode::INVALID_CONTEXT && events.len() > 1 => wait_for_each(events),
        result => result,
    }
}

/// Waits for one event after another, and continues after an error. Returns the first error.
#[cold]
fn wait_for_each(events: &[&Event]) -> Result<()> {
    events.iter().map(|event| wait_in_driver(&[*event])).fold(Ok(()), Result::and)
}

/// Returns whether all events belong to one driver. An ICD loader passes a call to the driver of the first event, for
/// which another driver's event is arbitrary memory.
fn are_of_one_driver(events: &[&Event]) -> bool {
    let driver = |event: &Event| event.driver().ok().map(std::ptr::from_ref);
    events.windows(2).all(|pair| matches!(pair, [one, next] if driver(one) == driver(next)))
}

/// Calls `clWaitForEvents` with events of one driver.
#[inline]
fn wait_in_driver(events: &[&Event]) -> Result<()> {
    let is_serialized = events.first().is_some_and(|event| is_serialized(*event));
    outside(|| {
        let _guard = if is_serialized { lock_unless_complete(events) } else { None };
        // Without the lock, the events are complete: the driver does not wait, but reports their errors.
        cl().clWaitForEvents(events.len() as cl_uint, events.as_ptr().cast())
    })
}

/// `clFinish`.
pub(crate) fn finish(queue: &Queue) -> Result<()> {
    if !is_serialized(queue) {
        return outside(|| cl().clFinish(queue.cl()));
    }
    outside(|| {
        if let Some(_guard) = process_locks::waits(Duration::ZERO) {
            return cl().clFinish(queue.cl());
        }
        let marker = enqueue_marker(queue)?;
        match lock_unless_complete(&[&marker]) {
            Some(_guard) => cl().clFinish(queue.cl()),
            // Errors of commands are reported by their own events.
            None => Ok(()),
        }
    })
}

/// Runs a command that may block. `enqueue` is called once, with `CL_TRUE` or `CL_FALSE` and a place for the event.
#[inline(always)]
pub(crate) fn blocking<T>(
    queue: &Queue,
    blocking: bool,
    event: *mut cl_event,
    enqueue: impl FnOnce(cl_bool, *mut cl_event) -> Result<T>,
) -> Result<T> {
    if !blocking {
        return enqueue(CL_FALSE, event);
    }
    if !is_serialized(queue) {
        return outside(|| enqueue(CL_TRUE, event));
    }
    outside(|| match process_locks::waits(Duration::ZERO) {
        Some(_guard) => enqueue(CL_TRUE, event),
        None => enqueue_and_wait(event, |event| enqueue(CL_FALSE, event)),
    })
}

/// Runs a non-blocking command and waits for its event. `wanted` is null or the caller's place for the event.
#[cold]
fn enqueue_and_wait<T>(wanted: *mut cl_event, enqueue: impl FnOnce(*mut cl_event) -> Result<T>) -> Result<T> {
    let mut event = null_mut();
    let value = enqueue(&mut event)?;
    let event = Owned::<Event>::adopt(event)?;
    // After an error, the event is released, and the caller gets the error.
    wait_for_events(&[&event])?;
    if !wanted.is_null() {
        // SAFETY: the pointer is not null, so it is the caller's place for an event.
        unsafe { wanted.write(event.into_raw()) };
    }
    Ok(value)
}

/// Returns the lock, or `None` when all events are complete, whichever comes first.
#[inline]
fn lock_unless_complete(events: &[&Event]) -> Option<ProcessGuard> {
    process_locks::waits(Duration::ZERO).or_else(|| lock_or_complete(events))
}

#[cold]
fn lock_or_complete(events: &[&Event]) -> Option<ProcessGuard> {
    for event in events {
        // A wait in the driver also flushes. An error occurs again where it is reported.
        event.flush_queue();
    }
    lock_unless(process_locks::waits, || events.iter().all(|event| event.is_complete()))
}

/// Returns the lock, or `None` as soon as `is_complete` returns true. A release of the lock is noticed at once, and
/// completion after at most half a millisecond.
fn lock_unless<G>(lock: impl Fn(Duration) -> Option<G>, is_complete: impl Fn() -> bool) -> Option<G> {
    const FIRST_PAUSE: Duration = Duration::from_micros(20);
    const LONGEST_PAUSE: Duration = Duration::from_micros(500);
    let mut pause = FIRST_PAUSE;
    while !is_complete() {
        if let Some(guard) = lock(pause) {
            return Some(guard);
        }
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
    None
}

/// Returns an event after every command of a queue.
pub(super) fn enqueue_marker(queue: &Queue) -> Result<Owned<Event>> {
    let mut event = null_mut();
    cl().clEnqueueMarkerWithWaitList(queue.cl(), 0, null(), &mut event)?;
    Owned::adopt(event)
}

/// Returns the event behind all commands of a queue, and flushes the queue.
pub(super) fn last_marker(queue: &Queue) -> Result<Owned<Event>> {
    let marker = enqueue_marker(queue)?;
    cl().clFlush(queue.cl())?;
    Ok(marker)
}

/// Returns the lock around a call that allocates, frees or queries a USM allocation, if the driver needs it.
#[inline]
pub(super) fn lock_usm(driver: &Driver) -> Option<ProcessGuard> {
    /// The maximum wait on Intel's runtime. A free waits for commands that use the allocation. Those may wait for this
    /// very thread, or be executed by it and allocate. After this time, the call continues without the lock.
    const LONGEST_WAIT: Duration = Duration::from_millis(100);
    /// The maximum wait on PoCL, whose calls wait for nothing. On a busy computer, the thread that holds the lock may
    /// not run for a second, and a call without the lock may end the process.
    const LONGEST_WAIT_ON_POCL: Duration = Duration::from_secs(60);
    if driver.is_intel_cpu {
        process_locks::usm(LONGEST_WAIT)
    } else if driver.is_pocl {
        process_locks::usm(LONGEST_WAIT_ON_POCL)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use parking_lot::ReentrantMutex;
    use std::sync::mpsc::channel;
    use std::thread::{scope, sleep, spawn};
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_free_lock_is_taken_again_by_the_thread_that_holds_it() {
        static LOCK: ReentrantMutex<()> = ReentrantMutex::new(());
        let outer = lock_unless(|limit| LOCK.try_lock_for(limit), || false);
        assert!(outer.is_some());
        assert!(
            lock_unless(|limit| LOCK.try_lock_for(limit), || false).is_some(),
            "as a callback within a wait does"
        );
        scope(|scope| {
            scope.spawn(|| assert!(LOCK.try_lock().is_none(), "the outer wait lasts"));
        });
        drop(outer);
        scope(|scope| {
            scope.spawn(|| assert!(LOCK.try_lock().is_some()));
        });
    }

    #[test]
    fn a_thread_without_the_lock_returns_when_its_events_are_complete() {
        static LOCK: ReentrantMutex<()> = ReentrantMutex::new(());
        let _held = LOCK.lock();
        scope(|scope| {
            scope.spawn(|| {
                let start = Instant::now();
                let is_complete = || start.elapsed() > Duration::from_millis(3);
                assert!(lock_unless(|limit| LOCK.try_lock_for(limit), is_complete).is_none());
            });
        });
    }

    #[test]
    fn a_release_is_seen_within_a_millisecond() {
        static LOCK: ReentrantMutex<()> = ReentrantMutex::new(());
        let delay = || {
            let held = LOCK.lock();
            let (taken, is_taken) = channel();
            let waiter = spawn(move || {
                let guard = lock_unless(|limit| LOCK.try_lock_for(limit), || false);
                let _ = taken.send(Instant::now());
                drop(guard);
            });
            // This is long enough for the longest pause between two polls.
            sleep(Duration::from_millis(5));
            let released = Instant::now();
            drop(held);
            let delay = is_taken.recv().map(|taken| taken.duration_since(released));
            assert!(waiter.join().is_ok());
            delay.unwrap_or(Duration::MAX)
        };
        // The machine may be busy for seconds, so one good try is sufficient.
        let start = Instant::now();
        let mut delays =
            std::iter::repeat_with(delay).take_while(|_| start.elapsed() < Duration::from_secs(20));
        assert!(delays.any(|delay| delay < Duration::from_millis(1)));
    }
}
