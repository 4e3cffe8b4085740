//! A stream's own events, which its commands refer to by number.
//!
//! Every command with an event acquires and releases one. Shared ownership would cost two atomic additions for that,
//! and the pool's lock four, whereas a number costs plain stores. A caller's event keeps its queue alive, and the queue
//! keeps its streams and their events alive.

use std::sync::{Arc, OnceLock};

use sycl_pi_backend::Result;

use crate::event::event_pool::EventPool;
use crate::event::pooled_event::{EventRef, PooledEvent, is_unique};

/// The maximum number of a stream's own events. If callers hold more, the rest come from the context's pool.
const COUNT: usize = 128;

/// The events. They are read without a lock.
pub(crate) struct StreamEvents {
    events: Box<[OnceLock<Arc<PooledEvent>>]>,
}

impl StreamEvents {
    pub(crate) fn new() -> Self {
        Self { events: (0..COUNT).map(|_| OnceLock::new()).collect() }
    }

    /// Returns the event with the given number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&Arc<PooledEvent>> {
        self.events.get(number as usize)?.get()
    }

    /// Returns the event of a reference.
    #[inline]
    pub(crate) fn resolve<'a>(&'a self, event: &'a EventRef) -> Option<&'a Arc<PooledEvent>> {
        match event {
            EventRef::Numbered(number) => self.get(*number),
            EventRef::Owned(event) => Some(event),
            EventRef::None => None,
        }
    }

    /// Returns a second reference to an event, for a caller's event. From then on, the event is in use.
    #[inline]
    pub(crate) fn acquire(&self, event: &EventRef) -> EventRef {
        match event {
            EventRef::Numbered(number) => {
                if let Some(event) = self.get(*number) {
                    event.acquire();
                }
                EventRef::Numbered(*number)
            }
            EventRef::Owned(event) => EventRef::Owned(event.clone()),
            EventRef::None => EventRef::None,
        }
    }

    /// Returns all events to the pool.
    pub(crate) fn clear(&mut self, pool: &EventPool) {
        self.events.iter_mut().filter_map(OnceLock::take).for_each(|event| pool.release(event));
    }
}

/// Chooses the next of a stream's own events in round-robin order: the one acquired longest ago is tried first. It is
/// protected by the stream's lock.
#[derive(Default)]
pub(crate) struct RoundRobin {
    next: u32,
    /// The number of events created so far.
    created: u32,
}

impl RoundRobin {
    /// Returns an event that is not recorded. The stream's last command must not have an event yet, and the pool's
    /// context must be current.
    #[inline(always)]
    pub(crate) fn acquire(&mut self, events: &StreamEvents, pool: &EventPool) -> Result<EventRef> {
        // If the one acquired longest ago is still in use, the next one may be free.
        for _ in 0..2 {
            let number = if self.next < self.created { self.next } else { 0 };
            self.next = number + 1;
            if let Some(event) = events.get(number).filter(|event| !event.is_in_use() && is_unique(event)) {
                event.reset();
                return Ok(EventRef::Numbered(number));
            }
        }
        self.create(events, pool)
    }

    #[cold]
    fn create(&mut self, events: &StreamEvents, pool: &EventPool) -> Result<EventRef> {
        let event = pool.acquire_untimed()?;
        match events.events.get(self.created as usize) {
            None => Ok(EventRef::Owned(event)),
            Some(slot) => {
                let number = self.created;
                self.created += 1;
                // No other thread creates events, because the stream is locked.
                let _ = slot.set(event);
                Ok(EventRef::Numbered(number))
            }
        }
    }
}
