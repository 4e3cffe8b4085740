//! Events.

use sycl_pi_backend::api::{EventApi, EventNotify};
use sycl_pi_backend::{Error, Info, New, Result, cold_error};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::sys::{self, Context, Event, Wrap, cl};

impl EventApi for OpenCl {
    #[inline(always)]
    fn event_create_complete(context: &Context) -> Result<New<Event>> {
        let event = cl().clCreateUserEvent(context.cl())?;
        let new = event.wrap()?;
        cl().clSetUserEventStatus(event, sys::CL_COMPLETE)?;
        Ok(new)
    }

    fn event_create_host(context: &Context) -> Result<New<Event>> {
        cl().clCreateUserEvent(context.cl())?.wrap()
    }

    #[inline(always)]
    fn event_info(event: &Event, name: EventInfo, info: Info<'_>) -> Result<()> {
        if name == EventInfo::COMMAND_EXECUTION_STATUS {
            let ask = |size, value, size_ret| cl().clGetEventInfo(event.cl(), name, size, value, size_ret);
            // SYCL knows no "queued", and these runtimes flush no queue for it.
            let submit = || sys::flush_queue_of(event.cl()).then_some(EventStatus::SUBMITTED);
            return info.with_other::<i32>(ask, EventStatus::QUEUED, submit);
        }
        Self::event_info_without_flush(event, name, info)
    }

    #[inline(always)]
    fn event_info_without_flush(event: &Event, name: EventInfo, mut info: Info<'_>) -> Result<()> {
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetEventInfo(event.cl(), name, size, value, size_ret)
    }

    #[inline(always)]
    fn event_profiling_info(event: &Event, name: ProfilingInfo, mut info: Info<'_>) -> Result<()> {
        if !sys::is_time(name) {
            let unknown = move || Error::invalid_value(format!("param_name {name:#x} is no profiling query"));
            return Err(cold_error(unknown));
        }
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetEventProfilingInfo(event.cl(), name, size, value, size_ret)
    }

    #[inline(always)]
    fn events_wait(events: &[&Event]) -> Result<()> {
        cl().clWaitForEvents(events.len() as u32, events.as_ptr().cast())
    }

    fn event_set_callback(event: &Event, status: i32, notify: EventNotify) -> Result<()> {
        if ![EventStatus::SUBMITTED, EventStatus::RUNNING, EventStatus::COMPLETE].contains(&status) {
            return Err(Error::invalid_value(format!(
                "command_exec_callback_type {status} is none of submitted, running, complete"
            )));
        }
        sys::set_event_callback(event, status, notify)
    }

    fn event_set_status(event: &Event, status: i32) -> Result<()> {
        cl().clSetUserEventStatus(event.cl(), status)
    }

    fn event_retain(event: &Event) -> Result<()> {
        cl().clRetainEvent(event.cl())
    }

    fn event_release(event: &Event) -> Result<()> {
        cl().clReleaseEvent(event.cl())
    }

    fn event_native_handle(event: &Event) -> Result<NativeHandle> {
        Ok(event.cl().addr())
    }

    fn event_create_with_native_handle(
        native: NativeHandle,
        _: Option<&Context>,
        owned: bool,
    ) -> Result<New<Event>> {
        let event = sys::adopt::<Event>(native)?;
        if !owned {
            cl().clRetainEvent(event.cl())?;
        }
        event.cl().wrap()
    }
}
