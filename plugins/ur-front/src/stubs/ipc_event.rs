//! Events that a command may signal repeatedly, and events shared between processes.

use super::prelude::*;
use crate::given_out::GivenOut;
use crate::handle::Handle;
use crate::own_queue::first_device;

static GIVEN_OUT: GivenOut<()> = GivenOut::new();

stubs! {
    urEventCreateExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pEventDesc: *const
        ur_exp_event_desc_t, phEvent: *mut ur_event_handle_t) {
        let (context, device) = (object::<B::Context>(hContext, "hContext")?, object::<B::Device>(hDevice, "hDevice")?);
        check::<B>(device, DeviceInfo::REUSABLE_EVENT_SUPPORT, "hDevice: events cannot be signalled again")?;
        let flags = value(pEventDesc, "pEventDesc")?.flags;
        if flags & UR_EXP_EVENT_FLAGS_MASK != 0 {
            return Err(error(UR_RESULT_ERROR_INVALID_ENUMERATION, format!("pEventDesc: flags {flags:#x} are unknown")));
        }
        let (is_shared, is_timed) = (flags & UR_EXP_EVENT_FLAG_IPC_EXP != 0, flags & UR_EXP_EVENT_FLAG_ENABLE_PROFILING != 0);
        if is_shared && is_timed {
            return Err(Error::invalid_value("pEventDesc: an event that other processes can open has no times"));
        }
        if is_timed {
            return Err(Error::unsupported("pEventDesc: an event that is created before its command has no times here"));
        }
        if is_shared {
            check::<B>(device, DeviceInfo::IPC_EVENT_SUPPORT, NOT_SHARED)?;
        }
        create(phEvent, "phEvent", context, || B::event_create_reusable(context, device, is_shared))
    };

    urIPCGetEventHandleExp(hEvent: ur_event_handle_t, ppIPCEventHandleData: *mut *mut c_void,
        pIPCEventHandleDataSizeRet: *mut usize) {
        let event = object::<B::Event>(hEvent, "hEvent")?;
        address(ppIPCEventHandleData, "ppIPCEventHandleData")?;
        put(pIPCEventHandleDataSizeRet, "pIPCEventHandleDataSizeRet", || {
            let (start, size) = GIVEN_OUT.give(B::ipc_event_handle(event)?, ());
            ppIPCEventHandleData.write(start);
            Ok(size)
        })
    };

    urIPCPutEventHandleExp(hContext: ur_context_handle_t, pIPCEventHandleData: *mut c_void) {
        sharing::<B>(hContext)?;
        let start = address(pIPCEventHandleData, "pIPCEventHandleData")?;
        GIVEN_OUT.put_back(start, "pIPCEventHandleData").map(drop)
    };

    urIPCOpenEventHandleExp(hContext: ur_context_handle_t, pIPCEventHandleData: *const c_void, ipcEventHandleDataSize:
        usize, phEvent: *mut ur_event_handle_t) {
        let context = sharing::<B>(hContext)?;
        let data = bytes(ipcEventHandleDataSize, pIPCEventHandleData, "pIPCEventHandleData")?;
        create(phEvent, "phEvent", context, || B::ipc_event_open(context, data))
    };
}

const NOT_SHARED: &str = "the device shares no events with other processes";

/// Returns an error if a device lacks the feature that a function requires.
fn check<B: Backend>(device: &B::Device, feature: DeviceInfo, text: &'static str) -> Result<()> {
    if query::flag::<B>(device, feature) { Ok(()) } else { Err(Error::unsupported(text)) }
}

/// Returns a context whose devices can share events with other processes.
///
/// # Safety
///
/// A non-null `context` must be a handle from an adapter.
unsafe fn sharing<'a, B: Backend>(context: ur_context_handle_t) -> Result<&'a Handle<B::Context>> {
    // SAFETY: guaranteed by the caller.
    let context = unsafe { object::<B::Context>(context, "hContext")? };
    check::<B>(first_device::<B>(context)?, DeviceInfo::IPC_EVENT_SUPPORT, NOT_SHARED)?;
    Ok(context)
}
