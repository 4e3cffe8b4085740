//! Queues that the program holds, for code that needs them without a call that names them.

use sycl_pi_backend::New;

use super::handles::{Queue, opaque};
use super::owned::Owned;

/// Queues that this library has created, by their addresses, until their first release, because until then the
/// program's first reference exists. A queue that is retained and then released counts as gone, because interop code
/// may release the other reference.
///
/// A release of a queue first removes it from the list, under the list's lock. So a queue in a locked list is alive.
pub(super) struct QueueList(Vec<usize>);

impl QueueList {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a queue that the program gets.
    pub(super) fn add(&mut self, queue: &New<Queue>) {
        self.0.push(queue.handle().expose_provenance());
    }

    /// Removes a queue. Returns whether it was in the list.
    pub(super) fn remove(&mut self, queue: &Queue) -> bool {
        let address = queue.cl().addr();
        // Programs usually release their youngest queues first.
        let place = self.0.iter().rposition(|held| *held == address);
        place.map(|place| self.0.swap_remove(place)).is_some()
    }

    /// Returns the wanted queues, each with an additional reference.
    pub(super) fn retained(&self, is_wanted: impl Fn(&Queue) -> bool) -> Vec<Owned<Queue>> {
        let retained = |address: &usize| {
            let queue = opaque::<Queue>(std::ptr::with_exposed_provenance_mut(*address))?;
            is_wanted(queue).then(|| Owned::retain(queue).ok())?
        };
        self.0.iter().filter_map(retained).collect()
    }
}
