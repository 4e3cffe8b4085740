//! Events.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use parking_lot::{Condvar, Mutex};
use sycl_pi_backend::api::{EventApi, EventNotify};
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::Cuda;
use crate::clock::Base;
use crate::context::Context;
use crate::mark::Mark;
use crate::platform::handle;
use crate::queue::Queue;
use crate::slots::Held;
use crate::stream::{Stream, is_done};
use crate::sys::{self, CUevent, Gate, Raw, cuda, make_current};
use crate::watcher;

/// Behind `*mut RawEvent`.
pub struct Event {
    command: CommandType,
    body: Body,
    /// Negative once the command was seen to fail.
    failure: AtomicI32,
}

crate::kind!(Event, RawEvent, ErrorCode::INVALID_EVENT, "*mut RawEvent");

/// What an event stands for.
pub(crate) enum Body {
    /// A command in a stream of a queue.
    Command {
        queue: Shared<Queue>,
        /// The number of the queue's stream.
        stream: u32,
        /// Given back only when the event goes.
        mark: Held,
        times: Option<Box<Times>>,
    },
    /// Nothing: complete from the start.
    Done(Shared<Context>),
    /// Completed by the caller.
    User(Shared<Context>, Box<User>),
    /// A driver's event.
    Native { context: Shared<Context>, event: Raw<CUevent>, owned: bool },
}

/// Times on the host's side, and the base for the device's.
pub(crate) struct Times {
    pub(crate) queued: u64,
    pub(crate) submitted: u64,
    pub(crate) base: Arc<Base>,
}

/// A user event's status, and the word that streams wait for. PI has these until 9.11.
pub(crate) struct User {
    status: Mutex<EventStatus>,
    changed: Condvar,
    gate: Gate,
}

/// Where the event of a command is: in that stream of that queue, at that mark.
struct Place<'a> {
    queue: &'a Shared<Queue>,
    number: usize,
    stream: &'a Stream,
    mark: &'a Mark,
}

impl Place<'_> {
    fn is_of(&self, queue: &Counted<Queue>) -> bool {
        std::ptr::eq(&**self.queue, queue)
    }
}

impl Event {
    /// A new event on its way to the caller.
    #[inline(always)]
    pub(crate) fn create(command: CommandType, body: Body) -> New<Counted<Self>> {
        Counted::create(Self { command, body, failure: AtomicI32::new(0) })
    }

    fn context(&self) -> &Shared<Context> {
        match &self.body {
            Body::Command { queue, .. } => &queue.context,
            Body::Done(context) | Body::User(context, _) | Body::Native { context, .. } => context,
        }
    }

