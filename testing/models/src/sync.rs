//! loom's atomics under the names that `counted.rs` and `exclusive.rs` use.

use std::sync::OnceLock;

pub(crate) use loom::sync::atomic::{AtomicU32, AtomicUsize, Ordering, fence};

/// Lets another thread run.
pub(crate) fn pause(_: u32) {
    loom::thread::yield_now();
}

/// loom's flag, made when it is first used: `Blocks::new` is a constant function, loom's is not.
pub(crate) struct AtomicBool {
    first: bool,
    flag: OnceLock<loom::sync::atomic::AtomicBool>,
}

impl AtomicBool {
    pub(crate) const fn new(first: bool) -> Self {
        Self { first, flag: OnceLock::new() }
    }

    fn flag(&self) -> &loom::sync::atomic::AtomicBool {
        self.flag.get_or_init(|| loom::sync::atomic::AtomicBool::new(self.first))
    }

    pub(crate) fn swap(&self, value: bool, order: Ordering) -> bool {
        self.flag().swap(value, order)
    }

    pub(crate) fn store(&self, value: bool, order: Ordering) {
        self.flag().store(value, order);
    }
}
