//! loom's atomics and lock under the names that `counted.rs` uses.

use std::sync::OnceLock;

pub(crate) use loom::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// loom's lock, created on first use, because `Blocks::new` is a constant function and loom's is not.
pub(crate) struct Mutex<T>(OnceLock<loom::sync::Mutex<T>>);

impl<T: Default> Mutex<T> {
    pub(crate) const fn new(empty: T) -> Self {
        std::mem::forget(empty);
        Self(OnceLock::new())
    }

    pub(crate) fn lock(&self) -> loom::sync::MutexGuard<'_, T> {
        self.0.get_or_init(Default::default).lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