    /// Where a command's event is.
    #[inline(always)]
    fn place(&self) -> Option<Place<'_>> {
        match &self.body {
            Body::Command { queue, stream, mark, .. } => {
                let number = *stream as usize;
                let stream = queue.stream_in_use(number)?;
                Some(Place { queue, number, stream, mark: stream.slots.of(mark)? })
            }
            _ => None,
        }
    }

    /// The number of the queue's stream whose last command this is.
    pub(crate) fn tail_of(&self, in_queue: &Counted<Queue>) -> Option<usize> {
        let place = self.place()?;
        (place.is_of(in_queue) && place.mark.is_pending()).then_some(place.number)
    }

    /// Makes sure that stream `number` of `waiter` can be made to wait for this event. The waiter's context is current.
    #[inline(always)]
    pub(crate) fn prepare(&self, waiter: &Counted<Queue>, number: usize) -> Result<()> {
        match self.place() {
            Some(place) => {
                if place.is_of(waiter) && place.number == number || place.mark.is_done() {
                    return Ok(());
                }
                self.record()
            }
            None => Ok(()),
        }
    }

    /// Makes `stream`, which is number `number` of `waiter`, wait for this event.
    #[inline(always)]
    pub(crate) fn delay(&self, waiter: &Counted<Queue>, number: usize, by: &Stream) -> Result<()> {
        let event = match &self.body {
            Body::Command { .. } => {
                let Some(place) = self.place() else { return Ok(()) };
                if place.is_of(waiter) && place.number == number || place.mark.is_done() {
                    return Ok(());
                }
                place.mark.end.get()
            }
            Body::Native { event, .. } => event.get(),
            Body::User(_, user) => return user.delay(by),
            Body::Done(_) => return Ok(()),
        };
        cuda()?.cuStreamWaitEvent(by.raw.get(), event, 0)
    }

    /// Makes sure that the driver can be asked.
    fn record(&self) -> Result<()> {
        if let Some(Place { queue, stream, mark, .. }) = self.place()
            && mark.is_pending()
        {
            let _current = queue.place().enter()?;
            stream.record(mark, queue.place())?;
        }
        Ok(())
    }

    /// Returns when the command is complete.
    pub(crate) fn wait(&self) -> Result<()> {
        let result = self.wait_in_driver();
        if let Err(error) = &result {
            self.failure.store(error.code(), Ordering::Release);
        }
        result
    }

    #[inline(always)]
    fn wait_in_driver(&self) -> Result<()> {
        match &self.body {
            Body::Command { .. } => {
                let Some(Place { queue, stream, mark, .. }) = self.place() else { return Ok(()) };
                if mark.is_done() {
                    return Ok(());
                }
                let _current = queue.place().enter()?;
                if mark.is_pending() {
                    // The last command of its stream: no event is needed for that.
                    cuda()?.cuStreamSynchronize(stream.raw.get())?;
                } else {
                    cuda()?.cuEventSynchronize(mark.end.get())?;
                }
                mark.set_done();
                Ok(())
            }
            Body::Done(_) => Ok(()),
            Body::User(_, user) => user.wait(),
            Body::Native { context, event, .. } => {
                let _current = context.first()?.enter()?;
                cuda()?.cuEventSynchronize(event.get())
            }
        }
    }

    /// Complete, running, submitted, or negative for a failure.
    pub(crate) fn status(&self) -> EventStatus {
        let failure = self.failure.load(Ordering::Acquire);
        if failure < 0 {
            return failure;
        }
        self.ask().unwrap_or_else(|error| {
            self.failure.store(error.code(), Ordering::Release);
            error.code()
        })
    }

    fn ask(&self) -> Result<EventStatus> {
        let query = |event| is_done("cuEventQuery", cuda()?.queries.event(event));
        match &self.body {
            Body::Command { .. } => {
                let Some(Place { queue, stream, mark, .. }) = self.place() else {
                    return Ok(EventStatus::COMPLETE);
                };
                if mark.is_done() {
                    return Ok(EventStatus::COMPLETE);
                }
                let _current = queue.place().enter()?;
                if mark.is_pending() && stream.has_reached(mark)? {
                    return Ok(EventStatus::COMPLETE);
                }
                self.record()?;
                if query(mark.end.get())? {
                    mark.set_done();
                    return Ok(EventStatus::COMPLETE);
                }
                match &mark.start {
                    Some(start) if !query(start.get())? => Ok(EventStatus::SUBMITTED),
                    _ => Ok(EventStatus::RUNNING),
                }
            }
            Body::Done(_) => Ok(EventStatus::COMPLETE),
            Body::User(_, user) => Ok(*user.status.lock()),
            Body::Native { context, event, .. } => {
                let _current = make_current(context.first()?.raw)?;
                Ok(if query(event.get())? { EventStatus::COMPLETE } else { EventStatus::RUNNING })
            }
        }
    }
}

impl User {
    /// Not set yet. The context is current.
    fn new() -> Result<Self> {
        let gate = Gate::new()?;
        Ok(Self { status: Mutex::new(EventStatus::SUBMITTED), changed: Condvar::new(), gate })
    }

