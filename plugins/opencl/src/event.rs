//! Events.

use sycl_pi_backend::api::{EventApi, EventNotify};
use sycl_pi_backend::{Error, Info, New, Result, cold_error};
use sycl_pi_core::*;

use crate::OpenCl;
use crate::sys::{self, Context, Event, Wrap, cl};

impl EventApi for OpenCl {
    #[inline(always)]
    fn piEventCreate(context: &Context) -> Result<New<Event>> {
        let event = cl().clCreateUserEvent(context.cl())?;
        let new = event.wrap()?;
        cl().clSetUserEventStatus(event, sys::CL_COMPLETE)?;
        Ok(new)
    }

    fn piEventCreate_until_9_11(context: &Context) -> Result<New<Event>> {
        cl().clCreateUserEvent(context.cl())?.wrap()
    }

    #[inline(always)]
    fn piEventGetInfo(event: &Event, name: pi_event_info, info: Info<'_>) -> Result<()> {
        if name == PI_EVENT_INFO_COMMAND_EXECUTION_STATUS {
            let ask = |size, value, size_ret| cl().clGetEventInfo(event.cl(), name, size, value, size_ret);
            // SYCL knows no "queued", and these runtimes flush no queue for it.
            let submit = || sys::flush_queue_of(event.cl()).then_some(PI_EVENT_SUBMITTED);
            return info.with_other::<pi_int32>(ask, PI_EVENT_QUEUED, submit);
        }
        Self::piEventGetInfo_until_12_27(event, name, info)
    }

    #[inline(always)]
    fn piEventGetInfo_until_12_27(event: &Event, name: pi_event_info, mut info: Info<'_>) -> Result<()> {
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetEventInfo(event.cl(), name, size, value, size_ret)
    }

    #[inline(always)]
    fn piEventGetProfilingInfo(event: &Event, name: pi_profiling_info, mut info: Info<'_>) -> Result<()> {
        if !sys::is_time(name) {
            let unknown = move || Error::invalid_value(format!("param_name {name:#x} is no profiling query"));
            return Err(cold_error(unknown));
        }
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetEventProfilingInfo(event.cl(), name, size, value, size_ret)
    }

    #[inline(always)]
    fn piEventsWait(events: &[&Event]) -> Result<()> {
        cl().clWaitForEvents(events.len() as u32, events.as_ptr().cast())
    }

    fn piEventSetCallback(event: &Event, status: pi_int32, notify: EventNotify) -> Result<()> {
        if ![PI_EVENT_SUBMITTED, PI_EVENT_RUNNING, PI_EVENT_COMPLETE].contains(&status) {
            return Err(Error::invalid_value(format!(
                "command_exec_callback_type {status} is none of submitted, running, complete"
            )));
        }
        sys::set_event_callback(event, status, notify)
    }

    fn piEventSetStatus(event: &Event, status: pi_int32) -> Result<()> {
        cl().clSetUserEventStatus(event.cl(), status)
    }

    fn piEventRetain(event: &Event) -> Result<()> {
        cl().clRetainEvent(event.cl())
    }

    fn piEventRelease(event: &Event) -> Result<()> {
        cl().clReleaseEvent(event.cl())
    }

    fn piextEventGetNativeHandle(event: &Event) -> Result<pi_native_handle> {
        Ok(event.cl().addr())
    }

    fn piextEventCreateWithNativeHandle(
        native: pi_native_handle,
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
