//! Streams: where commands go, and the mark of the last one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::context::Place;
use crate::mark::{Mark, is_sole};
use crate::slots::{Held, Slots, Turn};
use crate::sys::{CUstream, Code, NOT_READY, Raw, SUCCESS, cuda, driver_error};

/// A stream of a queue.
pub(crate) struct Stream {
    pub(crate) raw: Raw<CUstream>,
    owned: bool,
    pub(crate) tail: Mutex<Tail>,
    /// Marks of its own.
    pub(crate) slots: Slots,
    /// Of the commands counted by `Tail::submitted`, those that were seen to be complete.
    finished: AtomicU64,
    /// Others may put commands into it too, so that the counts say little.
    exposed: AtomicBool,
}

/// The end of a stream.
pub(crate) struct Tail {
    /// The last command's mark, while it is not recorded.
    pub(crate) last: Held,
    /// Which mark of its own is the next.
    pub(crate) turn: Turn,
    /// Commands so far.
    pub(crate) submitted: u64,
    /// The last barrier of the queue that the stream waits for.
    pub(crate) barrier: u64,
}

impl Stream {
    /// A stream of the driver's.
    pub(crate) fn adopt(raw: Raw<CUstream>, owned: bool) -> Self {
        let tail = Tail { last: Held::Gone, turn: Turn::default(), submitted: 0, barrier: 0 };
        Self {
            raw,
            owned,
            tail: Mutex::new(tail),
            slots: Slots::new(),
            finished: AtomicU64::new(0),
            exposed: AtomicBool::new(!owned),
        }
    }

    /// A new stream in the current context.
    pub(crate) fn create(priority: i32) -> Result<Self> {
        const NON_BLOCKING: u32 = 1;
        let mut raw = std::ptr::null_mut();
        cuda()?.cuStreamCreateWithPriority(&mut raw, NON_BLOCKING, priority)?;
        Ok(Self::adopt(Raw::new(raw), true))
    }

    /// The driver's handle, for others.
    pub(crate) fn expose(&self) -> usize {
        self.exposed.store(true, Ordering::Release);
        self.raw.addr()
    }

    /// Whether all of the first `submitted` commands are known to be complete.
    fn is_known_done(&self, submitted: u64) -> bool {
        self.finished.load(Ordering::Acquire) >= submitted && !self.exposed.load(Ordering::Acquire)
    }

    /// Destroys the stream, once its commands are done. Its context is current.
    pub(crate) fn destroy(&mut self, place: &Place) {
        let tail = self.tail.get_mut();
        place.marks.give_back(tail.last.take());
        self.slots.clear(&place.marks);
        if self.owned {
            // A lost context takes its streams along.
            let _ = cuda().and_then(|cuda| {
                let waited = cuda.cuStreamSynchronize(self.raw.get());
                cuda.cuStreamDestroy_v2(self.raw.get())?;
                waited
            });
        }
    }

    /// Records the last command's mark, if somebody waits for it: another command follows. The context is current.
    #[inline(always)]
    pub(crate) fn settle(&self, tail: &mut Tail, place: &Place) -> Result<()> {
        let last = tail.last.take();
        let asked_for = match &last {
            Held::Gone => return Ok(()),
            Held::Slot(number) => self.slots.get(*number).filter(|mark| mark.is_held()),
            // With one owner left the event was released: nobody can ask any more.
            Held::Own(mark) => Some(mark).filter(|mark| !is_sole(mark)),
        };
        let result = match asked_for.filter(|mark| mark.is_pending()) {
            Some(mark) => self.mark(mark),
            None => Ok(()),
        };
        place.marks.give_back(last);
        result
    }

    /// Records a mark at the end of the stream, which is locked.
    #[inline(always)]
    fn mark(&self, mark: &Mark) -> Result<()> {
        cuda()?.cuEventRecord(mark.end.get(), self.raw.get())?;
        mark.set_recorded();
        Ok(())
    }

    /// Makes sure that the driver can be asked about `mark`, which is of this stream.
    pub(crate) fn record(&self, mark: &Mark, place: &Place) -> Result<()> {
        if mark.is_pending() {
            let mut tail = self.tail.lock();
            // A pending mark is its stream's last one.
            if mark.is_pending() {
                self.mark(mark)?;
                place.marks.give_back(tail.last.take());
            }
        }
        Ok(())
    }

    /// A recorded mark behind everything that is in the stream: the last command's own, if it is not recorded yet.
    pub(crate) fn point(&self, place: &Place) -> Result<Arc<Mark>> {
        let mut tail = self.tail.lock();
        let last = tail.last.take();
        let mark = match self.slots.of(&last).filter(|mark| mark.is_pending()) {
            Some(mark) => Ok(mark.clone()),
            None => place.marks.take(false),
        };
        place.marks.give_back(last);
        let mark = mark?;
        self.mark(&mark)?;
        Ok(mark)
    }

    /// Whether a mark that is pending is complete: then nothing is left in its stream. The context is current.
    pub(crate) fn has_reached(&self, mark: &Mark) -> Result<bool> {
        let done = is_done("cuStreamQuery", cuda()?.queries.stream(self.raw.get()))?;
        if done && mark.is_pending() {
            mark.set_done();
        }
        Ok(done)
    }

    /// Waits for everything in the stream. The context is current.
    pub(crate) fn finish(&self) -> Result<()> {
        let (submitted, last) = {
            let tail = self.tail.lock();
            (tail.submitted, self.slots.of(&tail.last).cloned())
        };
        if !self.is_known_done(submitted) {
            cuda()?.cuStreamSynchronize(self.raw.get())?;
            self.finished.fetch_max(submitted, Ordering::AcqRel);
            if let Some(mark) = last {
                mark.set_done();
            }
        }
        Ok(())
    }

    /// Whether nothing is pending. The context is current.
    pub(crate) fn is_empty(&self) -> Result<bool> {
        let submitted = self.tail.lock().submitted;
        if self.is_known_done(submitted) {
            return Ok(true);
        }
        let done = is_done("cuStreamQuery", cuda()?.queries.stream(self.raw.get()))?;
        if done {
            self.finished.fetch_max(submitted, Ordering::AcqRel);
        }
        Ok(done)
    }
}

/// The answer of a query as a truth value.
#[inline]
pub(crate) fn is_done(name: &'static str, code: Code) -> Result<bool> {
    match code {
        SUCCESS => Ok(true),
        NOT_READY => Ok(false),
        code => Err(driver_error(name, code)),
    }
}
