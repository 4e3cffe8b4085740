//! Events.

use sycl_pi_backend::api::{EventApi, EventNotify};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, New, Result};

use crate::OpenCl;
use crate::sys::{self, Context, Event, Owned, Queried, cl, create};

impl EventApi for OpenCl {
    fn event_create_complete(context: &Context) -> Result<New<Event>> {
        let event = Owned::from(Self::event_create_host(context)?);
        cl().clSetUserEventStatus(event.cl(), sys::CL_COMPLETE)?;
        sys::new_reference(event.into_raw())
    }

    fn event_create_host(context: &Context) -> Result<New<Event>> {
        create(|code| cl().clCreateUserEvent(context.cl(), code))
    }

    fn event_info(event: &Event, name: EventInfo, info: Info<'_>) -> Result<()> {
        if name == EventInfo::COMMAND_EXECUTION_STATUS {
            let ask = |size, value, size_ret| event.query(name.0, size, value, size_ret);
            // SYCL has no "queued" status, and these runtimes do not flush a queue for it.
            let submit = || event.flush_queue().then_some(EventStatus::SUBMITTED);
            return info.with_other(ask, EventStatus::QUEUED, submit);
        }
        event.answer(name.0, info)
    }

    fn event_info_without_flush(event: &Event, name: EventInfo, info: Info<'_>) -> Result<()> {
        event.answer(name.0, info)
    }

    #[inline]
    fn event_profiling_info(event: &Event, name: ProfilingInfo, mut info: Info<'_>) -> Result<()> {
        if !(ProfilingInfo::COMMAND_QUEUED..=ProfilingInfo::COMMAND_END).contains(&name) {
            return Err(Error::unknown_query("profiling", name));
        }
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetEventProfilingInfo(event.cl(), name.0, size, value, size_ret)
    }

    #[inline]
    fn events_wait(events: &[&Event]) -> Result<()> {
        sys::wait_for_events(events)
    }

    fn event_set_callback(event: &Event, status: EventStatus, notify: EventNotify) -> Result<()> {
        if ![EventStatus::SUBMITTED, EventStatus::RUNNING, EventStatus::COMPLETE].contains(&status) {
            return Err(Error::bad_callback_status(status));
        }
        cl().clSetEventCallback(event.cl(), status.0, Some(notify.function), notify.user_data)
    }

    fn event_set_status(event: &Event, status: EventStatus) -> Result<()> {
        cl().clSetUserEventStatus(event.cl(), status.0)
    }

    fn event_native_handle(event: &Event) -> Result<NativeHandle> {
        Ok(sys::native_handle(event))
    }

    fn event_create_with_native_handle(
        native: NativeHandle,
        _: Option<&Context>,
        owned: bool,
    ) -> Result<New<Event>> {
        sys::from_native(native, owned)
    }
}
