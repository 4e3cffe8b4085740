//! The exit of a process that has queues of Intel's CPU runtimes.
//!
//! The runtime's own shutdown aborts or faults if another thread calls the runtime, or if a queue is still referenced
//! and its command is running. Therefore, an exit handler runs before it. The handler makes other threads wait before
//! their next call, waits for the commands of all queues, and releases the queues that the program has released. The
//! others stay, because static objects may still use and release them.
//!
//! The handler needs an event behind the last command of a queue, and that event has a fault of its own: if it is not
//! complete, the runtime does not survive that its out-of-order queue is still referenced, although it would without
//! the event. Such a queue is given up: the handler releases the program's reference.

use std::sync::atomic::{AtomicBool, Ordering};

use sycl_pi_host_process::{at_exit, closed_at_end};

use super::handles::Platform;
use super::held_queues::{is_inherited, retain_all};
use super::released_queues::{Kept, keep_no_more, release_all};
use super::serialize::is_serialized;
use super::thread_end::in_living_thread;

/// Registers the exit handler, when the devices of the driver are first listed. Handlers that are registered later run
/// earlier, while the driver still works. Those are the handlers of libsycl, which waits for host tasks, and of static
/// objects of the program.
pub(crate) fn prepare_end(platform: &Platform) {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    let is_registered = IS_REGISTERED.load(Ordering::Relaxed);
    if !is_registered && is_serialized(platform) && !IS_REGISTERED.swap(true, Ordering::Relaxed) {
        at_exit(end);
    }
}

extern "C" fn end() {
    // There is no caller to report an error to.
    if is_inherited() {
        let _ = in_living_thread(|| release_all(keep_no_more()));
        return;
    }
    closed_at_end(|| {
        let _ = in_living_thread(|| {
            let held = retain_all().into_iter().filter_map(Kept::held);
            release_all(keep_no_more().into_iter().chain(held).collect())
        });
    });
}
