//! Streams, to which commands are submitted, and the event of the last command.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::types::QueueFlags;
use sycl_pi_backend::{Error, Result};
use sycl_pi_host_process::outside;

use crate::event::event_pool::EventPool;
use crate::event::pooled_event::{EventRef, PooledEvent, is_unique};
use crate::queue::stream_events::{RoundRobin, StreamEvents};
use crate::queue::stream_pool::destroy;
use crate::sys::{CUstream, Code, DriverHandle, NOT_READY, SUCCESS, cuda, driver_error};

/// A stream of a queue.
pub(crate) struct Stream {
    pub(crate) raw: DriverHandle<CUstream>,
    owned: bool,
    pub(crate) submissions: Mutex<Submissions>,
    /// The stream's own events.
    pub(crate) events: StreamEvents,
    /// The number of commands counted by `Submissions` that are known to be complete.
    completed: AtomicU64,
    /// Whether other code may submit to it too, which makes the counts unreliable.
    shared: AtomicBool,
}

/// The commands that were submitted to a stream.
pub(crate) struct Submissions {
    /// The last command's event, as long as it is not recorded.
    pub(crate) last_event: EventRef,
    /// Chooses the next command's event.
    pub(crate) round_robin: RoundRobin,
    /// The number of commands so far.
    pub(crate) count: u64,
    /// The last barrier of the queue that the stream waits for.
    pub(crate) barrier: u64,
}

impl Stream {
    /// Wraps a stream from the driver's handle.
    pub(crate) fn from_raw(raw: DriverHandle<CUstream>, owned: bool) -> Self {
        let submissions = Submissions {
            last_event: EventRef::None,
            round_robin: RoundRobin::default(),
            count: 0,
            barrier: 0,
        };
        Self {
            raw,
            owned,
            submissions: Mutex::new(submissions),
            events: StreamEvents::new(),
            completed: AtomicU64::new(0),
            shared: AtomicBool::new(!owned),
        }
    }

    /// Creates a stream in the current context, with the priority that is in a queue's flags.
    pub(crate) fn create(flags: QueueFlags) -> Result<Self> {
        const NON_BLOCKING: u32 = 1;
        let (cuda, mut raw, mut priority) = (cuda()?, std::ptr::null_mut(), 0);
        if !flags.is_empty() {
            let (mut least, mut greatest) = (0, 0);
            cuda.cuCtxGetStreamPriorityRange(&mut least, &mut greatest)?;
            priority = if flags.contains(QueueFlags::PRIORITY_HIGH) { greatest } else { least };
        }
        cuda.cuStreamCreateWithPriority(&mut raw, NON_BLOCKING, priority)?;
        Ok(Self::from_raw(DriverHandle::new(raw), true))
    }

    /// Returns the driver's handle for use by other code.
    pub(crate) fn share_handle(&self) -> usize {
        self.shared.store(true, Ordering::Release);
        self.raw.addr()
    }

    /// Returns whether the stream is known to be empty if it had `count` commands.
    fn is_known_complete(&self, count: u64) -> bool {
        self.has_completed(count) && !self.is_shared()
    }

