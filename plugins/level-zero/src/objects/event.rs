//! Events.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Result, Shared};

use super::context::{Context, ContextHandle};
use super::device::{clock_mask, host_nanoseconds};
use super::queue::{Queue, QueueHandle};
use crate::driver::{EventKind, EventRef, PooledEvent};

/// A command as seen by callers, or an event that the host completes.
pub struct Event {
    /// The driver event. If the event was complete from the start, there is none until a caller requests its native
    /// handle.
    driver_event: OnceLock<EventRef>,
    pub(crate) context: Shared<Context>,
    pub(crate) queue: Option<Shared<Queue>>,
    pub(crate) command: CommandType,
    /// The host time at which the command was enqueued to a profiling queue.
    submitted: u64,
    /// Times of submission, start and end, once a caller queried them.
    times: OnceLock<(u64, u64, u64)>,
    /// The completion state of a host event.
    host: Option<HostCompletion>,
}

pub(crate) type EventHandle = Counted<Event>;

sycl_pi_backend::counted_kinds!(Event: RawEvent, INVALID_EVENT, "event";);

/// Whether and how the host has completed an event.
#[derive(Default)]
struct HostCompletion {
    is_set: AtomicBool,
    /// Negative if the event has failed.
    failure: AtomicI32,
}

impl Event {
    fn new(context: &ContextHandle, driver_event: OnceLock<EventRef>, host: Option<HostCompletion>) -> Self {
        let (queue, command, times) = (None, CommandType::USER, OnceLock::new());
        Self { driver_event, context: context.share(), queue, command, submitted: 0, times, host }
    }

    /// Creates a complete event.
    pub(crate) fn complete(context: &ContextHandle) -> Self {
        Self::new(context, OnceLock::new(), None)
    }

    /// Creates an event that the host completes.
    pub(crate) fn host(context: &ContextHandle) -> Result<Self> {
        let driver_event = PooledEvent::take(&context.events, EventKind::HostVisible, true)?;
        Ok(Self::new(context, OnceLock::from(driver_event), Some(HostCompletion::default())))
    }

    /// Creates an event from the driver's event.
    pub(crate) fn adopt(context: &ContextHandle, driver_event: EventRef) -> Self {
        Self::new(context, OnceLock::from(driver_event), None)
    }

    /// Creates the event of a command.
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

    /// Returns the driver event that a command must wait for, or `None` if this event is known to be complete.
    pub(crate) fn pending(&self) -> Result<Option<EventRef>> {
        if self.failure().is_some() {
            return Err(wait_list_failed());
        }
        Ok(self.driver_event.get().filter(|event| !event.is_known_complete()).cloned())
    }

    /// Returns whether it is complete, querying the driver.
    pub(crate) fn is_complete(&self) -> Result<bool> {
        self.driver_event.get().map_or(Ok(true), |event| event.is_complete())
    }

    /// Waits until it is complete, or returns false after the given number of nanoseconds.
    pub(crate) fn wait_for(&self, nanoseconds: u64) -> Result<bool> {
        self.driver_event.get().map_or(Ok(true), |event| event.wait_for(nanoseconds))
    }

    /// Waits until it is complete, successfully or not.
    pub(crate) fn wait(&self) -> Result<()> {
        self.driver_event.get().map_or(Ok(()), |event| event.wait())
    }

    /// Returns the status of a host event that has failed.
    pub(crate) fn failure(&self) -> Option<EventStatus> {
        let failure = self.host.as_ref()?.failure.load(Ordering::Acquire);
        (failure < 0).then_some(EventStatus(failure))
    }

    /// Completes a host event, or makes it fail.
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
        // Commands that wait on the device also continue after a failure, because they cannot be cancelled.
        match self.driver_event.get() {
            Some(event) => event.signal(),
            None => Ok(()),
        }
    }

    /// Returns its status. For a failed host event, it is the negative number that was set.
    pub(crate) fn status(&self) -> Result<EventStatus> {
        if let Some(failure) = self.failure() {
            return Ok(failure);
        }
        Ok(if self.is_complete()? { EventStatus::COMPLETE } else { EventStatus::SUBMITTED })
    }

    /// Returns the driver's event. If there is none yet, creates one that is signaled.
    pub(crate) fn native(&self) -> Result<&EventRef> {
        if let Some(event) = self.driver_event.get() {
            return Ok(event);
        }
        let event = PooledEvent::take(&self.context.events, EventKind::HostVisible, false)?;
        event.signal()?;
        Ok(self.driver_event.get_or_init(|| event))
    }

    /// Returns the times of submission, start and end in nanoseconds of the device's clock.
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
        // The clock may wrap around while the command runs.
        let end = if end < start { end.wrapping_add(mask).wrapping_add(1) } else { end };
        let (start, end) =
            (device.nanoseconds(start), device.nanoseconds(end).max(device.nanoseconds(start)));
        // The time of submission on the device's clock, computed from the time elapsed on the host's.
        let submitted = device.clocks().ok().map(|(_, now)| {
            let ago = host_nanoseconds().saturating_sub(self.submitted);
            device.nanoseconds(now & mask).saturating_sub(ago)
        });
        Ok(*self.times.get_or_init(|| (submitted.unwrap_or(start).min(start), start, end)))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // No caller can set it any more, so commands that wait for it must not wait forever.
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