    /// Makes a stream wait until the status is set.
    fn delay(&self, by: &Stream) -> Result<()> {
        match *self.status.lock() {
            EventStatus::COMPLETE => Ok(()),
            failed if failed < EventStatus::COMPLETE => {
                Err(failed_user_event(failed).with_code(ErrorCode::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST))
            }
            _ => self.gate.hold(by.raw),
        }
    }

    fn wait(&self) -> Result<()> {
        let mut status = self.status.lock();
        while *status > EventStatus::COMPLETE {
            self.changed.wait(&mut status);
        }
        match *status {
            EventStatus::COMPLETE => Ok(()),
            failed => Err(failed_user_event(failed)),
        }
    }
}

#[cold]
fn failed_user_event(status: EventStatus) -> Error {
    Error::new(status, format!("the user event was set to {status}"))
}

impl Drop for Event {
    #[inline(always)]
    fn drop(&mut self) {
        match &mut self.body {
            Body::Command { queue, stream, mark: mark @ Held::Slot(_), .. } => {
                let stream = queue.stream_in_use(*stream as usize);
                if let Some(mark) = stream.and_then(|stream| stream.slots.of(mark)) {
                    mark.let_go();
                }
            }
            body => body.let_go(),
        }
    }
}

impl Body {
    /// Gives back what is not a stream's own.
    #[inline(never)]
    fn let_go(&mut self) {
        match self {
            Body::Command { queue, mark, .. } => queue.place().marks.give_back(mark.take()),
            Body::User(context, user) => {
                // Streams that wait for it would wait for ever.
                user.gate.open();
                let free = || {
                    let _current = context.first()?.enter()?;
                    user.gate.free()
                };
                let _ = free();
            }
            Body::Native { context, event, owned: true } => {
                let destroy = || {
                    let _current = context.first()?.enter()?;
                    cuda()?.cuEventDestroy_v2(event.get())
                };
                let _ = destroy();
            }
            _ => {}
        }
    }
}

impl EventApi for Cuda {
    fn event_create_complete(context: &Counted<Context>) -> Result<New<Counted<Event>>> {
        Ok(Event::create(CommandType::USER, Body::Done(context.share())))
    }

    fn event_create_host(context: &Counted<Context>) -> Result<New<Counted<Event>>> {
        let _current = context.first()?.enter()?;
        Ok(Event::create(CommandType::USER, Body::User(context.share(), Box::new(User::new()?))))
    }

    fn event_info(event: &Counted<Event>, name: EventInfo, info: Info<'_>) -> Result<()> {
        match name {
            EventInfo::COMMAND_QUEUE => match &event.body {
                Body::Command { queue, .. } => info.value(handle(&**queue)),
                Body::Native { .. } => Err(Error::new(
                    ErrorCode::PLUGIN_SPECIFIC_ERROR,
                    "an event made of a driver's event has no queue",
                )),
                Body::Done(_) | Body::User(..) => info.value::<*mut RawQueue>(std::ptr::null_mut()),
            },
            EventInfo::CONTEXT => info.value(handle(&**event.context())),
            EventInfo::COMMAND_TYPE => info.value(event.command),
            EventInfo::COMMAND_EXECUTION_STATUS => {
                if info.is_size_query() {
                    info.value(EventStatus::COMPLETE)
                } else {
                    info.value(event.status())
                }
            }
            EventInfo::REFERENCE_COUNT => info.value(event.reference_count()),
            _ => Err(Error::invalid_value(format!("param_name: unknown event query {name:#x}"))),
        }
    }

    fn event_info_without_flush(event: &Counted<Event>, name: EventInfo, info: Info<'_>) -> Result<()> {
        Self::event_info(event, name, info)
    }

