//! The event pool of a CUDA context.

use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::event::pooled_event::{EventRef, PooledEvent, is_unique};
use crate::sys::{CUcontext, DriverHandle};

/// The maximum number of unused events of each kind that a pool keeps.
const KEPT: usize = 1024;

/// Unused events, kept for reuse.
pub(crate) struct EventPool {
    context: DriverHandle<CUcontext>,
    untimed: Mutex<Vec<Arc<PooledEvent>>>,
    timed: Mutex<Vec<Arc<PooledEvent>>>,
}

impl EventPool {
    pub(crate) fn new(context: DriverHandle<CUcontext>) -> Self {
        Self { context, untimed: Mutex::new(Vec::new()), timed: Mutex::new(Vec::new()) }
    }

    /// Returns an event that is not recorded and measures no time. The pool's context must be current.
    pub(crate) fn acquire_untimed(&self) -> Result<Arc<PooledEvent>> {
        self.acquire(false)
    }

    /// Returns an event that is not recorded and measures time. The pool's context must be current.
    pub(crate) fn acquire_timed(&self) -> Result<Arc<PooledEvent>> {
        self.acquire(true)
    }

    /// Returns an event that is not recorded. The pool's context must be current.
    #[inline]
    pub(crate) fn acquire(&self, timed: bool) -> Result<Arc<PooledEvent>> {
        let list = if timed { &self.timed } else { &self.untimed };
        let kept = list.lock().pop();
        match kept {
            Some(event) => {
                event.reset();
                Ok(event)
            }
            None => self.create(timed),
        }
    }

    #[cold]
    fn create(&self, timed: bool) -> Result<Arc<PooledEvent>> {
        Ok(Arc::new(PooledEvent::new(self.context, timed)?))
    }

    /// Takes back an event from one of its owners. When the last owner returns it, it can be reused.
    #[inline]
    pub(crate) fn release(&self, event: Arc<PooledEvent>) {
        if is_unique(&event) {
            let list = if event.start.is_some() { &self.timed } else { &self.untimed };
            let mut list = list.lock();
            if list.len() < KEPT {
                list.push(event);
            }
        }
    }

    /// Takes back a reference. A stream's own events stay with the stream.
    #[inline]
    pub(crate) fn release_ref(&self, event: EventRef) {
        if let EventRef::Owned(event) = event {
            self.release(event);
        }
    }

    /// Destroys the events.
    pub(crate) fn clear(&self) {
        self.untimed.lock().clear();
        self.timed.lock().clear();
    }
}
