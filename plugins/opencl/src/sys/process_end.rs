//! The end of a process in which Intel's CPU runtimes have queues.
//!
//! The runtime's own end survives neither a call of another thread nor a queue that is still held and whose command runs: it aborts or faults.
//! So an exit handler runs before it. The handler has other threads wait before their next call, waits for the commands of all queues, and
//! releases those queues that the program has released. The others stay: static objects may use and release them later.
//!
//! The event behind the last command, by which an end of all commands is known, is a fault of its own: if it is not complete, the runtime does not
//! survive that its out-of-order queue is held, though it would without the event. So such a queue is given up: the program's reference is
//! given back in its place.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::New;
use sycl_pi_host_process::{at_exit, closed_at_end, generation};

use super::handles::{Device, Queue, opaque};
use super::library::cl;
use super::owned::Owned;
use super::released_queues::{Kept, keep_no_more, release_all};
use super::serialize::is_serialized;
use super::thread_end::in_living_thread;

/// Queues by their addresses.
struct Queues {
    /// That this library has created, until their first release: the reference that the program got with them is there so long. A queue that is
    /// retained and released counts as gone, as interop code may give back the other reference.
    held: Vec<usize>,
    /// That the program holds and the end has released.
    given_up: Vec<usize>,
}

static QUEUES: Mutex<Queues> = Mutex::new(Queues { held: Vec::new(), given_up: Vec::new() });
/// The generation of the process in which the driver was found.
static OF_DRIVER: AtomicU32 = AtomicU32::new(0);

/// Registers the exit handler, before the first queue of the driver: handlers that are registered later run earlier, and may still leave queues.
pub(crate) fn prepare_end(device: &Device) {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    if is_serialized(device) && !IS_REGISTERED.swap(true, Ordering::Relaxed) {
        OF_DRIVER.store(generation(), Ordering::Relaxed);
        at_exit(end);
    }
}

/// Notes a queue that the program gets.
pub(crate) fn note_queue(device: &Device, queue: &New<Queue>) {
    if is_serialized(device) {
        QUEUES.lock().held.push(queue.handle().expose_provenance());
    }
}

/// Forgets a queue that the program releases. Whether the driver has its reference yet.
pub(super) fn forget_queue(queue: &Queue) -> bool {
    let mut queues = QUEUES.lock();
    let address = queue.cl().addr();
    // The youngest queues go first, as a rule.
    if let Some(place) = queues.held.iter().rposition(|held| *held == address) {
        queues.held.swap_remove(place);
    }
    let given_up = queues.given_up.iter().position(|given_up| *given_up == address);
    given_up.map(|place| queues.given_up.swap_remove(place)).is_none()
}

/// Gives the program's reference to a queue back, if it has not done so.
pub(super) fn give_up(queue: &Queue) {
    let mut queues = QUEUES.lock();
    let address = queue.cl().addr();
    if let Some(place) = queues.held.iter().position(|held| *held == address) {
        queues.held.swap_remove(place);
        queues.given_up.push(address);
        let _ = cl().clReleaseCommandQueue(queue.cl());
    }
}

/// Whether the driver is that of a parent: the threads are not there that would complete commands, and the driver's locks may be held.
pub(super) fn is_inherited() -> bool {
    generation() != OF_DRIVER.load(Ordering::Relaxed)
}

extern "C" fn end() {
    // No caller is left to hear of an error.
    if is_inherited() {
        let _ = in_living_thread(|| release_all(keep_no_more()));
        return;
    }
    closed_at_end(|| {
        let _ = in_living_thread(|| release_all(keep_no_more().into_iter().chain(held()).collect()));
    });
}

/// The queues that the program holds, with a reference more for as long as the end waits for them.
fn held() -> Vec<Kept> {
    let retained = |address: &usize| {
        let queue = opaque::<Queue>(std::ptr::with_exposed_provenance_mut(*address))?;
        Owned::retain(queue).ok()
    };
    // Under the lock, so that no other thread releases one meanwhile.
    let held: Vec<_> = QUEUES.lock().held.iter().filter_map(retained).collect();
    held.into_iter().filter_map(Kept::held).collect()
}
