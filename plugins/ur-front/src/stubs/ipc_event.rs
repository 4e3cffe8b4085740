//! Events that a command may signal repeatedly, and events shared between processes.

use super::prelude::*;
use crate::handle::Handle;
use crate::ipc_handles::IpcHandles;

static HANDLES: IpcHandles<()> = IpcHandles::new();

#[entry]
pub unsafe extern "C" fn urEventCreateExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pEventDesc: *const ur_exp_event_desc_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `hDevice` is null or a live handle.
    let device = unsafe { object::<B::Device>(hDevice, "hDevice")? };
    check::<B>(device, DeviceInfo::REUSABLE_EVENT_SUPPORT, "hDevice: events cannot be signalled again")?;
    // SAFETY: `pEventDesc` is null or what its type says.
    let flags = unsafe { value(pEventDesc, "pEventDesc")? }.flags;
    if flags & UR_EXP_EVENT_FLAGS_MASK != 0 {
        return Err(error(
            UR_RESULT_ERROR_INVALID_ENUMERATION,
            format!("pEventDesc: flags {flags:#x} are unknown"),
        ));
    }
    let (is_shared, is_timed) =
        (flags & UR_EXP_EVENT_FLAG_IPC_EXP != 0, flags & UR_EXP_EVENT_FLAG_ENABLE_PROFILING != 0);
    if is_shared && is_timed {
        return Err(Error::invalid_value("pEventDesc: an event that other processes can open has no times"));
    }
    if is_timed {
        return Err(Error::unsupported(
            "pEventDesc: an event that is created before its command has no times here",
        ));
    }
    if is_shared {
        check::<B>(device, DeviceInfo::IPC_EVENT_SUPPORT, NOT_SHARED)?;
    }
    // SAFETY: `phEvent` is null or writable.
    unsafe { create(phEvent, "phEvent", context, || B::event_create_reusable(context, device, is_shared)) }
}

#[entry]
pub unsafe extern "C" fn urIPCGetEventHandleExp<B: Backend>(
    hEvent: ur_event_handle_t, ppIPCEventHandleData: *mut *mut c_void, pIPCEventHandleDataSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hEvent` is null or a live handle.
    let event = unsafe { object::<B::Event>(hEvent, "hEvent")? };
    address(ppIPCEventHandleData, "ppIPCEventHandleData")?;
    // SAFETY: `pIPCEventHandleDataSizeRet` is null or writable.
    unsafe {
        put(pIPCEventHandleDataSizeRet, "pIPCEventHandleDataSizeRet", || {
            let (start, size) = HANDLES.insert(B::ipc_event_handle(event)?, ());
            ppIPCEventHandleData.write(start);
            Ok(size)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urIPCPutEventHandleExp<B: Backend>(
    hContext: ur_context_handle_t, pIPCEventHandleData: *mut c_void,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { sharing::<B>(hContext)? };
    let start = address(pIPCEventHandleData, "pIPCEventHandleData")?;
    HANDLES.remove(start, "pIPCEventHandleData").map(drop)
}

#[entry]
pub unsafe extern "C" fn urIPCOpenEventHandleExp<B: Backend>(
    hContext: ur_context_handle_t, pIPCEventHandleData: *const c_void, ipcEventHandleDataSize: usize,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    let context = unsafe { sharing::<B>(hContext)? };
    // SAFETY: `pIPCEventHandleData` is null or has `ipcEventHandleDataSize` bytes.
    let data = unsafe { bytes(ipcEventHandleDataSize, pIPCEventHandleData, "pIPCEventHandleData")? };
    // SAFETY: `phEvent` is null or writable.
    unsafe { create(phEvent, "phEvent", context, || B::ipc_event_open(context, data)) }
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
    check::<B>(B::context_first_device(context)?, DeviceInfo::IPC_EVENT_SUPPORT, NOT_SHARED)?;
    Ok(context)
}