    fn event_profiling_info(
        event: &Counted<Event>,
        name: ProfilingInfo,
        info: Info<'_>,
    ) -> Result<()> {
        let known = [
            ProfilingInfo::COMMAND_QUEUED,
            ProfilingInfo::COMMAND_SUBMIT,
            ProfilingInfo::COMMAND_START,
            ProfilingInfo::COMMAND_END,
        ];
        if !known.contains(&name) {
            return Err(Error::invalid_value(format!("param_name: unknown profiling query {name:#x}")));
        }
        let not_available = |why| Error::new(ErrorCode::PROFILING_INFO_NOT_AVAILABLE, why);
        let (Some(Place { queue, mark, .. }), Body::Command { times: Some(times), .. }) =
            (event.place(), &event.body)
        else {
            return Err(not_available("the event is not of a queue with QueueFlags::PROFILING_ENABLE"));
        };
        if name == ProfilingInfo::COMMAND_QUEUED {
            return info.value(times.queued);
        }
        if event.status() != EventStatus::COMPLETE {
            return Err(not_available("event: its command is not complete yet"));
        }
        let _current = queue.place().enter()?;
        let start = times.base.time_of(mark.start.as_ref().unwrap_or(&mark.end))?;
        let end = times.base.time_of(&mark.end)?.max(start);
        info.value(match name {
            // The two clocks were read microseconds apart: what was submitted before is not told to be later.
            ProfilingInfo::COMMAND_SUBMIT => times.submitted.min(start).max(times.queued),
            ProfilingInfo::COMMAND_START => start.max(times.queued),
            _ => end.max(times.queued),
        })
    }

    fn events_wait(events: &[&Counted<Event>]) -> Result<()> {
        for event in events {
            event.wait().map_err(|error| {
                error
                    .with_code(ErrorCode::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
                    .context("a command that was waited for failed")
            })?;
        }
        Ok(())
    }

    fn event_set_callback(event: &Counted<Event>, status: i32, notify: EventNotify) -> Result<()> {
        if !(EventStatus::COMPLETE..=EventStatus::SUBMITTED).contains(&status) {
            return Err(Error::invalid_value(format!(
                "command_exec_callback_type is {status}; complete, running and submitted are possible"
            )));
        }
        watcher::watch(event.share(), status, notify);
        Ok(())
    }

    fn event_set_status(event: &Counted<Event>, status: i32) -> Result<()> {
        let Body::User(_, user) = &event.body else {
            return Err(Error::new(
                ErrorCode::INVALID_EVENT,
                "event is a command's; only the status of a user event can be set",
            ));
        };
        if status > EventStatus::COMPLETE {
            return Err(Error::invalid_value(format!(
                "execution_status {status} is neither complete nor a failure"
            )));
        }
        let mut slot = user.status.lock();
        if *slot <= EventStatus::COMPLETE {
            return Err(Error::new(ErrorCode::INVALID_OPERATION, "the status of the event was set before"));
        }
        *slot = status;
        drop(slot);
        user.gate.open();
        user.changed.notify_all();
        Ok(())
    }

    fn event_retain(event: &Counted<Event>) -> Result<()> {
        event.retain();
        Ok(())
    }

    fn event_release(event: &Counted<Event>) -> Result<()> {
        event.release();
        Ok(())
    }

    fn event_native_handle(event: &Counted<Event>) -> Result<NativeHandle> {
        match &event.body {
            Body::Command { .. } => {
                event.record()?;
                let place = event.place().ok_or_else(|| Error::unsupported("the event has no mark"))?;
                Ok(place.mark.end.addr())
            }
            Body::Native { event, .. } => Ok(event.addr()),
            _ => Err(Error::unsupported("the event stands for no event of the driver's")),
        }
    }

    fn event_create_with_native_handle(
        native: NativeHandle,
        context: Option<&Counted<Context>>,
        owned: bool,
    ) -> Result<New<Counted<Event>>> {
        let context = context.ok_or_else(|| {
            Error::new(ErrorCode::INVALID_CONTEXT, "context is null; CUDA does not tell an event's")
        })?;
        let body = Body::Native { context: context.share(), event: sys::from_native(native), owned };
        Ok(Event::create(CommandType::USER, body))
    }
}
