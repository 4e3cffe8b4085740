//! The event calls.

pub(crate) mod clock;
pub(crate) mod event_callback;
pub(crate) mod event_ipc;
pub(crate) mod event_object;
pub(crate) mod event_pool;
pub(crate) mod host_event;
pub(crate) mod pooled_event;

use sycl_pi_backend::api::{EventApi, EventNotify};
use sycl_pi_backend::raw::RawQueue;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, New, Result};

use self::event_object::{Event, EventKind, StreamPosition};
use self::host_event::HostEvent;
use crate::Cuda;
use crate::context::Context;
use crate::device::device_object::Device;
use crate::opencl;
use crate::queue::Queue;
use crate::submit::signal;
use crate::sys;

impl EventApi for Cuda {
    fn event_create_complete(context: &Counted<Context>) -> Result<New<Counted<Event>>> {
        Ok(Event::create(CommandType::USER, EventKind::Complete(context.share())))
    }

    fn event_create_host(context: &Counted<Context>) -> Result<New<Counted<Event>>> {
        let _current = context.first()?.enter()?;
        let kind = EventKind::Host(context.share(), Box::new(HostEvent::new()?));
        Ok(Event::create(CommandType::USER, kind))
    }

    fn event_create_reusable(
        context: &Counted<Context>,
        device: &Counted<Device>,
        is_shared: bool,
    ) -> Result<New<Counted<Event>>> {
        event_ipc::create(context, device, is_shared)
    }

    fn enqueue_event_signal(
        queue: &Counted<Queue>,
        event: &Counted<Event>,
        waits: &[&Counted<Event>],
    ) -> Result<()> {
        let EventKind::Reusable { event, .. } = &event.kind else {
            return Err(Error::invalid_value("the event to signal is not reusable"));
        };
        signal(queue, event.get(), waits)
    }

    fn event_info(event: &Counted<Event>, name: EventInfo, info: Info<'_>) -> Result<()> {
        match name {
            EventInfo::COMMAND_QUEUE => match &event.kind {
                EventKind::Command { queue, .. } => info.value(queue.handle()),
                EventKind::Native { .. } => Err(Error::new(
                    ErrorCode::PLUGIN_SPECIFIC_ERROR,
                    "an event made of a driver's event has no queue",
                )),
                EventKind::Complete(_) | EventKind::Host(..) | EventKind::Reusable { .. } => {
                    info.value::<*mut RawQueue>(std::ptr::null_mut())
                }
            },
            EventInfo::CONTEXT => info.value(event.context().handle()),
            EventInfo::COMMAND_TYPE => info.value(event.command),
            // A query for only the size does not query the driver.
            EventInfo::COMMAND_EXECUTION_STATUS if info.is_size_query() => info.value(EventStatus::COMPLETE),
            EventInfo::COMMAND_EXECUTION_STATUS => info.value(event.status()),
            EventInfo::REFERENCE_COUNT => info.value(event.reference_count()),
            _ => Err(Error::unknown_query("event", name)),
        }
    }

    fn event_info_without_flush(event: &Counted<Event>, name: EventInfo, info: Info<'_>) -> Result<()> {
        Self::event_info(event, name, info)
    }

    fn event_profiling_info(event: &Counted<Event>, name: ProfilingInfo, info: Info<'_>) -> Result<()> {
        if !ProfilingInfo::ALL.iter().any(|(_, known)| *known == name) {
            return Err(Error::unknown_query("profiling", name));
        }
        let not_available = |why| Error::new(ErrorCode::PROFILING_INFO_NOT_AVAILABLE, why);
        let (
            Some(StreamPosition { queue, event: recorded, .. }),
            EventKind::Command { times: Some(times), .. },
        ) = (event.position(), &event.kind)
        else {
            return Err(not_available("the event's command was not timed"));
        };
        if name == ProfilingInfo::COMMAND_QUEUED {
            return info.value(times.queued);
        }
        if event.status() != EventStatus::COMPLETE {
            return Err(not_available("the event's command is not complete yet"));
        }
        let _current = queue.device_context().enter()?;
        let start = times.base.time_of(recorded.start.as_ref().unwrap_or(&recorded.end))?;
        let end = times.base.time_of(&recorded.end)?.max(start);
        info.value(match name {
            // The two clocks are read microseconds apart, so an earlier moment must not get a later time.
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

    fn event_set_callback(event: &Counted<Event>, status: EventStatus, notify: EventNotify) -> Result<()> {
        if !(EventStatus::COMPLETE..=EventStatus::SUBMITTED).contains(&status) {
            return Err(Error::bad_callback_status(status));
        }
        event_callback::call_when_reached(event.share(), status, notify);
        Ok(())
    }

    fn event_set_status(event: &Counted<Event>, status: EventStatus) -> Result<()> {
        let EventKind::Host(_, host) = &event.kind else {
            return Err(Error::new(
                ErrorCode::INVALID_EVENT,
                "the event is a command's; only the status of a user event can be set",
            ));
        };
        if status > EventStatus::COMPLETE {
            return Err(Error::bad_event_status(status));
        }
        host.set_status(status)
    }

    fn event_native_handle(event: &Counted<Event>) -> Result<NativeHandle> {
        opencl::refuse_native_handles()?;
        match &event.kind {
            EventKind::Command { .. } => {
                event.record()?;
                let position =
                    event.position().ok_or_else(|| Error::unsupported("the event has no CUevent"))?;
                Ok(position.event.end.addr())
            }
            EventKind::Native { event, .. } => Ok(event.addr()),
            EventKind::Reusable { event, .. } => Ok(event.addr()),
            _ => Err(Error::unsupported("the event has no CUevent")),
        }
    }

    fn event_create_with_native_handle(
        native: NativeHandle,
        context: Option<&Counted<Context>>,
        owned: bool,
    ) -> Result<New<Counted<Event>>> {
        opencl::refuse_native_handles()?;
        let context = context
            .ok_or_else(|| Error::new(ErrorCode::INVALID_CONTEXT, "a native event needs its context"))?;
        let kind = EventKind::Native { context: context.share(), event: sys::from_native(native), owned };
        Ok(Event::create(CommandType::USER, kind))
    }
}
