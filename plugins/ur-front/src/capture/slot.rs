//! The place in a queue's handle for the capture that the queue takes part in.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

/// The capture that a queue takes part in, of a type that depends on the backend. Commands of other queues load one flag.
#[derive(Debug, Default)]
pub struct CaptureSlot {
    is_taken: AtomicBool,
    /// The queue takes no commands of the host, in a capture or outside of one.
    is_on_device: AtomicBool,
    capture: Mutex<Option<Arc<dyn Any + Send + Sync>>>,
}

impl CaptureSlot {
    /// Whether there may be a capture: one may have ended.
    pub(crate) fn is_taken(&self) -> bool {
        self.is_taken.load(Ordering::Acquire)
    }

    /// Takes the slot of a queue that kernels fill, for good.
    pub(crate) fn take_for_device(&self) {
        self.is_on_device.store(true, Ordering::Release);
        self.is_taken.store(true, Ordering::Release);
    }

    /// Whether kernels fill the queue.
    pub(crate) fn is_on_device(&self) -> bool {
        self.is_on_device.load(Ordering::Acquire)
    }

    /// The capture, unless it has ended, which frees the slot.
    pub(crate) fn get<T: Any + Send + Sync>(&self, has_ended: impl FnOnce(&T) -> bool) -> Option<Arc<T>> {
        let mut slot = self.capture.lock();
        let capture = slot.clone()?.downcast::<T>().ok()?;
        if has_ended(&capture) {
            *slot = None;
            self.is_taken.store(false, Ordering::Release);
            // What it holds may call back.
            drop(slot);
            return None;
        }
        Some(capture)
    }

    /// Takes the slot. One that is taken stays as it is.
    pub(crate) fn set(&self, capture: Arc<dyn Any + Send + Sync>) {
        self.capture.lock().get_or_insert(capture);
        self.is_taken.store(true, Ordering::Release);
    }
}
