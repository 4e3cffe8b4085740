//! Events.

use pi_core::*;
use pi_plugin::api::{EventApi, EventNotify};
use pi_plugin::{Error, Info, New, Result};

use crate::OpenCl;
use crate::sys::{self, Context, Event, Wrap, cl};

impl EventApi for OpenCl {
    fn piEventCreate(context: &Context) -> Result<New<Event>> {
        let cl = cl()?;
        let event = cl.clCreateUserEvent(context.cl())?;
        cl.clSetUserEventStatus(event, sys::CL_COMPLETE)?;
        event.wrap()
    }

    fn piEventCreate_until_9_11(context: &Context) -> Result<New<Event>> {
        cl()?.clCreateUserEvent(context.cl())?.wrap()
    }

    fn piEventGetInfo(event: &Event, name: pi_event_info, mut info: Info<'_>) -> Result<()> {
        if name == PI_EVENT_INFO_COMMAND_EXECUTION_STATUS {
            let mut status: pi_int32 = sys::CL_QUEUED;
            let room = (&raw mut status).cast();
            cl()?.clGetEventInfo(event.cl(), name, size_of_val(&status), room, core::ptr::null_mut())?;
            // SYCL knows no "queued": what is in a queue counts as submitted.
            return info.value(if status == PI_EVENT_QUEUED { PI_EVENT_SUBMITTED } else { status });
        }
        let (size, value, size_ret) = info.raw_parts();
        cl()?.clGetEventInfo(event.cl(), name, size, value, size_ret)
    }

    fn piEventGetProfilingInfo(event: &Event, name: pi_profiling_info, mut info: Info<'_>) -> Result<()> {
        if !(PI_PROFILING_INFO_COMMAND_QUEUED..=PI_PROFILING_INFO_COMMAND_END).contains(&name) {
            return Err(Error::invalid_value(format!("unknown profiling query {name:#x}")));
        }
        let (size, value, size_ret) = info.raw_parts();
        cl()?.clGetEventProfilingInfo(event.cl(), name, size, value, size_ret)
    }

    fn piEventsWait(events: &[&Event]) -> Result<()> {
        cl()?.clWaitForEvents(events.len() as u32, events.as_ptr().cast())
    }

    fn piEventSetCallback(event: &Event, status: pi_int32, notify: EventNotify) -> Result<()> {
        if ![PI_EVENT_SUBMITTED, PI_EVENT_RUNNING, PI_EVENT_COMPLETE].contains(&status) {
            return Err(Error::invalid_value(format!(
                "no callback for status {status}; submitted, running, complete"
            )));
        }
        sys::set_event_callback(event, status, notify)
    }

    fn piEventSetStatus(event: &Event, status: pi_int32) -> Result<()> {
        cl()?.clSetUserEventStatus(event.cl(), status)
    }

    fn piEventRetain(event: &Event) -> Result<()> {
        cl()?.clRetainEvent(event.cl())
    }

    fn piEventRelease(event: &Event) -> Result<()> {
        cl()?.clReleaseEvent(event.cl())
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
            cl()?.clRetainEvent(event.cl())?;
        }
        event.cl().wrap()
    }
}
