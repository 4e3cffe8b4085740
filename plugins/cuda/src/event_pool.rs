//! The event pool of a CUDA context.

use std::sync::Arc;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::pooled_event::{EventRef, PooledEvent, is_unique};
use crate::sys::{CUcontext, DriverHandle};

/// Unused events that a pool keeps at most, of each kind.
const KEPT: usize = 1024;

/// Events that nobody uses, for use again.
pub(crate) struct EventPool {
    context: DriverHandle<CUcontext>,
    untimed: Mutex<Vec<Arc<PooledEvent>>>,
    timed: Mutex<Vec<Arc<PooledEvent>>>,
}

impl EventPool {
    pub(crate) fn new(context: DriverHandle<CUcontext>) -> Self {
        Self { context, untimed: Mutex::new(Vec::new()), timed: Mutex::new(Vec::new()) }
    }

    /// An event that is not recorded. The pool's context is current.
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

    /// Takes an event back from one of its owners. The last one's is used again.
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

    /// Takes a reference back. A stream's own events stay with the stream.
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
