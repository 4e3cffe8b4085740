//! Events.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};

use sycl_pi_backend::api::{EventApi, EventNotify};
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::pool::Flavour;
use crate::signal::{self, Signal};
use crate::{Context, Event, LevelZero, Queue, context, device, event_callback, handle, queue};

/// What PI sees of a command.
pub struct Body {
    /// None for an event that was complete from the start, until somebody wants the driver's event of it.
    signal: OnceLock<Signal>,
    context: Shared<context::Body>,
    queue: Option<Shared<queue::Body>>,
    command: CommandType,
    /// Host time at which the command was put into a profiling queue.
    submitted: u64,
    /// Submitted, started and ended, once somebody asked.
    times: OnceLock<(u64, u64, u64)>,
    /// For user events: open, set or gone.
    user: AtomicU8,
    /// Negative once a user event was failed.
    failure: AtomicI32,
}

kind!(Body, RawEvent, ErrorCode::INVALID_EVENT);

const NO_USER_EVENT: u8 = 0;
const OPEN: u8 = 1;
const SET: u8 = 2;

impl Body {
    fn new(context: &Context, command: CommandType) -> Self {
        Self {
            signal: OnceLock::new(),
            context: context.share(),
            queue: None,
            command,
            submitted: 0,
            times: OnceLock::new(),
            user: AtomicU8::new(NO_USER_EVENT),
            failure: AtomicI32::new(0),
        }
    }

    /// The event of a command.
    #[inline]
    pub(crate) fn of_command(queue: &Queue, command: CommandType, signal: Signal) -> Self {
        let submitted = if queue.lane.profiling { device::host_nanoseconds() } else { 0 };
        Self {
            signal: OnceLock::from(signal),
            context: queue.lane.context.clone(),
            queue: Some(queue.share()),
            command,
            submitted,
            times: OnceLock::new(),
            user: AtomicU8::new(NO_USER_EVENT),
            failure: AtomicI32::new(0),
        }
    }

    /// What a command that waits for this event has to wait for; none where it is known to be complete.
    #[inline]
    pub(crate) fn awaited(&self) -> Result<Option<Signal>> {
        if self.failure.load(Ordering::Acquire) < 0 {
            return Err(failed());
        }
        Ok(self.signal.get().filter(|signal| !signal.is_known_done()).cloned())
    }

    /// Whether it is complete; asks the driver.
    pub(crate) fn is_complete(&self) -> Result<bool> {
        self.signal.get().map_or(Ok(true), |signal| signal.is_done())
    }

    /// Returns when it is complete, or false after that many nanoseconds.
    pub(crate) fn wait_for(&self, nanoseconds: u64) -> Result<bool> {
        self.signal.get().map_or(Ok(true), |signal| signal.wait_for(nanoseconds))
    }

    /// Its status as a number: a failed user event has a negative one.
    pub(crate) fn status(&self) -> Result<i32> {
        let failure = self.failure.load(Ordering::Acquire);
        if failure < 0 {
            return Ok(failure);
        }
        Ok(if self.is_complete()? { EventStatus::COMPLETE } else { EventStatus::SUBMITTED })
    }

    /// The signal, made and signalled now for an event that needed none so far.
    fn native(&self) -> Result<&Signal> {
        if let Some(signal) = self.signal.get() {
            return Ok(signal);
        }
        let signal = signal::fresh(&self.context, Flavour::Plain, false)?;
        signal.signal()?;
        Ok(self.signal.get_or_init(|| signal))
    }

    /// Submission, start and end in nanoseconds of the device's clock.
    fn times(&self) -> Result<(u64, u64, u64)> {
        let missing = |why: &'static str| Error::new(ErrorCode::PROFILING_INFO_NOT_AVAILABLE, why);
        let (Some(signal), Some(queue)) = (self.signal.get(), &self.queue) else {
            return Err(missing("event: only commands have times"));
        };
        if !signal.is_timed() {
            return Err(missing("event: the queue was made without QueueFlags::PROFILING_ENABLE"));
        }
        if !signal.is_done()? {
            return Err(missing("event: the command is not complete yet"));
        }
        if let Some(known) = self.times.get() {
            return Ok(*known);
        }
        let device = &queue.lane.device;
        let mask = device::mask(device.properties.kernelTimestampValidBits);
        let (start, end) = signal.times()?;
        let (start, end) = (start & mask, end & mask);
        // The clock may pass its last number while the command runs.
        let end = if end < start { end.wrapping_add(mask).wrapping_add(1) } else { end };
        let (start, end) =
            (device.nanoseconds(start), device.nanoseconds(end).max(device.nanoseconds(start)));
        // When it was submitted, on the device's clock: as long ago as on the host's.
        let submitted = device.clocks().ok().map(|(_, now)| {
            let ago = device::host_nanoseconds().saturating_sub(self.submitted);
            device.nanoseconds(now & mask).saturating_sub(ago)
        });
        Ok(*self.times.get_or_init(|| (submitted.unwrap_or(start).min(start), start, end)))
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        // Nobody can set it any more; what waits for it must not wait for ever.
        if *self.user.get_mut() == OPEN
            && let Some(signal) = self.signal.get()
            && let Err(error) = signal.signal()
        {
            log::warn!("a user event that was never set: {error}");
        }
    }
}

