//! The slot in a queue's handle for the capture that the queue participates in.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

/// The capture that a queue participates in, whose type depends on the backend. For other queues, a command costs the
/// load of one flag.
#[derive(Debug, Default)]
pub struct CaptureSlot {
    is_taken: AtomicBool,
    /// Whether the queue never accepts commands of the host, during a capture or otherwise.
    is_on_device: AtomicBool,
    capture: Mutex<Option<Arc<dyn Any + Send + Sync>>>,
}

impl CaptureSlot {
    /// Returns whether there may be a capture, which may have ended since.
    pub(crate) fn is_taken(&self) -> bool {
        self.is_taken.load(Ordering::Acquire)
    }

    /// Takes the slot of an on-device queue permanently.
    pub(crate) fn take_for_device(&self) {
        self.is_on_device.store(true, Ordering::Release);
        self.is_taken.store(true, Ordering::Release);
    }

    /// Returns whether this is an on-device queue.
    pub(crate) fn is_on_device(&self) -> bool {
        self.is_on_device.load(Ordering::Acquire)
    }

    /// Returns the capture, unless it has ended, which frees the slot.
    pub(crate) fn get<T: Any + Send + Sync>(&self, has_ended: impl FnOnce(&T) -> bool) -> Option<Arc<T>> {
        let mut slot = self.capture.lock();
        let capture = slot.clone()?.downcast::<T>().ok()?;
        if has_ended(&capture) {
            *slot = None;
            self.is_taken.store(false, Ordering::Release);
            // Dropping its content may call back.
            drop(slot);
            return None;
        }
        Some(capture)
    }

    /// Takes the slot, unless it is already taken.
    pub(crate) fn set(&self, capture: Arc<dyn Any + Send + Sync>) {
        self.capture.lock().get_or_insert(capture);
        self.is_taken.store(true, Ordering::Release);
    }
}
