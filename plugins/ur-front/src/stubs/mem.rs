//! Buffers and images.

use sycl_pi_backend::api::{check_host_ptr, check_size};

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn urMemBufferCreate<B: Backend>(
    hContext: ur_context_handle_t, flags: ur_mem_flags_t, size: usize,
    pProperties: *const ur_buffer_properties_t, phBuffer: *mut ur_mem_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    let flags = convert::mem_flags(flags)?;
    let host_ptr =
        // SAFETY: `pProperties` is null or points to what its type says.
        unsafe { pProperties.as_ref() }.map_or(core::ptr::null_mut(), |properties| properties.pHost);
    check_size(size)?;
    check_host_ptr(flags, host_ptr)?;
    // SAFETY: `phBuffer` is null or writable.
    unsafe {
        create(phBuffer, "phBuffer", context, || {
            B::mem_buffer_create(context, flags, size, host_ptr, Properties::NONE)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urMemRetain<B: Backend>(hMem: ur_mem_handle_t) -> Result<()> {
    // SAFETY: `hMem` is null or a live handle.
    unsafe { object::<B::Mem>(hMem, "hMem")? }.retain_by_caller()
}

#[entry]
pub unsafe extern "C" fn urMemRelease<B: Backend>(hMem: ur_mem_handle_t) -> Result<()> {
    // SAFETY: `hMem` is null or a live handle.
    unsafe { object::<B::Mem>(hMem, "hMem")?.release_by_caller() }
}

#[entry]
pub unsafe extern "C" fn urMemBufferPartition<B: Backend>(
    hBuffer: ur_mem_handle_t, flags: ur_mem_flags_t, bufferCreateType: ur_buffer_create_type_t,
    pRegion: *const ur_buffer_region_t, phMem: *mut ur_mem_handle_t,
) -> Result<()> {
    // SAFETY: `hBuffer` is null or a live handle.
    let buffer = unsafe { object::<B::Mem>(hBuffer, "hBuffer")? };
    // SAFETY: `pRegion` is null or what its type says.
    let region = unsafe { value(pRegion, "pRegion")? };
    if bufferCreateType != UR_BUFFER_CREATE_TYPE_REGION {
        let text = format!("bufferCreateType {bufferCreateType} is unknown");
        return Err(error(UR_RESULT_ERROR_INVALID_ENUMERATION, text));
    }
    let flags = convert::mem_flags(flags)?;
    let region = BufferRegion { origin: region.origin, size: region.size };
    // SAFETY: `phMem` is null or writable.
    unsafe { create(phMem, "phMem", buffer, || B::mem_buffer_partition(buffer, flags, region)) }
}

#[entry]
pub unsafe extern "C" fn urMemGetNativeHandle<B: Backend>(
    hMem: ur_mem_handle_t, hDevice: ur_device_handle_t, phNativeMem: *mut ur_native_handle_t,
) -> Result<()> {
    // SAFETY: `hMem` and `hDevice` are null or live handles.
    let (mem, device) = unsafe { (object(hMem, "hMem")?, object_or_null::<B::Device>(hDevice, "hDevice")?) };
    // SAFETY: `phNativeMem` is null or writable.
    unsafe { put(phNativeMem, "phNativeMem", || B::mem_native_handle(mem, device.map(|device| &***device))) }
}

#[entry]
pub unsafe extern "C" fn urMemBufferCreateWithNativeHandle<B: Backend>(
    hNativeMem: ur_native_handle_t, hContext: ur_context_handle_t,
    pProperties: *const ur_mem_native_properties_t, phMem: *mut ur_mem_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let owned = unsafe { pProperties.as_ref() }.is_some_and(|properties| properties.isNativeHandleOwned != 0);
    // SAFETY: `phMem` is null or writable.
    unsafe {
        create(phMem, "phMem", context, || B::mem_create_with_native_handle(hNativeMem, context, owned))
    }
}

#[entry]
pub unsafe extern "C" fn urMemGetInfo<B: Backend>(
    hMemory: ur_mem_handle_t, propName: ur_mem_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hMemory` is null or a live handle.
    let memory = unsafe { object(hMemory, "hMemory")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::mem::<B>(memory, propName, unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? })
}

#[entry]
pub unsafe extern "C" fn urMemImageGetInfo<B: Backend>(
    hMemory: ur_mem_handle_t, propName: ur_image_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hMemory` is null or a live handle.
    let image = unsafe { object(hMemory, "hMemory")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::image::<B>(image, propName, unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? })
}
