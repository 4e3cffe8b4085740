//! The queues of Intel's CPU runtimes that the program holds, for the [exit of the process](super::process_end).

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::New;
use sycl_pi_host_process::generation;

use super::handles::{Device, Queue};
use super::library::cl;
use super::owned::Owned;
use super::queue_list::QueueList;
use super::serialize::is_serialized;

struct Queues {
    held: QueueList,
    /// The addresses of queues that the program still holds but that the exit handler has released.
    given_up: Vec<usize>,
}

static QUEUES: Mutex<Queues> = Mutex::new(Queues { held: QueueList::new(), given_up: Vec::new() });
/// The generation of the process that created the first queue.
static OF_DRIVER: AtomicU32 = AtomicU32::new(0);

/// Records, before the first queue is created, that the driver belongs to this process, and not to a parent.
pub(crate) fn note_process() {
    static IS_NOTED: AtomicBool = AtomicBool::new(false);
    if !IS_NOTED.swap(true, Ordering::Relaxed) {
        OF_DRIVER.store(generation(), Ordering::Relaxed);
    }
}

/// Returns whether the driver is that of a parent process. Then the threads that would complete commands do not exist,
/// and the driver's locks may be held.
pub(super) fn is_inherited() -> bool {
    generation() != OF_DRIVER.load(Ordering::Relaxed)
}

/// Records a queue that the program gets.
pub(crate) fn note_queue(device: &Device, queue: &New<Queue>) {
    if is_serialized(device) {
        QUEUES.lock().held.add(queue);
    }
}

/// Forgets a queue that the program releases. Returns whether that reference must still be released.
pub(super) fn forget_queue(queue: &Queue) -> bool {
    let mut queues = QUEUES.lock();
    queues.held.remove(queue);
    let address = queue.cl().addr();
    let given_up = queues.given_up.iter().position(|given_up| *given_up == address);
    given_up.map(|place| queues.given_up.swap_remove(place)).is_none()
}

/// Releases the program's reference to a queue, unless the program has done so.
pub(super) fn give_up(queue: &Queue) {
    let mut queues = QUEUES.lock();
    if queues.held.remove(queue) {
        queues.given_up.push(queue.cl().addr());
        let _ = cl().clReleaseCommandQueue(queue.cl());
    }
}

/// Returns the queues that the program holds, each with an additional reference.
pub(super) fn retain_all() -> Vec<Owned<Queue>> {
    QUEUES.lock().held.retained(|_| true)
}
