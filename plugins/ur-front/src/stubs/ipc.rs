//! Memory shared between processes. Physical memory and events are in separate files.

use core::ptr::NonNull;

use super::prelude::*;
use crate::ipc_handles::IpcHandles;

static HANDLES: IpcHandles<()> = IpcHandles::new();

#[entry]
pub unsafe extern "C" fn urIPCGetMemHandleExp<B: Backend>(
    hContext: ur_context_handle_t, pMem: *mut c_void, ppIPCMemHandleData: *mut *mut c_void,
    pIPCMemHandleDataSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    let context = unsafe { sharing::<B>(hContext)? };
    let memory = not_null(pMem, "pMem")?;
    address(ppIPCMemHandleData, "ppIPCMemHandleData")?;
    // SAFETY: `pIPCMemHandleDataSizeRet` is null or writable.
    unsafe {
        put(pIPCMemHandleDataSizeRet, "pIPCMemHandleDataSizeRet", || {
            let (start, size) = HANDLES.insert(B::ipc_mem_handle(context, memory)?, ());
            ppIPCMemHandleData.write(start);
            Ok(size)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urIPCPutMemHandleExp<B: Backend>(
    hContext: ur_context_handle_t, pIPCMemHandleData: *mut c_void,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    let context = unsafe { sharing::<B>(hContext)? };
    let start = address(pIPCMemHandleData, "pIPCMemHandleData")?;
    B::ipc_mem_put(context, &HANDLES.remove(start, "pIPCMemHandleData")?)
}

#[entry]
pub unsafe extern "C" fn urIPCOpenMemHandleExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pIPCMemHandleData: *mut c_void,
    ipcMemHandleDataSize: usize, ppMem: *mut *mut c_void,
) -> Result<()> {
    // SAFETY: `hDevice` is null or a live handle; the arguments are passed on under the same contract.
    let (context, device) = unsafe { (sharing::<B>(hContext)?, object::<B::Device>(hDevice, "hDevice")?) };
    // SAFETY: `pIPCMemHandleData` is null or has `ipcMemHandleDataSize` bytes.
    let data = unsafe { bytes(ipcMemHandleDataSize, pIPCMemHandleData, "pIPCMemHandleData")? };
    // SAFETY: `ppMem` is null or writable.
    unsafe { put(ppMem, "ppMem", || Ok(B::ipc_mem_open(context, device, data)?.as_ptr())) }
}

#[entry]
pub unsafe extern "C" fn urIPCCloseMemHandleExp<B: Backend>(
    hContext: ur_context_handle_t, pMem: *mut c_void,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    let context = unsafe { sharing::<B>(hContext)? };
    B::ipc_mem_close(context, not_null(pMem, "pMem")?)
}

/// Returns a context whose devices can share memory with other processes.
///
/// # Safety
///
/// A non-null `context` must be a handle from an adapter.
unsafe fn sharing<'a, B: Backend>(context: ur_context_handle_t) -> Result<&'a B::Context> {
    // SAFETY: guaranteed by the caller.
    let context: &B::Context = unsafe { object::<B::Context>(context, "hContext")? };
    if query::flag::<B>(B::context_first_device(context)?, DeviceInfo::IPC_MEMORY_SUPPORT) {
        return Ok(context);
    }
    Err(Error::unsupported(format!("the {} backend shares no memory with other processes", B::BACKEND)))
}

/// Refuses a null address.
fn not_null(address: *mut c_void, name: &'static str) -> Result<NonNull<c_void>> {
    NonNull::new(address).ok_or_else(|| null_pointer(name))
}
