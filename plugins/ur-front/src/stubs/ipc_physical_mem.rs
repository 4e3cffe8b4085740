//! Physical memory shared between processes.

use std::os::fd::OwnedFd;

use sycl_pi_backend::Counted;

use super::prelude::*;
use crate::ipc_handles::IpcHandles;
use crate::physical_mem::PhysicalMem;

/// The data refers to a file descriptor of this process.
static HANDLES: IpcHandles<OwnedFd> = IpcHandles::new();

#[entry]
pub unsafe extern "C" fn urIPCGetPhysMemHandleExp<B: Backend>(
    hContext: ur_context_handle_t, hPhysMem: ur_physical_mem_handle_t,
    ppIPCPhysMemHandleData: *mut *mut c_void, pIPCPhysMemHandleDataSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    let context = unsafe { sharing::<B>(hContext)? };
    // SAFETY: `hPhysMem` is null or a live handle.
    let memory = unsafe { counted::<PhysicalMem<B>>(hPhysMem, "hPhysMem")? };
    if memory.flags & UR_PHYSICAL_MEM_FLAG_ENABLE_IPC == 0 {
        let text =
            "hPhysMem was not created with UR_PHYSICAL_MEM_FLAG_ENABLE_IPC: other processes cannot open it";
        return Err(Error::invalid_value(text));
    }
    address(ppIPCPhysMemHandleData, "ppIPCPhysMemHandleData")?;
    // SAFETY: `pIPCPhysMemHandleDataSizeRet` is null or writable.
    unsafe {
        put(pIPCPhysMemHandleDataSizeRet, "pIPCPhysMemHandleDataSizeRet", || {
            let (data, descriptor) = B::ipc_physical_mem_handle(context, memory.memory, memory.size)?;
            let (start, size) = HANDLES.insert(data, descriptor);
            ppIPCPhysMemHandleData.write(start);
            Ok(size)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urIPCPutPhysMemHandleExp<B: Backend>(
    hContext: ur_context_handle_t, pIPCPhysMemHandleData: *const c_void,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { sharing::<B>(hContext)? };
    let start = address(pIPCPhysMemHandleData, "pIPCPhysMemHandleData")?;
    HANDLES.remove(start, "pIPCPhysMemHandleData").map(drop)
}

#[entry]
pub unsafe extern "C" fn urIPCOpenPhysMemHandleExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pIPCPhysMemHandleData: *const c_void,
    ipcPhysMemHandleDataSize: usize, phPhysMem: *mut ur_physical_mem_handle_t,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { sharing::<B>(hContext)? };
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `hDevice` is null or a live handle.
    let device = unsafe { object::<B::Device>(hDevice, "hDevice")? };
    // SAFETY: `pIPCPhysMemHandleData` is null or has `ipcPhysMemHandleDataSize` bytes.
    let data = unsafe { bytes(ipcPhysMemHandleDataSize, pIPCPhysMemHandleData, "pIPCPhysMemHandleData")? };
    // SAFETY: `phPhysMem` is null or writable.
    unsafe {
        put(phPhysMem, "phPhysMem", || {
            let (memory, size) = B::ipc_physical_mem_open(context, device, data)?;
            let (device, context_handle) = (hDevice.expose_provenance(), context.share());
            let memory = PhysicalMem::<B> { memory, size, flags: 0, device, context: context_handle };
            Ok(Counted::create_with_front_word(context.front_word(), memory).into_raw())
        })
    }
}

#[entry]
pub unsafe extern "C" fn urIPCClosePhysMemHandleExp<B: Backend>(
    hContext: ur_context_handle_t, hPhysMem: ur_physical_mem_handle_t,
) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { sharing::<B>(hContext)? };
    // SAFETY: `hPhysMem` is null or a live handle.
    unsafe { counted::<PhysicalMem<B>>(hPhysMem, "hPhysMem")?.release() };
    Ok(())
}

/// Returns a context whose devices can share physical memory with other processes.
///
/// # Safety
///
/// A non-null `context` must be a handle from an adapter.
unsafe fn sharing<'a, B: Backend>(context: ur_context_handle_t) -> Result<&'a B::Context> {
    // SAFETY: guaranteed by the caller.
    let context: &B::Context = unsafe { object::<B::Context>(context, "hContext")? };
    if query::flag::<B>(B::context_first_device(context)?, DeviceInfo::IPC_PHYSICAL_MEMORY_SUPPORT) {
        return Ok(context);
    }
    Err(Error::unsupported(format!(
        "the {} backend shares no physical memory with other processes",
        B::BACKEND
    )))
}
