//! Memory that other interfaces can import.

use core::ptr::NonNull;
use std::os::fd::IntoRawFd;

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn urMemoryExportAllocExportableMemoryExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, alignment: usize, size: usize,
    handleTypeToExport: ur_exp_external_mem_type_t, ppMem: *mut *mut c_void,
) -> Result<()> {
    let (context, device) =
        // SAFETY: `hContext` is null or a live handle; the arguments are passed on under the same contract.
        unsafe { (object::<B::Context>(hContext, "hContext")?, exporting::<B>(hDevice)?) };
    check_handle_type(handleTypeToExport)?;
    if alignment != 0 && !alignment.is_power_of_two() {
        return Err(Error::invalid_value(format!("alignment {alignment} is not a power of two")));
    }
    // SAFETY: `ppMem` is null or writable.
    unsafe { put(ppMem, "ppMem", || Ok(B::exportable_mem_alloc(context, device, alignment, size)?.as_ptr())) }
}

#[entry]
pub unsafe extern "C" fn urMemoryExportFreeExportableMemoryExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pMem: *mut c_void,
) -> Result<()> {
    let (context, device) =
        // SAFETY: `hContext` is null or a live handle; the arguments are passed on under the same contract.
        unsafe { (object::<B::Context>(hContext, "hContext")?, exporting::<B>(hDevice)?) };
    B::exportable_mem_free(context, device, memory(pMem)?)
}

#[entry]
pub unsafe extern "C" fn urMemoryExportExportMemoryHandleExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
    handleTypeToExport: ur_exp_external_mem_type_t, pMem: *mut c_void, pMemHandleRet: *mut c_void,
) -> Result<()> {
    let (context, device) =
        // SAFETY: `hContext` is null or a live handle; the arguments are passed on under the same contract.
        unsafe { (object::<B::Context>(hContext, "hContext")?, exporting::<B>(hDevice)?) };
    check_handle_type(handleTypeToExport)?;
    let memory = memory(pMem)?;
    // SAFETY: `pMemHandleRet` is null or writable.
    unsafe {
        put(pMemHandleRet.cast::<c_int>(), "pMemHandleRet", || {
            // The caller must close it.
            Ok(B::exportable_mem_fd(context, device, memory)?.into_raw_fd())
        })
    }
}

/// Returns a device whose memory can be exported.
///
/// # Safety
///
/// A non-null `device` must be a handle from an adapter.
unsafe fn exporting<'a, B: Backend>(device: ur_device_handle_t) -> Result<&'a B::Device> {
    // SAFETY: guaranteed by the caller.
    let device: &B::Device = unsafe { object::<B::Device>(device, "hDevice")? };
    if query::flag::<B>(device, DeviceInfo::DEVICE_MEMORY_EXPORT_SUPPORT) {
        return Ok(device);
    }
    Err(Error::unsupported(format!("hDevice: the {} backend exports no memory of this device", B::BACKEND)))
}

/// Refuses all types except file descriptors, the only memory handles supported here.
fn check_handle_type(kind: ur_exp_external_mem_type_t) -> Result<()> {
    match kind {
        UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD => Ok(()),
        UR_EXP_EXTERNAL_MEM_TYPE_WIN32_NT..=UR_EXP_EXTERNAL_MEM_TYPE_WIN32_NT_DX11_RESOURCE => {
            let text =
                format!("handleTypeToExport {kind}: memory is exported as an opaque file descriptor only");
            Err(Error::unsupported(text))
        }
        _ => {
            let text = format!("handleTypeToExport {kind} is not a kind of handle");
            Err(error(UR_RESULT_ERROR_INVALID_ENUMERATION, text))
        }
    }
}

fn memory(address: *mut c_void) -> Result<NonNull<c_void>> {
    NonNull::new(address).ok_or_else(|| null_pointer("pMem"))
}
