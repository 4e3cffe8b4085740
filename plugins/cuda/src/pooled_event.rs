//! The driver's events: those that go with their owner, and those that a pool uses again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering, fence};

use sycl_pi_backend::Result;

use crate::sys::{CUcontext, CUevent, DriverHandle, cuda, make_current};

/// Flags of events that measure time.
pub(crate) const TIMED: u32 = 0;
/// Flags of events that do not, which are cheaper.
pub(crate) const UNTIMED: u32 = 2;

/// A driver's event, destroyed with its owner.
pub(crate) struct DriverEvent {
    event: DriverHandle<CUevent>,
    context: DriverHandle<CUcontext>,
}

impl DriverEvent {
    /// A new event in the current context, which is `context`.
    pub(crate) fn new(context: DriverHandle<CUcontext>, flags: u32) -> Result<Self> {
        let mut event = std::ptr::null_mut();
        cuda()?.cuEventCreate(&mut event, flags)?;
        Ok(Self { event: DriverHandle::new(event), context })
    }

    /// An event that the driver opened in `context`.
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
        // A lost context takes its events along, so an error says nothing.
        let _ = make_current(self.context).and_then(|_current| cuda()?.cuEventDestroy_v2(self.get()));
    }
}

/// An event at the end of a command. It is recorded when somebody asks for it, or when the next command follows. Until then its
/// command is the last one of its stream.
pub(crate) struct PooledEvent {
    /// The driver can be asked. Apart from `complete`, so that each is a plain store and none undoes the other.
    recorded: AtomicBool,
    /// Seen to be complete.
    complete: AtomicBool,
    /// A caller's event names it by number. Only a stream's own events are named so.
    in_use: AtomicBool,
    pub(crate) end: DriverEvent,
    /// Recorded before the command, in queues that profile.
    pub(crate) start: Option<DriverEvent>,
}

impl PooledEvent {
    /// A new event in the current context, which is `context`.
    pub(crate) fn new(context: DriverHandle<CUcontext>, timed: bool) -> Result<Self> {
        let start = if timed { Some(DriverEvent::new(context, TIMED)?) } else { None };
        let end = DriverEvent::new(context, if timed { TIMED } else { UNTIMED })?;
        let no = || AtomicBool::new(false);
        Ok(Self { recorded: no(), complete: no(), in_use: no(), end, start })
    }

    /// Neither recorded nor known to be complete.
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

    /// A caller's event names it from now on.
    #[inline]
    pub(crate) fn acquire(&self) {
        self.in_use.store(true, Ordering::Relaxed);
    }

    /// The caller's event is gone.
    #[inline]
    pub(crate) fn release(&self) {
        self.in_use.store(false, Ordering::Release);
    }

    #[inline]
    pub(crate) fn is_in_use(&self) -> bool {
        self.in_use.load(Ordering::Acquire)
    }

    /// For the next command. The caller is the only user.
    #[inline]
    pub(crate) fn reset(&self) {
        self.recorded.store(false, Ordering::Relaxed);
        self.complete.store(false, Ordering::Relaxed);
    }
}

/// Whether this is the last owner. Then everything that the others did has happened before.
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
    /// No event, or no more.
    #[default]
    None,
    /// One of the stream's own events, by number. The stream uses it again when it is free.
    Numbered(u32),
    /// An event of the context's pool, by ownership: with times, of barriers, or beyond a stream's own.
    Owned(Arc<PooledEvent>),
}
