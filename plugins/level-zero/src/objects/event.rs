//! Events.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

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
    /// Of an event that the host completes.
    host: Option<HostCompletion>,
}

pub(crate) type EventHandle = Counted<Event>;

sycl_pi_backend::counted_kinds!(Event: RawEvent, INVALID_EVENT, "event";);

/// Whether and how the host has completed an event.
#[derive(Default)]
struct HostCompletion {
    is_set: AtomicBool,
    /// Negative once the event has failed.
    failure: AtomicI32,
}

impl Event {
    fn new(context: &ContextHandle, driver_event: OnceLock<EventRef>, host: Option<HostCompletion>) -> Self {
        let (queue, command, times) = (None, CommandType::USER, OnceLock::new());
        Self { driver_event, context: context.share(), queue, command, submitted: 0, times, host }
    }

    /// An event that is complete.
    pub(crate) fn complete(context: &ContextHandle) -> Self {
        Self::new(context, OnceLock::new(), None)
    }

    /// An event that the host completes.
    pub(crate) fn host(context: &ContextHandle) -> Result<Self> {
        let driver_event = PooledEvent::take(&context.events, EventKind::HostVisible, true)?;
        Ok(Self::new(context, OnceLock::from(driver_event), Some(HostCompletion::default())))
    }

    /// An event over the driver's one.
    pub(crate) fn adopt(context: &ContextHandle, driver_event: EventRef) -> Self {
        Self::new(context, OnceLock::from(driver_event), None)
    }

    /// The event of a command.
    pub(crate) fn of_command(queue: &QueueHandle, command: CommandType, driver_event: EventRef) -> Self {
        let submitted = if driver_event.has_times() { host_nanoseconds() } else { 0 };
        Self {
            driver_event: OnceLock::from(driver_event),
            context: queue.context.clone(),
            queue: Some(queue.share()),
            command,
            submitted,
            times: OnceLock::new(),
            host: None,
        }
    }

    /// What a command that waits for this event has to wait for; none where it is known to be complete.
    pub(crate) fn pending(&self) -> Result<Option<EventRef>> {
        if self.failure().is_some() {
            return Err(wait_list_failed());
        }
        Ok(self.driver_event.get().filter(|event| !event.is_known_complete()).cloned())
    }

    /// Whether it is complete; asks the driver.
    pub(crate) fn is_complete(&self) -> Result<bool> {
        self.driver_event.get().map_or(Ok(true), |event| event.is_complete())
    }

    /// Returns when it is complete, or false after that many nanoseconds.
    pub(crate) fn wait_for(&self, nanoseconds: u64) -> Result<bool> {
        self.driver_event.get().map_or(Ok(true), |event| event.wait_for(nanoseconds))
    }

    /// Returns when it is complete, whether it succeeded or failed.
    pub(crate) fn wait(&self) -> Result<()> {
        self.driver_event.get().map_or(Ok(()), |event| event.wait())
    }

    /// The status of a host event that has failed.
    pub(crate) fn failure(&self) -> Option<EventStatus> {
        let failure = self.host.as_ref()?.failure.load(Ordering::Acquire);
        (failure < 0).then_some(EventStatus(failure))
    }

    /// Completes or fails a host event.
    pub(crate) fn set(&self, status: EventStatus) -> Result<()> {
        let refused = |text: &'static str| Err(Error::new(ErrorCode::INVALID_OPERATION, text));
        let Some(host) = &self.host else {
            let is_complete = self.queue.is_none() && self.is_complete()?;
            return match status {
                EventStatus::COMPLETE if is_complete => Ok(()),
                _ => refused("only host events have a status to set"),
            };
        };
        if host.is_set.swap(true, Ordering::AcqRel) {
            return refused("the host event's status is set already");
        }
        if status < EventStatus::COMPLETE {
            host.failure.store(status.0, Ordering::Release);
        }
        // What waits on the device goes on also after a failure: it cannot be called back.
        match self.driver_event.get() {
            Some(event) => event.signal(),
            None => Ok(()),
        }
    }

    /// Its status: a failed host event has the negative number that it was set to.
    pub(crate) fn status(&self) -> Result<EventStatus> {
        if let Some(failure) = self.failure() {
            return Ok(failure);
        }
        Ok(if self.is_complete()? { EventStatus::COMPLETE } else { EventStatus::SUBMITTED })
    }

    /// The driver's event, made and signalled now for an event that needed none so far.
    pub(crate) fn native(&self) -> Result<&EventRef> {
        if let Some(event) = self.driver_event.get() {
            return Ok(event);
        }
        let event = PooledEvent::take(&self.context.events, EventKind::HostVisible, false)?;
        event.signal()?;
        Ok(self.driver_event.get_or_init(|| event))
    }

    /// Submission, start and end in nanoseconds of the device's clock.
    pub(crate) fn times(&self) -> Result<(u64, u64, u64)> {
        let missing = |why: &'static str| Error::new(ErrorCode::PROFILING_INFO_NOT_AVAILABLE, why);
        let (Some(event), Some(queue)) = (self.driver_event.get(), &self.queue) else {
            return Err(missing("event: only commands have times"));
        };
        if !event.has_times() {
            return Err(missing("event: the queue was made without QueueFlags::PROFILING_ENABLE"));
        }
        if !event.is_complete()? {
            return Err(missing("event: the command is not complete yet"));
        }
        if let Some(known) = self.times.get() {
            return Ok(*known);
        }
        let device = &queue.device;
        let mask = clock_mask(device.properties.kernelTimestampValidBits);
        let (start, end) = event.times()?;
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
        if let (Some(host), Some(event)) = (&self.host, self.driver_event.get())
            && !host.is_set.load(Ordering::Acquire)
            && let Err(error) = event.signal()
        {
            log::warn!("a host event that was never set: {error}");
        }
    }
}

#[cold]
pub(crate) fn wait_list_failed() -> Error {
    Error::new(ErrorCode::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "an event to wait for has failed")
}
