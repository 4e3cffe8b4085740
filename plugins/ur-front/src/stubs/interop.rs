//! Memory and semaphores imported from other interfaces.

use super::prelude::*;
use crate::image;

#[entry]
pub unsafe extern "C" fn urBindlessImagesImportExternalMemoryExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, size: usize,
    memHandleType: ur_exp_external_mem_type_t, pExternalMemDesc: *mut ur_exp_external_mem_desc_t,
    phExternalMem: *mut ur_exp_external_mem_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    // SAFETY: `pExternalMemDesc` is null or what its type says.
    let desc = unsafe { value(pExternalMemDesc, "pExternalMemDesc")? };
    // SAFETY: the arguments are passed on under the same contract.
    let fd = unsafe {
        file_descriptor(memHandleType == UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD, desc.pNext, "memHandleType")?
    };
    // SAFETY: `phExternalMem` is null or writable.
    unsafe {
        put(phExternalMem, "phExternalMem", || {
            Ok(handle_of(B::mem_import_opaque_fd(context, device, size, fd)?))
        })
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesMapExternalArrayExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageFormat: *const ur_image_format_t,
    pImageDesc: *const ur_image_desc_t, hExternalMem: ur_exp_external_mem_handle_t,
    phImageMem: *mut ur_exp_image_mem_native_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    // SAFETY: `pImageFormat` is null or what its type says.
    let format = image::format(unsafe { value(pImageFormat, "pImageFormat")? })?;
    // SAFETY: `pImageDesc` is null or what its type says.
    let desc = image::desc(unsafe { value(pImageDesc, "pImageDesc")? })?;
    let memory = number_of(hExternalMem, "hExternalMem")?;
    // SAFETY: `phImageMem` is null or writable.
    unsafe {
        put(phImageMem, "phImageMem", || {
            Ok(B::mem_map_external_array(context, device, &format, &desc, memory)?.expose_provenance())
        })
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesMapExternalLinearMemoryExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, offset: u64, size: u64,
    hExternalMem: ur_exp_external_mem_handle_t, ppRetMem: *mut *mut c_void,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    let memory = number_of(hExternalMem, "hExternalMem")?;
    // SAFETY: `ppRetMem` is null or writable.
    unsafe { put(ppRetMem, "ppRetMem", || B::mem_map_external_linear(context, device, memory, offset, size)) }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesReleaseExternalMemoryExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hExternalMem: ur_exp_external_mem_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    B::mem_release_interop(context, device, number_of(hExternalMem, "hExternalMem")?)
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesFreeMappedLinearMemoryExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pMem: *mut c_void,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    B::mem_free_mapped_linear(context, device, address(pMem, "pMem")?)
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesSupportsImportingHandleTypeExp<B: Backend>(
    hDevice: ur_device_handle_t, memHandleType: ur_exp_external_mem_type_t, pSupportedRet: *mut ur_bool_t,
) -> Result<()> {
    // SAFETY: `hDevice` is null or a live handle.
    let device = unsafe { object::<B::Device>(hDevice, "hDevice")? };
    // SAFETY: `pSupportedRet` is null or writable.
    unsafe {
        put(pSupportedRet, "pSupportedRet", || {
            let can = query::flag::<B>(device, DeviceInfo::INTEROP_MEMORY_IMPORT_SUPPORT);
            Ok(u8::from(can && memHandleType == UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD))
        })
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesImportExternalSemaphoreExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
    semHandleType: ur_exp_external_semaphore_type_t,
    pExternalSemaphoreDesc: *mut ur_exp_external_semaphore_desc_t,
    phExternalSemaphore: *mut ur_exp_external_semaphore_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    // SAFETY: `pExternalSemaphoreDesc` is null or what its type says.
    let desc = unsafe { value(pExternalSemaphoreDesc, "pExternalSemaphoreDesc")? };
    // SAFETY: the arguments are passed on under the same contract.
    let fd = unsafe {
        file_descriptor(
            semHandleType == UR_EXP_EXTERNAL_SEMAPHORE_TYPE_OPAQUE_FD,
            desc.pNext,
            "semHandleType",
        )?
    };
    // SAFETY: `phExternalSemaphore` is null or writable.
    unsafe {
        put(phExternalSemaphore, "phExternalSemaphore", || {
            Ok(handle_of(B::import_external_semaphore_opaque_fd(context, device, fd)?))
        })
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesReleaseExternalSemaphoreExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
    hExternalSemaphore: ur_exp_external_semaphore_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    B::destroy_external_semaphore(context, device, number_of(hExternalSemaphore, "hExternalSemaphore")?)
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesWaitExternalSemaphoreExp<B: Backend>(
    hQueue: ur_queue_handle_t, hSemaphore: ur_exp_external_semaphore_handle_t, hasWaitValue: u8,
    waitValue: u64, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let (queue, semaphore) = (unsafe { object(hQueue, "hQueue")? }, number_of(hSemaphore, "hSemaphore")?);
    no_value(hasWaitValue, waitValue)?;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::wait_external_semaphore(queue, semaphore, dependencies)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urBindlessImagesSignalExternalSemaphoreExp<B: Backend>(
    hQueue: ur_queue_handle_t, hSemaphore: ur_exp_external_semaphore_handle_t, hasSignalValue: u8,
    signalValue: u64, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let (queue, semaphore) = (unsafe { object(hQueue, "hQueue")? }, number_of(hSemaphore, "hSemaphore")?);
    no_value(hasSignalValue, signalValue)?;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::signal_external_semaphore(queue, semaphore, dependencies)
        })
    }
}

/// Returns the file descriptor in the description of an object to import.
///
/// # Safety
///
/// The structures of the chain must match their types.
unsafe fn file_descriptor(is_fd: bool, chain: *const c_void, name: &str) -> Result<c_int> {
    if !is_fd {
        return Err(Error::unsupported(format!("{name}: only opaque file descriptors can be imported")));
    }
    // SAFETY: guaranteed by the caller.
    let desc = unsafe { chained::<ur_exp_file_descriptor_t>(chain, UR_STRUCTURE_TYPE_EXP_FILE_DESCRIPTOR) };
    desc.map(|desc| desc.fd)
        .ok_or_else(|| Error::invalid_value("pNext of the description leads to no ur_exp_file_descriptor_t"))
}

/// Converts a backend's number of an imported object to UR's handle.
fn handle_of<T>(number: u64) -> *mut T {
    core::ptr::with_exposed_provenance_mut(number as usize)
}

/// Returns the backend's number of an imported object.
fn number_of<T>(handle: *mut T, name: &'static str) -> Result<u64> {
    if handle.is_null() {
        return Err(error(UR_RESULT_ERROR_INVALID_NULL_HANDLE, format!("{name} is null")));
    }
    Ok(handle.expose_provenance() as u64)
}

/// Refuses a value, because only timeline semaphores have values, and they cannot be imported.
fn no_value(has_value: u8, value: u64) -> Result<()> {
    if has_value == 0 {
        return Ok(());
    }
    Err(Error::unsupported(format!(
        "the value {value}: imported semaphores are binary here, so they have no values"
    )))
}