#[cold]
fn failed() -> Error {
    Error::new(ErrorCode::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "an event to wait for has failed")
}

impl EventApi for LevelZero {
    fn event_create_complete(context: &Context) -> Result<New<Event>> {
        Ok(Counted::create(Body::new(context, CommandType::USER)))
    }

    fn event_create_host(context: &Context) -> Result<New<Event>> {
        let event = Body::new(context, CommandType::USER);
        let signal = signal::fresh(context, Flavour::Plain, true)?;
        let _ = event.signal.set(signal);
        event.user.store(OPEN, Ordering::Release);
        Ok(Counted::create(event))
    }

    fn event_info(event: &Event, name: EventInfo, info: Info<'_>) -> Result<()> {
        match name {
            EventInfo::COMMAND_QUEUE => {
                let queue = event.queue.as_ref().map(|queue| handle::<queue::Body>(queue));
                info.value(queue.unwrap_or(std::ptr::null_mut()))
            }
            EventInfo::CONTEXT => info.value(handle::<context::Body>(&event.context)),
            EventInfo::COMMAND_TYPE => info.value(event.command),
            EventInfo::COMMAND_EXECUTION_STATUS => info.value(event.status()?),
            EventInfo::REFERENCE_COUNT => info.value(event.reference_count()),
            _ => Err(Error::invalid_value(format!("param_name: unknown event query {name:#x}"))),
        }
    }

    fn event_info_without_flush(event: &Event, name: EventInfo, info: Info<'_>) -> Result<()> {
        Self::event_info(event, name, info)
    }

    fn event_profiling_info(event: &Event, name: ProfilingInfo, info: Info<'_>) -> Result<()> {
        let (submitted, start, end) = event.times()?;
        match name {
            ProfilingInfo::COMMAND_QUEUED | ProfilingInfo::COMMAND_SUBMIT => info.value(submitted),
            ProfilingInfo::COMMAND_START => info.value(start),
            ProfilingInfo::COMMAND_END => info.value(end),
            _ => Err(Error::invalid_value(format!("param_name: unknown profiling query {name:#x}"))),
        }
    }

    fn events_wait(events: &[&Event]) -> Result<()> {
        let mut bad = false;
        for event in events {
            if let Some(signal) = event.signal.get() {
                signal.wait()?;
            }
            bad |= event.failure.load(Ordering::Acquire) < 0;
        }
        for event in events {
            if let Some(queue) = &event.queue {
                queue.lane.sweep();
            }
        }
        if bad { Err(failed()) } else { Ok(()) }
    }

    fn event_set_callback(event: &Event, status: i32, notify: EventNotify) -> Result<()> {
        event_callback::set(event, status, notify)
    }

    fn event_set_status(event: &Event, status: i32) -> Result<()> {
        let wrong = |text: &'static str| Err(Error::new(ErrorCode::INVALID_OPERATION, text));
        if status > EventStatus::COMPLETE {
            return Err(Error::invalid_value(format!(
                "execution_status {status} is neither complete nor an error"
            )));
        }
        match event.user.load(Ordering::Acquire) {
            NO_USER_EVENT if event.queue.is_none() && event.is_complete()? && status == EventStatus::COMPLETE => {
                return Ok(());
            }
            NO_USER_EVENT => return wrong("only user events have a status to set"),
            _ => {}
        }
        if event.user.compare_exchange(OPEN, SET, Ordering::AcqRel, Ordering::Acquire).is_err() {
            return wrong("the user event's status is set already");
        }
        if status < EventStatus::COMPLETE {
            event.failure.store(status, Ordering::Release);
        }
        // What waits on the device goes on also after a failure: it cannot be called back.
        match event.signal.get() {
            Some(signal) => signal.signal(),
            None => Ok(()),
        }
    }

    fn event_retain(event: &Event) -> Result<()> {
        event.retain();
        Ok(())
    }

    fn event_release(event: &Event) -> Result<()> {
        event.release();
        Ok(())
    }

    fn event_native_handle(event: &Event) -> Result<NativeHandle> {
        Ok(event.native()?.ze.0.expose_provenance())
    }

    fn event_create_with_native_handle(
        native: NativeHandle,
        context: Option<&Context>,
        owned: bool,
    ) -> Result<New<Event>> {
        let context =
            context.ok_or_else(|| Error::new(ErrorCode::INVALID_CONTEXT, "context is null; it is needed"))?;
        let event = Body::new(context, CommandType::USER);
        let _ = event.signal.set(signal::adopt(context, native, owned)?);
        Ok(Counted::create(event))
    }
}
