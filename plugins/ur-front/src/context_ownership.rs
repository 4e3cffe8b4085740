//! Ownership of a context that was created from a driver's context.

use std::sync::atomic::{AtomicU8, Ordering};

// 0: owned by the handle for its whole lifetime.
const KEPT_BY_CALLER: u8 = 1;
const GIVEN_BACK: u8 = 2;

/// The ownership of the context behind a handle.
#[derive(Debug, Default)]
pub struct ContextOwnership(AtomicU8);

impl ContextOwnership {
    pub(crate) fn has_reference(&self) -> bool {
        self.0.load(Ordering::Acquire) != GIVEN_BACK
    }

    /// Records that the caller keeps the driver's context.
    pub(crate) fn keep(&self) {
        self.0.store(KEPT_BY_CALLER, Ordering::Release);
    }

    /// Returns whether the reference must be released now, which is true only once.
    pub(crate) fn give_back(&self) -> bool {
        self.0.compare_exchange(KEPT_BY_CALLER, GIVEN_BACK, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Records that the handle holds a reference again.
    pub(crate) fn take_again(&self) {
        self.0.store(KEPT_BY_CALLER, Ordering::Release);
    }
}
