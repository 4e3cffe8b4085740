//! Memory and semaphores imported from other interfaces.

use super::prelude::*;
use crate::image;

stubs! {
    urBindlessImagesImportExternalMemoryExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, size: usize,
        memHandleType: ur_exp_external_mem_type_t, pExternalMemDesc: *mut ur_exp_external_mem_desc_t, phExternalMem:
        *mut ur_exp_external_mem_handle_t) {
        let (context, device) = (object(hContext, "hContext")?, object(hDevice, "hDevice")?);
        let desc = value(pExternalMemDesc, "pExternalMemDesc")?;
        let fd = file_descriptor(memHandleType == UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD, desc.pNext, "memHandleType")?;
        put(phExternalMem, "phExternalMem", || Ok(handle_of(B::mem_import_opaque_fd(context, device, size, fd)?)))
    };

    urBindlessImagesMapExternalArrayExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pImageFormat:
        *const ur_image_format_t, pImageDesc: *const ur_image_desc_t, hExternalMem: ur_exp_external_mem_handle_t,
        phImageMem: *mut ur_exp_image_mem_native_handle_t) {
        let (context, device) = (object(hContext, "hContext")?, object(hDevice, "hDevice")?);
        let (format, desc) = (image::format(value(pImageFormat, "pImageFormat")?)?, image::desc(value(pImageDesc, "pImageDesc")?)?);
        let memory = number_of(hExternalMem, "hExternalMem")?;
        put(phImageMem, "phImageMem", || Ok(B::mem_map_external_array(context, device, &format, &desc, memory)?.expose_provenance()))
    };

    urBindlessImagesMapExternalLinearMemoryExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, offset:
        u64, size: u64, hExternalMem: ur_exp_external_mem_handle_t, ppRetMem: *mut *mut c_void) {
        let (context, device) = (object(hContext, "hContext")?, object(hDevice, "hDevice")?);
        let memory = number_of(hExternalMem, "hExternalMem")?;
        put(ppRetMem, "ppRetMem", || B::mem_map_external_linear(context, device, memory, offset, size))
    };

    urBindlessImagesReleaseExternalMemoryExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, hExternalMem:
        ur_exp_external_mem_handle_t) {
        let (context, device) = (object(hContext, "hContext")?, object(hDevice, "hDevice")?);
        B::mem_release_interop(context, device, number_of(hExternalMem, "hExternalMem")?)
    };

    urBindlessImagesFreeMappedLinearMemoryExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pMem: *mut
        c_void) {
        let (context, device) = (object(hContext, "hContext")?, object(hDevice, "hDevice")?);
        B::mem_free_mapped_linear(context, device, address(pMem, "pMem")?)
    };

    urBindlessImagesSupportsImportingHandleTypeExp(hDevice: ur_device_handle_t, memHandleType:
        ur_exp_external_mem_type_t, pSupportedRet: *mut ur_bool_t) {
        let device = object::<B::Device>(hDevice, "hDevice")?;
        put(pSupportedRet, "pSupportedRet", || {
            let can = query::flag::<B>(device, DeviceInfo::INTEROP_MEMORY_IMPORT_SUPPORT);
            Ok(u8::from(can && memHandleType == UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD))
        })
    };

    urBindlessImagesImportExternalSemaphoreExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
        semHandleType: ur_exp_external_semaphore_type_t, pExternalSemaphoreDesc: *mut
        ur_exp_external_semaphore_desc_t, phExternalSemaphore: *mut ur_exp_external_semaphore_handle_t) {
        let (context, device) = (object(hContext, "hContext")?, object(hDevice, "hDevice")?);
        let desc = value(pExternalSemaphoreDesc, "pExternalSemaphoreDesc")?;
        let fd = file_descriptor(semHandleType == UR_EXP_EXTERNAL_SEMAPHORE_TYPE_OPAQUE_FD, desc.pNext, "semHandleType")?;
        put(phExternalSemaphore, "phExternalSemaphore", || Ok(handle_of(B::import_external_semaphore_opaque_fd(context, device, fd)?)))
    };

    urBindlessImagesReleaseExternalSemaphoreExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
        hExternalSemaphore: ur_exp_external_semaphore_handle_t) {
        let (context, device) = (object(hContext, "hContext")?, object(hDevice, "hDevice")?);
        B::destroy_external_semaphore(context, device, number_of(hExternalSemaphore, "hExternalSemaphore")?)
    };

    urBindlessImagesWaitExternalSemaphoreExp(hQueue: ur_queue_handle_t, hSemaphore:
        ur_exp_external_semaphore_handle_t, hasWaitValue: u8, waitValue: u64, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, semaphore) = (object(hQueue, "hQueue")?, number_of(hSemaphore, "hSemaphore")?);
        no_value(hasWaitValue, waitValue)?;
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            |dependencies| B::wait_external_semaphore(queue, semaphore, dependencies))
    };

    urBindlessImagesSignalExternalSemaphoreExp(hQueue: ur_queue_handle_t, hSemaphore:
        ur_exp_external_semaphore_handle_t, hasSignalValue: u8, signalValue: u64, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, semaphore) = (object(hQueue, "hQueue")?, number_of(hSemaphore, "hSemaphore")?);
        no_value(hasSignalValue, signalValue)?;
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            |dependencies| B::signal_external_semaphore(queue, semaphore, dependencies))
    };
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
        .ok_or_else(|| Error::invalid_value("the description has no ur_exp_file_descriptor_t behind it"))
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
    Err(Error::unsupported(format!("the value {value}: imported semaphores here are binary, without values")))
}
