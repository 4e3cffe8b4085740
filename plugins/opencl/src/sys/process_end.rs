//! The end of a process in which Intel's CPU runtimes have queues.
//!
//! The runtime's own end survives neither a call of another thread nor a queue that is still held and whose command runs: it aborts or faults.
//! So an exit handler runs before it. The handler has other threads wait before their next call, waits for the commands of all queues, and
//! releases those queues that the program has released. The others stay: static objects may use and release them later.
//!
//! The event behind the last command, by which an end of all commands is known, is a fault of its own: if it is not complete, the runtime does not
//! survive that its out-of-order queue is held, though it would without the event. So such a queue is given up: the program's reference is
//! given back in its place.

use std::sync::atomic::{AtomicBool, Ordering};

use sycl_pi_host_process::{at_exit, closed_at_end};

use super::handles::Device;
use super::held_queues::{is_inherited, note_process, retain_all};
use super::released_queues::{Kept, keep_no_more, release_all};
use super::serialize::is_serialized;
use super::thread_end::in_living_thread;

/// Registers the exit handler, before the first queue of the driver: handlers that are registered later run earlier, and may still leave queues.
pub(crate) fn prepare_end(device: &Device) {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    if is_serialized(device) && !IS_REGISTERED.swap(true, Ordering::Relaxed) {
        note_process();
        at_exit(end);
    }
}

extern "C" fn end() {
    // No caller is left to hear of an error.
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
