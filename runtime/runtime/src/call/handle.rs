//! Handles as values that any thread may hold.

use std::sync::atomic::{AtomicU64, Ordering};

/// A handle of a plugin.
pub(super) struct Handle<T>(*mut T);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

impl<T> Handle<T> {
    pub(super) fn new(handle: *mut T) -> Self {
        Self(handle)
    }

    pub(super) fn get(self) -> *mut T {
        self.0
    }
}

// SAFETY: a handle is a name that only the plugin looks behind, and PI's functions may be called from any thread; the one
// that is not free of state, setting a kernel's arguments, is under that kernel's lock.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Handle<T> {}

/// A number that no other object of this process has.
pub(crate) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
