//! Buffers and images.

use sycl_pi_backend::api::{check_host_ptr, check_size};

use super::prelude::*;

stubs! {
    urMemBufferCreate(hContext: ur_context_handle_t, flags: ur_mem_flags_t, size: usize, pProperties: *const
        ur_buffer_properties_t, phBuffer: *mut ur_mem_handle_t) {
        let context = object::<B::Context>(hContext, "hContext")?;
        let flags = convert::mem_flags(flags)?;
        let host_ptr = pProperties.as_ref().map_or(core::ptr::null_mut(), |properties| properties.pHost);
        check_size(size)?;
        check_host_ptr(flags, host_ptr)?;
        create(phBuffer, "phBuffer", context,
            || B::mem_buffer_create(context, flags, size, host_ptr, Properties::NONE))
    };

    urMemRetain(hMem: ur_mem_handle_t)
        object::<B::Mem>(hMem, "hMem")?.retain_by_caller();

    urMemRelease(hMem: ur_mem_handle_t)
        object::<B::Mem>(hMem, "hMem")?.release_by_caller();

    urMemBufferPartition(hBuffer: ur_mem_handle_t, flags: ur_mem_flags_t, bufferCreateType: ur_buffer_create_type_t,
        pRegion: *const ur_buffer_region_t, phMem: *mut ur_mem_handle_t) {
        let buffer = object::<B::Mem>(hBuffer, "hBuffer")?;
        let region = value(pRegion, "pRegion")?;
        if bufferCreateType != UR_BUFFER_CREATE_TYPE_REGION {
            let text = format!("bufferCreateType {bufferCreateType} is unknown");
            return Err(error(UR_RESULT_ERROR_INVALID_ENUMERATION, text));
        }
        let flags = convert::mem_flags(flags)?;
        let region = BufferRegion { origin: region.origin, size: region.size };
        create(phMem, "phMem", buffer, || B::mem_buffer_partition(buffer, flags, region))
    };

    urMemGetNativeHandle(hMem: ur_mem_handle_t, hDevice: ur_device_handle_t, phNativeMem: *mut ur_native_handle_t) {
        let (mem, device) = (object(hMem, "hMem")?, object_or_null::<B::Device>(hDevice, "hDevice")?);
        put(phNativeMem, "phNativeMem", || B::mem_native_handle(mem, device.map(|device| &***device)))
    };

    urMemBufferCreateWithNativeHandle(hNativeMem: ur_native_handle_t, hContext: ur_context_handle_t, pProperties:
        *const ur_mem_native_properties_t, phMem: *mut ur_mem_handle_t) {
        let context = object::<B::Context>(hContext, "hContext")?;
        let owned = pProperties.as_ref().is_some_and(|properties| properties.isNativeHandleOwned != 0);
        create(phMem, "phMem", context, || B::mem_create_with_native_handle(hNativeMem, context, owned))
    };

    urMemGetInfo(hMemory: ur_mem_handle_t, propName: ur_mem_info_t, propSize: usize, pPropValue: *mut c_void,
        pPropSizeRet: *mut usize) {
        let memory = object(hMemory, "hMemory")?;
        query::mem::<B>(memory, propName, Answer::new(propSize, pPropValue, pPropSizeRet)?)
    };

    urMemImageGetInfo(hMemory: ur_mem_handle_t, propName: ur_image_info_t, propSize: usize, pPropValue: *mut c_void,
        pPropSizeRet: *mut usize) {
        let image = object(hMemory, "hMemory")?;
        query::image::<B>(image, propName, Answer::new(propSize, pPropValue, pPropSizeRet)?)
    };
}
