//! Releases after the end of a thread's own objects, into Intel's CPU runtime.
//!
//! The runtime runs tasks of TBB in the thread that ends a queue. TBB's libtcm keeps a list for each thread, and writes into it also after
//! the thread's destructors have freed it. Exit handlers run after the main thread's destructors, and libsycl releases what is left
//! in one: events, of which the last one ends its queue. The heap is damaged then ("corrupted double-linked list"; 2026.0.0 with
//! Open3D 0.20). So such a release is left out. The driver ends its queues by itself, behind all exit handlers.

use super::driver::HasPlatform;
use super::serialize::is_serialized;

struct OwnObject;

impl Drop for OwnObject {
    fn drop(&mut self) {
        // A thread-local without a destructor would never be gone.
    }
}

thread_local! {
    static OWN_OBJECT: OwnObject = const { OwnObject };
}

/// Notes that the calling thread uses the driver, which then has objects of its own for it. Whether these are gone is known by ours.
#[inline]
pub(crate) fn note_thread() -> bool {
    OWN_OBJECT.try_with(|_| ()).is_ok()
}

/// Whether the release of an event or a queue has to be left out.
#[inline]
pub(super) fn is_left_to_driver(object: &impl HasPlatform) -> bool {
    !note_thread() && is_serialized(object)
}
