//! Events.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use parking_lot::{Condvar, Mutex};
use sycl_pi_backend::api::{EventApi, EventNotify};
use sycl_pi_backend::{Counted, Error, Info, New, Result, Shared};
use sycl_pi_core::*;

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

/// Behind `pi_event`.
pub struct Event {
    command: pi_command_type,
    body: Body,
    /// Negative once the command was seen to fail.
    failure: AtomicI32,
}

crate::kind!(Event, _pi_event, PI_ERROR_INVALID_EVENT, "pi_event");

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
    status: Mutex<pi_event_status>,
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
    pub(crate) fn create(command: pi_command_type, body: Body) -> New<Counted<Self>> {
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
    pub(crate) fn status(&self) -> pi_event_status {
        let failure = self.failure.load(Ordering::Acquire);
        if failure < 0 {
            return failure;
        }
        self.ask().unwrap_or_else(|error| {
            self.failure.store(error.code(), Ordering::Release);
            error.code()
        })
    }

    fn ask(&self) -> Result<pi_event_status> {
        let query = |event| is_done("cuEventQuery", cuda()?.queries.event(event));
        match &self.body {
            Body::Command { .. } => {
                let Some(Place { queue, stream, mark, .. }) = self.place() else {
                    return Ok(PI_EVENT_COMPLETE);
                };
                if mark.is_done() {
                    return Ok(PI_EVENT_COMPLETE);
                }
                let _current = queue.place().enter()?;
                if mark.is_pending() && stream.has_reached(mark)? {
                    return Ok(PI_EVENT_COMPLETE);
                }
                self.record()?;
                if query(mark.end.get())? {
                    mark.set_done();
                    return Ok(PI_EVENT_COMPLETE);
                }
                match &mark.start {
                    Some(start) if !query(start.get())? => Ok(PI_EVENT_SUBMITTED),
                    _ => Ok(PI_EVENT_RUNNING),
                }
            }
            Body::Done(_) => Ok(PI_EVENT_COMPLETE),
            Body::User(_, user) => Ok(*user.status.lock()),
            Body::Native { context, event, .. } => {
                let _current = make_current(context.first()?.raw)?;
                Ok(if query(event.get())? { PI_EVENT_COMPLETE } else { PI_EVENT_RUNNING })
            }
        }
    }
}

impl User {
    /// Not set yet. The context is current.
    fn new() -> Result<Self> {
        let gate = Gate::new()?;
        Ok(Self { status: Mutex::new(PI_EVENT_SUBMITTED), changed: Condvar::new(), gate })
    }

    /// Makes a stream wait until the status is set.
    fn delay(&self, by: &Stream) -> Result<()> {
        match *self.status.lock() {
            PI_EVENT_COMPLETE => Ok(()),
            failed if failed < PI_EVENT_COMPLETE => {
                Err(failed_user_event(failed).with_code(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST))
            }
            _ => self.gate.hold(by.raw),
        }
    }

    fn wait(&self) -> Result<()> {
        let mut status = self.status.lock();
        while *status > PI_EVENT_COMPLETE {
            self.changed.wait(&mut status);
        }
        match *status {
            PI_EVENT_COMPLETE => Ok(()),
            failed => Err(failed_user_event(failed)),
        }
    }
}

