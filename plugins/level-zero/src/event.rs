//! Events.

use sycl_pi_backend::api::{EventApi, EventNotify};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, New, Result};
use sycl_pi_host_process::outside;

use crate::driver::PooledEvent;
use crate::objects::{ContextHandle, Event, EventHandle, raw_handle, wait_list_failed};
use crate::sys::{Address, ze_event_handle_t};
use crate::{LevelZero, event_callback};

impl EventApi for LevelZero {
    fn event_create_complete(context: &ContextHandle) -> Result<New<EventHandle>> {
        Ok(Counted::create(Event::complete(context)))
    }

    fn event_create_host(context: &ContextHandle) -> Result<New<EventHandle>> {
        Ok(Counted::create(Event::host(context)?))
    }

    fn event_info(event: &EventHandle, name: EventInfo, info: Info<'_>) -> Result<()> {
        match name {
            EventInfo::COMMAND_QUEUE => {
                let queue = event.queue.as_ref().map(|queue| raw_handle(queue));
                info.value(queue.unwrap_or(std::ptr::null_mut()))
            }
            EventInfo::CONTEXT => info.value(raw_handle(&event.context)),
            EventInfo::COMMAND_TYPE => info.value(event.command),
            EventInfo::COMMAND_EXECUTION_STATUS => info.value(event.status()?),
            EventInfo::REFERENCE_COUNT => info.value(event.reference_count()),
            _ => Err(Error::unknown_query("event", name)),
        }
    }

    fn event_info_without_flush(event: &EventHandle, name: EventInfo, info: Info<'_>) -> Result<()> {
        Self::event_info(event, name, info)
    }

    fn event_profiling_info(event: &EventHandle, name: ProfilingInfo, info: Info<'_>) -> Result<()> {
        let (submitted, start, end) = event.times()?;
        match name {
            ProfilingInfo::COMMAND_QUEUED | ProfilingInfo::COMMAND_SUBMIT => info.value(submitted),
            ProfilingInfo::COMMAND_START => info.value(start),
            ProfilingInfo::COMMAND_END => info.value(end),
            _ => Err(Error::unknown_query("profiling", name)),
        }
    }

    fn events_wait(events: &[&EventHandle]) -> Result<()> {
        let mut failed = false;
        for event in events {
            outside(|| event.wait())?;
            failed |= event.failure().is_some();
        }
        for event in events {
            if let Some(queue) = &event.queue {
                queue.commands.reap();
            }
        }
        if failed { Err(wait_list_failed()) } else { Ok(()) }
    }

    fn event_set_callback(event: &EventHandle, status: EventStatus, notify: EventNotify) -> Result<()> {
        event_callback::set(event, status, notify)
    }

    fn event_set_status(event: &EventHandle, status: EventStatus) -> Result<()> {
        if status > EventStatus::COMPLETE {
            return Err(Error::bad_event_status(status));
        }
        event.set(status)
    }

    fn event_native_handle(event: &EventHandle) -> Result<NativeHandle> {
        Ok(event.native()?.ze.0.expose_provenance())
    }

    fn event_create_with_native_handle(
        native: NativeHandle,
        context: Option<&ContextHandle>,
        owned: bool,
    ) -> Result<New<EventHandle>> {
        let context = context
            .ok_or_else(|| Error::new(ErrorCode::INVALID_CONTEXT, "a native event needs its context"))?;
        if native == 0 {
            return Err(Error::no_native_handle(ErrorCode::INVALID_EVENT, "an event"));
        }
        let ze = ze_event_handle_t(Address::from_number(native).get());
        let driver_event = PooledEvent::adopt(ze, &context.events, owned);
        Ok(Counted::create(Event::adopt(context, driver_event)))
    }
}