    /// Returns whether other code may submit to it.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared.load(Ordering::Acquire)
    }

    /// Returns whether every command is known to be complete, without a call of the driver.
    pub(crate) fn is_known_empty(&self) -> bool {
        let count = self.submissions.lock().count;
        self.is_known_complete(count)
    }

    /// Waits for the stream's commands, and returns its handle if another queue can use it. The context must be
    /// current.
    ///
    /// A stream whose handle was given to other code is destroyed, because that code might still submit to it.
    pub(crate) fn finish(&mut self, pool: &EventPool) -> Option<DriverHandle<CUstream>> {
        let waited = if self.owned { self.synchronize() } else { Ok(()) };
        let submissions = self.submissions.get_mut();
        pool.release_ref(std::mem::take(&mut submissions.last_event));
        self.events.clear(pool);
        if !self.owned {
            return None;
        }
        if waited.is_ok() && !*self.shared.get_mut() {
            return Some(self.raw);
        }
        destroy(self.raw);
        None
    }

    /// Records the last command's event if a caller holds it, because another command follows. The context must be
    /// current.
    #[inline(always)]
    pub(crate) fn record_last_event(&self, submissions: &mut Submissions, pool: &EventPool) -> Result<()> {
        let last = std::mem::take(&mut submissions.last_event);
        let wanted = match &last {
            EventRef::None => return Ok(()),
            EventRef::Numbered(number) => self.events.get(*number).filter(|event| event.is_in_use()),
            // If there is only one owner left, the caller's event was destroyed and can no longer be queried.
            EventRef::Owned(event) => Some(event).filter(|event| !is_unique(event)),
        };
        let result = match wanted.filter(|event| event.is_unrecorded()) {
            Some(event) => self.record_now(event),
            None => Ok(()),
        };
        pool.release_ref(last);
        result
    }

    /// Records an event at the end of the stream, which must be locked.
    #[inline]
    pub(crate) fn record_now(&self, event: &PooledEvent) -> Result<()> {
        cuda()?.cuEventRecord(event.end.get(), self.raw.get())?;
        event.set_recorded();
        Ok(())
    }

    /// Keeps the event of a command that was just submitted as the stream's last one, because the driver could not
    /// record it. It is complete when the stream is.
    #[cold]
    pub(crate) fn keep_unrecorded(
        &self,
        submissions: &mut Submissions,
        event: &Arc<PooledEvent>,
        error: &Error,
    ) {
        log::warn!("a command's end cannot be recorded, so its event has no times: {}", error.text());
        submissions.last_event = EventRef::Owned(event.clone());
    }

    /// Ensures that the driver can be queried about an event of this stream.
    pub(crate) fn record(&self, event: &PooledEvent, pool: &EventPool) -> Result<()> {
        if event.is_unrecorded() {
            let mut submissions = self.submissions.lock();
            // An event that is not recorded is its stream's last one.
            if event.is_unrecorded() {
                self.record_now(event)?;
                pool.release_ref(std::mem::take(&mut submissions.last_event));
            }
        }
        Ok(())
    }

    /// Returns a recorded event after everything in the stream: the last command's own if it is not recorded yet.
    pub(crate) fn record_end(&self, pool: &EventPool) -> Result<Arc<PooledEvent>> {
        let mut submissions = self.submissions.lock();
        let last = std::mem::take(&mut submissions.last_event);
        let event = match self.events.resolve(&last).filter(|event| event.is_unrecorded()) {
            Some(event) => Ok(event.clone()),
            None => pool.acquire_untimed(),
        };
        pool.release_ref(last);
        let event = event?;
        self.record_now(&event)?;
        Ok(event)
    }

    /// Returns whether the stream's driver queue is empty. The context must be current.
    pub(crate) fn query(&self) -> Result<bool> {
        is_complete("cuStreamQuery", cuda()?.queries.cuStreamQuery(self.raw.get()))
    }

    /// Returns whether the first `count` commands are known to be complete.
    #[inline]
    pub(crate) fn has_completed(&self, count: u64) -> bool {
        self.completed.load(Ordering::Acquire) >= count
    }

    /// Records that the first `count` commands are complete.
    pub(crate) fn set_completed(&self, count: u64) {
        self.completed.fetch_max(count, Ordering::AcqRel);
    }

    /// Waits for everything in the stream. The context must be current.
    pub(crate) fn synchronize(&self) -> Result<()> {
        let (count, last_event) = {
            let submissions = self.submissions.lock();
            (submissions.count, self.events.resolve(&submissions.last_event).cloned())
        };
        if !self.is_known_complete(count) {
            outside(|| cuda()?.cuStreamSynchronize(self.raw.get()))?;
            self.set_completed(count);
            if let Some(event) = last_event {
                event.set_complete();
            }
        }
        Ok(())
    }

    /// Returns whether every command is complete. The context must be current.
    pub(crate) fn is_empty(&self) -> Result<bool> {
        let count = self.submissions.lock().count;
        if self.is_known_complete(count) {
            return Ok(true);
        }
        let complete = self.query()?;
        if complete {
            self.set_completed(count);
        }
        Ok(complete)
    }
}

/// Converts the result of the query `name` to a boolean.
#[inline]
pub(crate) fn is_complete(name: &'static str, code: Code) -> Result<bool> {
    match code {
        SUCCESS => Ok(true),
        NOT_READY => Ok(false),
        code => Err(driver_error(name, code)),
    }
}
