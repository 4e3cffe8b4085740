//! Buffers, sub-buffers and images.

use super::prelude::*;
use sycl_pi_backend::api::{check_host_ptr, check_size};

use crate::convert::{image_desc as desc_of, image_format as format_of};

#[entry]
pub unsafe extern "C" fn piMemBufferCreate<B: Backend>(
    context: pi_context, flags: pi_mem_flags, size: usize, host_ptr: *mut c_void, ret_mem: *mut pi_mem,
    properties: *const pi_mem_properties,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `properties` is null or a list that ends with a zero.
    let list = unsafe { Properties::read(properties)? };
    let flags = MemFlags::from_bits_retain(flags);
    // SAFETY: `ret_mem` is null or writable.
    unsafe {
        create(ret_mem, "ret_mem", || {
            check_host_ptr(flags, host_ptr)?;
            check_size(size)?;
            B::mem_buffer_create(context, flags, size, host_ptr, list)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piMemImageCreate<B: Backend>(
    context: pi_context, flags: pi_mem_flags, image_format: *const pi_image_format,
    image_desc: *const pi_image_desc, host_ptr: *mut c_void, ret_mem: *mut pi_mem,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `image_format` is null or what its type says.
    let format = format_of(unsafe { value(image_format, "image_format")? });
    // SAFETY: `image_desc` is null or what its type says.
    let desc = desc_of(unsafe { value(image_desc, "image_desc")? });
    let flags = MemFlags::from_bits_retain(flags);
    // SAFETY: `ret_mem` is null or writable.
    unsafe {
        create(ret_mem, "ret_mem", || {
            check_host_ptr(flags, host_ptr)?;
            B::mem_image_create(context, flags, &format, &desc, host_ptr)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piMemGetInfo<B: Backend>(
    mem: pi_mem, param_name: pi_mem_info, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `mem` is null or a live handle.
    let mem = unsafe { object(mem, "mem")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::mem_info(mem, MemInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piMemImageGetInfo<B: Backend>(
    image: pi_mem, param_name: pi_image_info, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `image` is null or a live handle.
    let image = unsafe { object(image, "image")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::mem_image_info(image, ImageInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piMemRetain<B: Backend>(mem: pi_mem) -> Result<()> {
    // SAFETY: `mem` is null or a live handle.
    unsafe { object::<B::Mem>(mem, "mem")? }.retain()
}

#[entry]
pub unsafe extern "C" fn piMemRelease<B: Backend>(mem: pi_mem) -> Result<()> {
    // SAFETY: `mem` is null or a live handle.
    unsafe { object::<B::Mem>(mem, "mem")?.release() }
}

#[entry]
pub unsafe extern "C" fn piMemBufferPartition<B: Backend>(
    buffer: pi_mem, flags: pi_mem_flags, buffer_create_type: pi_buffer_create_type,
    buffer_create_info: *mut c_void, ret_mem: *mut pi_mem,
) -> Result<()> {
    // SAFETY: `buffer` is null or a live handle.
    let buffer = unsafe { object(buffer, "buffer")? };
    if buffer_create_type != PI_BUFFER_CREATE_TYPE_REGION {
        return Err(Error::invalid_value(format!("unknown buffer_create_type {buffer_create_type:#x}")));
    }
    let region: &pi_buffer_region_struct =
        // SAFETY: `buffer_create_info.cast_const()` is null or what its type says.
        unsafe { value(buffer_create_info.cast_const().cast(), "buffer_create_info")? };
    let region = BufferRegion { origin: region.origin, size: region.size };
    let flags = MemFlags::from_bits_retain(flags);
    // SAFETY: `ret_mem` is null or writable.
    unsafe { create(ret_mem, "ret_mem", || B::mem_buffer_partition(buffer, flags, region)) }
}

#[entry]
pub unsafe extern "C" fn piextMemGetNativeHandle<B: Backend>(
    mem: pi_mem, dev: pi_device, native_handle: *mut pi_native_handle,
) -> Result<()> {
    // SAFETY: `mem` and `dev` are null or live handles.
    let (mem, device) = unsafe { (object(mem, "mem")?, object_or_null(dev, "dev")?) };
    // SAFETY: `native_handle` is null or writable.
    unsafe { put(native_handle, "nativeHandle", || B::mem_native_handle(mem, device)) }
}

#[entry]
pub unsafe extern "C" fn piextMemGetNativeHandle_until_14_39<B: Backend>(
    mem: pi_mem, native_handle: *mut pi_native_handle,
) -> Result<()> {
    // SAFETY: `mem` is null or a live handle.
    let mem = unsafe { object(mem, "mem")? };
    // SAFETY: `native_handle` is null or writable.
    unsafe { put(native_handle, "nativeHandle", || B::mem_native_handle(mem, None)) }
}

#[entry]
pub unsafe extern "C" fn piextMemCreateWithNativeHandle<B: Backend>(
    native_handle: pi_native_handle, context: pi_context, own_native_handle: pi_cxx_bool, mem: *mut pi_mem,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `mem` is null or writable.
    unsafe {
        create(mem, "mem", || {
            B::mem_create_with_native_handle(native_handle, context, own_native_handle != 0)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextMemImageCreateWithNativeHandle<B: Backend>(
    native_handle: pi_native_handle, context: pi_context, own_native_handle: pi_cxx_bool,
    image_format: *const pi_image_format, image_desc: *const pi_image_desc, img: *mut pi_mem,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `image_format` is null or points to what its type says.
    let format = unsafe { image_format.as_ref() }.map(format_of);
    // SAFETY: `image_desc` is null or points to what its type says.
    let desc = unsafe { image_desc.as_ref() }.map(desc_of);
    // SAFETY: `img` is null or writable.
    unsafe {
        create(img, "img", || {
            B::mem_image_create_with_native_handle(
                native_handle,
                context,
                own_native_handle != 0,
                format.as_ref(),
                desc.as_ref(),
            )
        })
    }
}
