//! A lock that a forked child finds free.

use parking_lot::RwLock;
use sycl_pi_host_process::inside;

/// A value behind a lock. A fork in another thread waits until the lock is free, so the child finds it free and the
/// value consistent. `work` must therefore be short, and must not access the same lock.
#[derive(Debug, Default)]
pub(super) struct ForkSafe<T>(RwLock<T>);

impl<T> ForkSafe<T> {
    /// Calls `work` with the value. Returns the default in a child whose fork waited in vain: the lock may be taken
    /// forever.
    pub(super) fn read<R: Default>(&self, work: impl FnOnce(&T) -> R) -> R {
        inside(|| work(&self.0.read()), R::default)
    }

    /// Works like [`read`](Self::read), with exclusive access.
    pub(super) fn write<R: Default>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        inside(|| work(&mut self.0.write()), R::default)
    }
}
