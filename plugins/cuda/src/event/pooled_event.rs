//! The driver's events, which are destroyed with their owner or reused by a pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering, fence};

use sycl_pi_backend::Result;

use crate::sys::{CUcontext, CUevent, DriverHandle, cuda, make_current};

/// Flags of events that measure time.
pub(crate) const TIMED: u32 = 0;
/// Flags of events that do not measure time, which are cheaper.
pub(crate) const UNTIMED: u32 = 2;

/// A driver event, destroyed with its owner.
pub(crate) struct DriverEvent {
    event: DriverHandle<CUevent>,
    context: DriverHandle<CUcontext>,
}

impl DriverEvent {
    /// Creates an event in the current context, which must be `context`.
    pub(crate) fn new(context: DriverHandle<CUcontext>, flags: u32) -> Result<Self> {
        let mut event = std::ptr::null_mut();
        cuda()?.cuEventCreate(&mut event, flags)?;
        Ok(Self { event: DriverHandle::new(event), context })
    }

    /// Wraps an event that the driver opened in `context`.
    pub(crate) fn opened(context: DriverHandle<CUcontext>, event: CUevent) -> Self {
        Self { event: DriverHandle::new(event), context }
    }

    #[inline]
    pub(crate) fn get(&self) -> CUevent {
        self.event.get()
    }

    pub(crate) fn addr(&self) -> usize {
        self.event.addr()
    }
}

impl Drop for DriverEvent {
    fn drop(&mut self) {
        // A lost context destroys its events, so an error is ignored.
        let _ = make_current(self.context).and_then(|_current| cuda()?.cuEventDestroy_v2(self.get()));
    }
}

/// An event at the end of a command. It is recorded when it is queried, or when the next command follows. Until then,
/// its command is the last one of its stream.
pub(crate) struct PooledEvent {
    /// Whether the driver can be queried. It is separate from `complete`, so that each is a plain store and neither
    /// undoes the other.
    recorded: AtomicBool,
    /// Whether it is known to be complete.
    complete: AtomicBool,
    /// Whether a caller's event refers to it by number. This is used only for a stream's own events.
    in_use: AtomicBool,
    pub(crate) end: DriverEvent,
    /// Recorded before the command, in profiling queues.
    pub(crate) start: Option<DriverEvent>,
}

impl PooledEvent {
    /// Creates an event in the current context, which must be `context`.
    pub(crate) fn new(context: DriverHandle<CUcontext>, timed: bool) -> Result<Self> {
        let start = if timed { Some(DriverEvent::new(context, TIMED)?) } else { None };
        let end = DriverEvent::new(context, if timed { TIMED } else { UNTIMED })?;
        let no = || AtomicBool::new(false);
        Ok(Self { recorded: no(), complete: no(), in_use: no(), end, start })
    }

    /// Returns whether it is neither recorded nor known to be complete.
    #[inline]
    pub(crate) fn is_unrecorded(&self) -> bool {
        !self.recorded.load(Ordering::Acquire) && !self.is_complete()
    }

    #[inline]
    pub(crate) fn is_complete(&self) -> bool {
        self.complete.load(Ordering::Acquire)
    }

    #[inline]
    pub(crate) fn set_complete(&self) {
        self.complete.store(true, Ordering::Release);
    }

    #[inline]
    pub(crate) fn set_recorded(&self) {
        self.recorded.store(true, Ordering::Release);
    }

    /// Records that a caller's event refers to it.
    #[inline]
    pub(crate) fn acquire(&self) {
        self.in_use.store(true, Ordering::Relaxed);
    }

    /// Records that the caller's event was destroyed.
    #[inline]
    pub(crate) fn release(&self) {
        self.in_use.store(false, Ordering::Release);
    }

    #[inline]
    pub(crate) fn is_in_use(&self) -> bool {
        self.in_use.load(Ordering::Acquire)
    }

    /// Resets it for the next command. The caller must be the only user.
    #[inline]
    pub(crate) fn reset(&self) {
        self.recorded.store(false, Ordering::Relaxed);
        self.complete.store(false, Ordering::Relaxed);
    }
}

/// Returns whether this is the last owner. If so, everything that the others did happens before this call returns.
#[inline]
pub(crate) fn is_unique(event: &Arc<PooledEvent>) -> bool {
    let unique = Arc::strong_count(event) == 1;
    if unique {
        fence(Ordering::Acquire);
    }
    unique
}

/// A reference to a pooled event.
#[derive(Default)]
pub(crate) enum EventRef {
    /// No event, or none any more.
    #[default]
    None,
    /// One of the stream's own events, by number. The stream reuses it when it is free.
    Numbered(u32),
    /// An event of the context's pool, by ownership. It is used for timed events, for barriers, and when a stream's own
    /// events are exhausted.
    Owned(Arc<PooledEvent>),
}
