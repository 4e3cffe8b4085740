//! Events.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Result, Shared};

use super::context::{Context, ContextHandle};
use super::device::{clock_mask, host_nanoseconds};
use super::queue::{Queue, QueueHandle};
use crate::driver::{EventKind, EventRef, PooledEvent};

/// A command as callers see it, or an event that the host completes.
pub struct Event {
    /// Absent for an event that was complete from the start, until a caller asks for its native handle.
    driver_event: OnceLock<EventRef>,
    pub(crate) context: Shared<Context>,
    pub(crate) queue: Option<Shared<Queue>>,
    pub(crate) command: CommandType,
    /// Host time at which the command was put into a profiling queue.
    submitted: u64,
    /// Submission, start and end, once a caller asked for them.
    times: OnceLock<(u64, u64, u64)>,
    /// For host events: open or set.
    host: AtomicU8,
    /// Negative once a host event was failed.
    failure: AtomicI32,
}

pub(crate) type EventHandle = Counted<Event>;

kind!(Event, "event", RawEvent, INVALID_EVENT);

const NO_HOST_EVENT: u8 = 0;
const OPEN: u8 = 1;
const SET: u8 = 2;

impl Event {
    fn new(context: &ContextHandle, driver_event: OnceLock<EventRef>, host: u8) -> Self {
        Self {
            driver_event,
            context: context.share(),
            queue: None,
            command: CommandType::USER,
            submitted: 0,
            times: OnceLock::new(),
            host: AtomicU8::new(host),
            failure: AtomicI32::new(0),
        }
    }

    /// An event that is complete.
    pub(crate) fn complete(context: &ContextHandle) -> Self {
        Self::new(context, OnceLock::new(), NO_HOST_EVENT)
    }

    /// An event that the host completes.
    pub(crate) fn host(context: &ContextHandle) -> Result<Self> {
        let driver_event = PooledEvent::take(&context.events, EventKind::HostVisible, true)?;
        Ok(Self::new(context, OnceLock::from(driver_event), OPEN))
    }

    /// An event over the driver's one.
    pub(crate) fn adopt(context: &ContextHandle, driver_event: EventRef) -> Self {
        Self::new(context, OnceLock::from(driver_event), NO_HOST_EVENT)
    }

    /// The event of a command.
    #[inline]
    pub(crate) fn of_command(queue: &QueueHandle, command: CommandType, driver_event: EventRef) -> Self {
        let submitted = if queue.commands.is_profiling() { host_nanoseconds() } else { 0 };
        Self {
            driver_event: OnceLock::from(driver_event),
            context: queue.context.clone(),
            queue: Some(queue.share()),
            command,
            submitted,
            times: OnceLock::new(),
            host: AtomicU8::new(NO_HOST_EVENT),
            failure: AtomicI32::new(0),
        }
    }

    /// What a command that waits for this event has to wait for; none where it is known to be complete.
    #[inline]
    pub(crate) fn pending(&self) -> Result<Option<EventRef>> {
        if self.failure.load(Ordering::Acquire) < 0 {
            return Err(wait_list_failed());
        }
        Ok(self.driver_event.get().filter(|signal| !signal.is_known_complete()).cloned())
    }

    /// Whether it is complete; asks the driver.
    pub(crate) fn is_complete(&self) -> Result<bool> {
        self.driver_event.get().map_or(Ok(true), |signal| signal.is_complete())
    }

    /// Returns when it is complete, or false after that many nanoseconds.
    pub(crate) fn wait_for(&self, nanoseconds: u64) -> Result<bool> {
        self.driver_event.get().map_or(Ok(true), |signal| signal.wait_for(nanoseconds))
    }

    /// Returns when it is complete, whether it succeeded or failed.
    pub(crate) fn wait(&self) -> Result<()> {
        self.driver_event.get().map_or(Ok(()), |event| event.wait())
    }

    /// Whether it is a host event that was failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.load(Ordering::Acquire) < 0
    }

    /// Completes or fails a host event.
    pub(crate) fn set(&self, status: EventStatus) -> Result<()> {
        let wrong = |text: &'static str| Err(Error::new(ErrorCode::INVALID_OPERATION, text));
        match self.host.load(Ordering::Acquire) {
            NO_HOST_EVENT
                if self.queue.is_none() && self.is_complete()? && status == EventStatus::COMPLETE =>
            {
                return Ok(());
            }
            NO_HOST_EVENT => return wrong("only host events have a status to set"),
            _ => {}
        }
        if self.host.compare_exchange(OPEN, SET, Ordering::AcqRel, Ordering::Acquire).is_err() {
            return wrong("the host event's status is set already");
        }
        if status < EventStatus::COMPLETE {
            self.failure.store(status.0, Ordering::Release);
        }
        // What waits on the device goes on also after a failure: it cannot be called back.
        match self.driver_event.get() {
            Some(event) => event.signal(),
            None => Ok(()),
        }
    }

    /// Its status: a failed host event has the negative number that it was set to.
    pub(crate) fn status(&self) -> Result<EventStatus> {
        let failure = self.failure.load(Ordering::Acquire);
        if failure < 0 {
            return Ok(EventStatus(failure));
        }
        Ok(if self.is_complete()? { EventStatus::COMPLETE } else { EventStatus::SUBMITTED })
    }

    /// The driver's event, made and signalled now for an event that needed none so far.
    pub(crate) fn native(&self) -> Result<&EventRef> {
        if let Some(signal) = self.driver_event.get() {
            return Ok(signal);
        }
        let signal = PooledEvent::take(&self.context.events, EventKind::HostVisible, false)?;
        signal.signal()?;
        Ok(self.driver_event.get_or_init(|| signal))
    }

    /// Submission, start and end in nanoseconds of the device's clock.
    pub(crate) fn times(&self) -> Result<(u64, u64, u64)> {
        let missing = |why: &'static str| Error::new(ErrorCode::PROFILING_INFO_NOT_AVAILABLE, why);
        let (Some(signal), Some(queue)) = (self.driver_event.get(), &self.queue) else {
            return Err(missing("event: only commands have times"));
        };
        if !signal.has_times() {
            return Err(missing("event: the queue was made without QueueFlags::PROFILING_ENABLE"));
        }
        if !signal.is_complete()? {
            return Err(missing("event: the command is not complete yet"));
        }
        if let Some(known) = self.times.get() {
            return Ok(*known);
        }
        let device = &queue.device;
        let mask = clock_mask(device.properties.kernelTimestampValidBits);
        let (start, end) = signal.times()?;
        let (start, end) = (start & mask, end & mask);
        // The clock may pass its last number while the command runs.
        let end = if end < start { end.wrapping_add(mask).wrapping_add(1) } else { end };
        let (start, end) =
            (device.nanoseconds(start), device.nanoseconds(end).max(device.nanoseconds(start)));
        // When it was submitted, on the device's clock: as long ago as on the host's.
        let submitted = device.clocks().ok().map(|(_, now)| {
            let ago = host_nanoseconds().saturating_sub(self.submitted);
            device.nanoseconds(now & mask).saturating_sub(ago)
        });
        Ok(*self.times.get_or_init(|| (submitted.unwrap_or(start).min(start), start, end)))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // No caller can set it any more, and commands that wait for it must not wait for ever.
        if *self.host.get_mut() == OPEN
            && let Some(signal) = self.driver_event.get()
            && let Err(error) = signal.signal()
        {
            log::warn!("a host event that was never set: {error}");
        }
    }
}

#[cold]
pub(crate) fn wait_list_failed() -> Error {
    Error::new(ErrorCode::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "an event to wait for has failed")
}
