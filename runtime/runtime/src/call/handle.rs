//! Handles that any thread may hold.

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

// SAFETY: only the plugin dereferences a handle, and PI's functions may be called from any thread. The one stateful
// operation, setting a kernel's arguments, is protected by that kernel's lock.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: the same as for `Send`.
unsafe impl<T> Sync for Handle<T> {}

/// Returns a number that is unique in this process.
pub(crate) fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