#[cold]
fn failed_user_event(status: pi_event_status) -> Error {
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
    fn piEventCreate(context: &Counted<Context>) -> Result<New<Counted<Event>>> {
        Ok(Event::create(PI_COMMAND_TYPE_USER, Body::Done(context.share())))
    }

    fn piEventCreate_until_9_11(context: &Counted<Context>) -> Result<New<Counted<Event>>> {
        let _current = context.first()?.enter()?;
        Ok(Event::create(PI_COMMAND_TYPE_USER, Body::User(context.share(), Box::new(User::new()?))))
    }

    fn piEventGetInfo(event: &Counted<Event>, name: pi_event_info, info: Info<'_>) -> Result<()> {
        match name {
            PI_EVENT_INFO_COMMAND_QUEUE => match &event.body {
                Body::Command { queue, .. } => info.value(handle(&**queue)),
                Body::Native { .. } => Err(Error::new(
                    PI_ERROR_PLUGIN_SPECIFIC_ERROR,
                    "an event made of a driver's event has no queue",
                )),
                Body::Done(_) | Body::User(..) => info.value::<pi_queue>(std::ptr::null_mut()),
            },
            PI_EVENT_INFO_CONTEXT => info.value(handle(&**event.context())),
            PI_EVENT_INFO_COMMAND_TYPE => info.value(event.command),
            PI_EVENT_INFO_COMMAND_EXECUTION_STATUS => {
                if info.is_size_query() {
                    info.value(PI_EVENT_COMPLETE)
                } else {
                    info.value(event.status())
                }
            }
            PI_EVENT_INFO_REFERENCE_COUNT => info.value(event.reference_count()),
            _ => Err(Error::invalid_value(format!("param_name: unknown event query {name:#x}"))),
        }
    }

    fn piEventGetInfo_until_12_27(event: &Counted<Event>, name: pi_event_info, info: Info<'_>) -> Result<()> {
        Self::piEventGetInfo(event, name, info)
    }

    fn piEventGetProfilingInfo(
        event: &Counted<Event>,
        name: pi_profiling_info,
        info: Info<'_>,
    ) -> Result<()> {
        let known = [
            PI_PROFILING_INFO_COMMAND_QUEUED,
            PI_PROFILING_INFO_COMMAND_SUBMIT,
            PI_PROFILING_INFO_COMMAND_START,
            PI_PROFILING_INFO_COMMAND_END,
        ];
        if !known.contains(&name) {
            return Err(Error::invalid_value(format!("param_name: unknown profiling query {name:#x}")));
        }
        let not_available = |why| Error::new(PI_ERROR_PROFILING_INFO_NOT_AVAILABLE, why);
        let (Some(Place { queue, mark, .. }), Body::Command { times: Some(times), .. }) =
            (event.place(), &event.body)
        else {
            return Err(not_available("the event is not of a queue with PI_QUEUE_FLAG_PROFILING_ENABLE"));
        };
        if name == PI_PROFILING_INFO_COMMAND_QUEUED {
            return info.value(times.queued);
        }
        if event.status() != PI_EVENT_COMPLETE {
            return Err(not_available("event: its command is not complete yet"));
        }
        let _current = queue.place().enter()?;
        let start = times.base.time_of(mark.start.as_ref().unwrap_or(&mark.end))?;
        let end = times.base.time_of(&mark.end)?.max(start);
        info.value(match name {
            // The two clocks were read microseconds apart: what was submitted before is not told to be later.
            PI_PROFILING_INFO_COMMAND_SUBMIT => times.submitted.min(start).max(times.queued),
            PI_PROFILING_INFO_COMMAND_START => start.max(times.queued),
            _ => end.max(times.queued),
        })
    }

    fn piEventsWait(events: &[&Counted<Event>]) -> Result<()> {
        for event in events {
            event.wait().map_err(|error| {
                error
                    .with_code(PI_ERROR_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
                    .context("a command that was waited for failed")
            })?;
        }
        Ok(())
    }

    fn piEventSetCallback(event: &Counted<Event>, status: pi_int32, notify: EventNotify) -> Result<()> {
        if !(PI_EVENT_COMPLETE..=PI_EVENT_SUBMITTED).contains(&status) {
            return Err(Error::invalid_value(format!(
                "command_exec_callback_type is {status}; complete, running and submitted are possible"
            )));
        }
        watcher::watch(event.share(), status, notify);
        Ok(())
    }

    fn piEventSetStatus(event: &Counted<Event>, status: pi_int32) -> Result<()> {
        let Body::User(_, user) = &event.body else {
            return Err(Error::new(
                PI_ERROR_INVALID_EVENT,
                "event is a command's; only the status of a user event can be set",
            ));
        };
        if status > PI_EVENT_COMPLETE {
            return Err(Error::invalid_value(format!(
                "execution_status {status} is neither complete nor a failure"
            )));
        }
        let mut slot = user.status.lock();
        if *slot <= PI_EVENT_COMPLETE {
            return Err(Error::new(PI_ERROR_INVALID_OPERATION, "the status of the event was set before"));
        }
        *slot = status;
        drop(slot);
        user.gate.open();
        user.changed.notify_all();
        Ok(())
    }

    fn piEventRetain(event: &Counted<Event>) -> Result<()> {
        event.retain();
        Ok(())
    }

    fn piEventRelease(event: &Counted<Event>) -> Result<()> {
        event.release();
        Ok(())
    }

    fn piextEventGetNativeHandle(event: &Counted<Event>) -> Result<pi_native_handle> {
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

    fn piextEventCreateWithNativeHandle(
        native: pi_native_handle,
        context: Option<&Counted<Context>>,
        owned: bool,
    ) -> Result<New<Counted<Event>>> {
        let context = context.ok_or_else(|| {
            Error::new(PI_ERROR_INVALID_CONTEXT, "context is null; CUDA does not tell an event's")
        })?;
        let body = Body::Native { context: context.share(), event: sys::from_native(native), owned };
        Ok(Event::create(PI_COMMAND_TYPE_USER, body))
    }
}
