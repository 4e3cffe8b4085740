//! Events that commands signal repeatedly. Other processes can open some of them by the driver's IPC handle.

use sycl_pi_backend::types::CommandType;
use sycl_pi_backend::{Counted, Error, New, Result};

use crate::context::Context;
use crate::device::device_object::Device;
use crate::event::event_object::{Event, EventKind};
use crate::event::pooled_event::{DriverEvent, UNTIMED};
use crate::sys::{cuda, event_name, event_name_bytes, no_event_name};

/// The flag of an event that other processes can open. The driver requires it to have no timing.
const INTERPROCESS: u32 = 4;

/// Creates an event that is complete until it is recorded.
pub(crate) fn create(
    context: &Counted<Context>,
    device: &Counted<Device>,
    is_shared: bool,
) -> Result<New<Counted<Event>>> {
    let of_device = context.of_device(device)?;
    let _current = of_device.enter()?;
    let flags = if is_shared { UNTIMED | INTERPROCESS } else { UNTIMED };
    let event = DriverEvent::new(of_device.raw, flags)?;
    let kind = EventKind::Reusable { event, context: context.share(), is_shared };
    Ok(Event::create(CommandType::USER, kind))
}

/// Returns the IPC handle of a shared event.
pub(crate) fn name(event: &Counted<Event>) -> Result<Box<[u8]>> {
    let EventKind::Reusable { event, context, is_shared: true } = &event.kind else {
        let text =
            "hEvent was not created with UR_EXP_EVENT_FLAG_IPC_EXP in this process: others cannot open it";
        return Err(Error::invalid_value(text));
    };
    let _current = context.first()?.enter()?;
    let mut name = no_event_name();
    cuda()?.cuIpcGetEventHandle(&mut name, event.get())?;
    Ok(event_name_bytes(&name).into())
}

/// Opens the event of another process with the given IPC handle.
pub(crate) fn open(context: &Counted<Context>, name: &[u8]) -> Result<New<Counted<Event>>> {
    let name = event_name(name).ok_or_else(|| {
        Error::invalid_value(
            "pIPCEventHandleData, ipcEventHandleDataSize: not made by this adapter: its length is wrong",
        )
    })?;
    let first = context.first()?;
    let _current = first.enter()?;
    let mut event = std::ptr::null_mut();
    cuda()?.cuIpcOpenEventHandle(&mut event, name)?;
    let event = DriverEvent::opened(first.raw, event);
    let kind = EventKind::Reusable { event, context: context.share(), is_shared: false };
    Ok(Event::create(CommandType::USER, kind))
}
