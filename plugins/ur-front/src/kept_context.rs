//! Whose a context is that was made of a driver's context.

use std::sync::atomic::{AtomicU8, Ordering};

// 0: the handle's own for ever.
const KEPT_BY_CALLER: u8 = 1;
const GIVEN_BACK: u8 = 2;

/// Whose a context is that the handle stands for.
#[derive(Debug, Default)]
pub struct KeptContext(AtomicU8);

impl KeptContext {
    pub(crate) fn has_reference(&self) -> bool {
        self.0.load(Ordering::Acquire) != GIVEN_BACK
    }

    /// The caller keeps the driver's context.
    pub(crate) fn keep(&self) {
        self.0.store(KEPT_BY_CALLER, Ordering::Release);
    }

    /// Whether the reference goes back now; once.
    pub(crate) fn give_back(&self) -> bool {
        self.0.compare_exchange(KEPT_BY_CALLER, GIVEN_BACK, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Puts the reference where it was.
    pub(crate) fn take_again(&self) {
        self.0.store(KEPT_BY_CALLER, Ordering::Release);
    }
}
