//! Marks: the driver's events, recycled, and what is known of the point in a stream that each one stands for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering, fence};

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::slots::Held;
use crate::sys::{CUcontext, CUevent, Raw, cuda, make_current};

/// Flags of events that measure time.
pub(crate) const TIMED: u32 = 0;
/// Flags of events that do not: cheaper.
pub(crate) const UNTIMED: u32 = 2;

/// Marks that a pool keeps at most.
const KEPT: usize = 1024;

/// A driver's event that goes with its owner.
pub(crate) struct RawEvent {
    event: Raw<CUevent>,
    context: Raw<CUcontext>,
}

impl RawEvent {
    /// A new one in the current context, which is `context`.
    pub(crate) fn new(context: Raw<CUcontext>, flags: u32) -> Result<Self> {
        let mut event = std::ptr::null_mut();
        cuda()?.cuEventCreate(&mut event, flags)?;
        Ok(Self { event: Raw::new(event), context })
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> CUevent {
        self.event.get()
    }

    pub(crate) fn addr(&self) -> usize {
        self.event.addr()
    }
}

impl Drop for RawEvent {
    fn drop(&mut self) {
        // A lost context takes its events along; there is nobody to tell.
        let _ = make_current(self.context).and_then(|_current| cuda()?.cuEventDestroy_v2(self.get()));
    }
}

/// A point in a stream. Pending while it is neither recorded nor done: its command is then the last one of its stream.
pub(crate) struct Mark {
    /// The driver can be asked. Beside `done`, so that each is a plain store, and none undoes the other.
    recorded: AtomicBool,
    /// Seen to be complete.
    done: AtomicBool,
    /// A stream's own mark is in the hands of an event, which names it by number instead of counting itself as an owner.
    held: AtomicBool,
    pub(crate) end: RawEvent,
    /// Recorded before the command, where times are wanted.
    pub(crate) start: Option<RawEvent>,
}

impl Mark {
    #[inline(always)]
    pub(crate) fn is_pending(&self) -> bool {
        !self.recorded.load(Ordering::Acquire) && !self.is_done()
    }

    #[inline(always)]
    pub(crate) fn is_done(&self) -> bool {
        self.done.load(Ordering::Acquire)
    }

    #[inline(always)]
    pub(crate) fn set_done(&self) {
        self.done.store(true, Ordering::Release);
    }

    #[inline(always)]
    pub(crate) fn set_recorded(&self) {
        self.recorded.store(true, Ordering::Release);
    }

    /// An event stands for it from now on.
    #[inline(always)]
    pub(crate) fn hold(&self) {
        self.held.store(true, Ordering::Relaxed);
    }

    /// Its event is gone.
    #[inline(always)]
    pub(crate) fn let_go(&self) {
        self.held.store(false, Ordering::Release);
    }

    #[inline(always)]
    pub(crate) fn is_held(&self) -> bool {
        self.held.load(Ordering::Acquire)
    }

    /// Pending again. Nobody else has it.
    #[inline(always)]
    pub(crate) fn renew(&self) {
        self.recorded.store(false, Ordering::Relaxed);
        self.done.store(false, Ordering::Relaxed);
    }
}

/// Whether nobody else has the mark any more: what its event did is over.
#[inline(always)]
pub(crate) fn is_sole(mark: &Arc<Mark>) -> bool {
    let sole = Arc::strong_count(mark) == 1;
    if sole {
        fence(Ordering::Acquire);
    }
    sole
}

/// Marks that nobody uses, for use again.
pub(crate) struct Marks {
    context: Raw<CUcontext>,
    plain: Mutex<Vec<Arc<Mark>>>,
    timed: Mutex<Vec<Arc<Mark>>>,
}

impl Marks {
    pub(crate) fn new(context: Raw<CUcontext>) -> Self {
        Self { context, plain: Mutex::new(Vec::new()), timed: Mutex::new(Vec::new()) }
    }

    /// A mark that is pending. The pool's context is current.
    #[inline(always)]
    pub(crate) fn take(&self, timed: bool) -> Result<Arc<Mark>> {
        let list = if timed { &self.timed } else { &self.plain };
        let kept = list.lock().pop();
        match kept {
            Some(mark) => {
                mark.renew();
                Ok(mark)
            }
            None => self.make(timed),
        }
    }

    #[cold]
    fn make(&self, timed: bool) -> Result<Arc<Mark>> {
        let start = if timed { Some(RawEvent::new(self.context, TIMED)?) } else { None };
        let end = RawEvent::new(self.context, if timed { TIMED } else { UNTIMED })?;
        let no = || AtomicBool::new(false);
        Ok(Arc::new(Mark { recorded: no(), done: no(), held: no(), end, start }))
    }

    /// Takes a mark back from whoever had it in that way.
    #[inline(always)]
    pub(crate) fn give_back(&self, held: Held) {
        if let Held::Own(mark) = held {
            self.give(mark);
        }
    }

    /// Takes a mark back, if this is its last owner.
    #[inline(always)]
    pub(crate) fn give(&self, mark: Arc<Mark>) {
        if is_sole(&mark) {
            let list = if mark.start.is_some() { &self.timed } else { &self.plain };
            let mut list = list.lock();
            if list.len() < KEPT {
                list.push(mark);
            }
        }
    }

    /// Lets all of them go.
    pub(crate) fn clear(&self) {
        self.plain.lock().clear();
        self.timed.lock().clear();
    }
}
