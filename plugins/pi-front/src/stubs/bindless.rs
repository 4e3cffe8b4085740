//! Bindless images, and imported memory and semaphores.

use super::prelude::*;
use sycl_pi_backend::api::ImageCopy;

use super::sampler::sampler_properties_of;
use crate::convert::{image_desc as desc_of, image_format as format_of};

#[entry]
pub unsafe extern "C" fn piextMemUnsampledImageHandleDestroy<B: Backend>(
    context: pi_context, device: pi_device, handle: pi_image_handle,
) -> Result<()> {
    B::mem_unsampled_image_handle_destroy(
        // SAFETY: `context` is null or a live handle.
        unsafe { object(context, "context")? },
        // SAFETY: `device` is null or a live handle.
        unsafe { object(device, "device")? },
        handle,
    )
}

#[entry]
pub unsafe extern "C" fn piextMemSampledImageHandleDestroy<B: Backend>(
    context: pi_context, device: pi_device, handle: pi_image_handle,
) -> Result<()> {
    B::mem_sampled_image_handle_destroy(
        // SAFETY: `context` is null or a live handle.
        unsafe { object(context, "context")? },
        // SAFETY: `device` is null or a live handle.
        unsafe { object(device, "device")? },
        handle,
    )
}

#[entry]
pub unsafe extern "C" fn piextBindlessImageSamplerCreate<B: Backend>(
    context: pi_context, sampler_properties: *const pi_sampler_properties, min_mipmap_level_clamp: f32,
    max_mipmap_level_clamp: f32, max_anisotropy: f32, result_sampler: *mut pi_sampler,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `sampler_properties` is null or a list that ends with a zero.
    let list = unsafe { Properties::read(sampler_properties)? };
    // SAFETY: `result_sampler` is null or writable.
    unsafe {
        create(result_sampler, "result_sampler", || {
            B::bindless_image_sampler_create(
                context,
                sampler_properties_of(list)?,
                (min_mipmap_level_clamp, max_mipmap_level_clamp),
                max_anisotropy,
            )
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextMemImageAllocate<B: Backend>(
    context: pi_context, device: pi_device, image_format: *mut pi_image_format,
    image_desc: *mut pi_image_desc, ret_mem: *mut pi_image_mem_handle,
) -> Result<()> {
    // SAFETY: `context` and `device` are null or live handles.
    let (context, device) = unsafe { (object(context, "context")?, object(device, "device")?) };
    // SAFETY: `image_format` is null or what its type says.
    let format = format_of(unsafe { value(image_format, "image_format")? });
    // SAFETY: `image_desc` is null or what its type says.
    let desc = desc_of(unsafe { value(image_desc, "image_desc")? });
    // SAFETY: `ret_mem` is null or writable.
    unsafe { put(ret_mem, "ret_mem", || B::mem_image_allocate(context, device, &format, &desc)) }
}

#[entry]
pub unsafe extern "C" fn piextMemImageFree<B: Backend>(
    context: pi_context, device: pi_device, memory_handle: pi_image_mem_handle,
) -> Result<()> {
    B::mem_image_free(
        // SAFETY: `context` is null or a live handle.
        unsafe { object(context, "context")? },
        // SAFETY: `device` is null or a live handle.
        unsafe { object(device, "device")? },
        address(memory_handle, "memory_handle")?,
    )
}

#[entry]
pub unsafe extern "C" fn piextMemUnsampledImageCreate<B: Backend>(
    context: pi_context, device: pi_device, img_mem: pi_image_mem_handle, image_format: *mut pi_image_format,
    image_desc: *mut pi_image_desc, ret_mem: *mut pi_mem, ret_handle: *mut pi_image_handle,
) -> Result<()> {
    // SAFETY: `context` and `device` are null or live handles.
    let (context, device) = unsafe { (object(context, "context")?, object(device, "device")?) };
    // SAFETY: `image_format` is null or what its type says.
    let format = format_of(unsafe { value(image_format, "image_format")? });
    // SAFETY: `image_desc` is null or what its type says.
    let desc = desc_of(unsafe { value(image_desc, "image_desc")? });
    let memory = address(img_mem, "img_mem")?;
    // SAFETY: `ret_handle` is null or writable.
    unsafe {
        put(ret_handle, "ret_handle", || {
            let (mem, handle) = B::mem_unsampled_image_create(context, device, memory, &format, &desc)?;
            if let (Some(mem), Some(out)) = (mem, out_or_null(ret_mem)) {
                *out = mem.into_raw().cast();
            }
            Ok(handle)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextMemSampledImageCreate<B: Backend>(
    context: pi_context, device: pi_device, img_mem: pi_image_mem_handle, image_format: *mut pi_image_format,
    image_desc: *mut pi_image_desc, sampler: pi_sampler, ret_mem: *mut pi_mem,
    ret_handle: *mut pi_image_handle,
) -> Result<()> {
    // SAFETY: `context` and `device` are null or live handles.
    let (context, device) = unsafe { (object(context, "context")?, object(device, "device")?) };
    // SAFETY: `image_format` is null or what its type says.
    let format = format_of(unsafe { value(image_format, "image_format")? });
    // SAFETY: `image_desc` is null or what its type says.
    let desc = desc_of(unsafe { value(image_desc, "image_desc")? });
    // SAFETY: `sampler` is null or a live handle.
    let (memory, sampler) = (address(img_mem, "img_mem")?, unsafe { object(sampler, "sampler")? });
    // SAFETY: `ret_handle` is null or writable.
    unsafe {
        put(ret_handle, "ret_handle", || {
            let (mem, handle) =
                B::mem_sampled_image_create(context, device, memory, &format, &desc, sampler)?;
            if let (Some(mem), Some(out)) = (mem, out_or_null(ret_mem)) {
                *out = mem.into_raw().cast();
            }
            Ok(handle)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextMemImageCopy<B: Backend>(
    queue: pi_queue, dst_ptr: *mut c_void, src_ptr: *mut c_void, image_format: *const pi_image_format,
    image_desc: *const pi_image_desc, flags: pi_image_copy_flags, src_offset: pi_image_offset,
    dst_offset: pi_image_offset, copy_extent: pi_image_region, host_extent: pi_image_region,
    num_events: pi_uint32, events: *const pi_event, event: *mut pi_event,
) -> Result<()> {
    // SAFETY: `queue` is null or a live handle.
    let queue = unsafe { object(queue, "command_queue")? };
    // SAFETY: `image_format` is null or what its type says.
    let format = format_of(unsafe { value(image_format, "image_format")? });
    // SAFETY: `image_desc` is null or what its type says.
    let desc = desc_of(unsafe { value(image_desc, "image_desc")? });
    let copy = ImageCopy {
        dst: address(dst_ptr, "dst_ptr")?,
        src: address(src_ptr, "src_ptr")?,
        format: &format,
        src_desc: &desc,
        dst_desc: &desc,
        direction: ImageCopyDirection(flags),
        // SAFETY: `src_offset` is null or what its type says.
        src_offset: unsafe { triple(src_offset, "src_offset")? },
        // SAFETY: `dst_offset` is null or what its type says.
        dst_offset: unsafe { triple(dst_offset, "dst_offset")? },
        // SAFETY: `copy_extent` is null or what its type says.
        copy_extent: unsafe { triple(copy_extent, "copy_extent")? },
        // SAFETY: `host_extent` is null or what its type says.
        host_extent: unsafe { triple(host_extent, "host_extent")? },
        host_row_pitch: 0,
    };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    B::mem_image_copy(queue, copy, unsafe { dependencies(num_events, events, event)? })
}

#[entry]
pub unsafe extern "C" fn piextMemImageGetInfo<B: Backend>(
    mem_handle: pi_image_mem_handle, param_name: pi_image_info, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    let size =
        B::bindless_image_info(address(mem_handle, "mem_handle")?, ImageInfo(param_name), param_value)?;
    // SAFETY: `param_value_size_ret` is null or writable.
    if let Some(out) = unsafe { out_or_null(param_value_size_ret) } {
        *out = size;
    }
    Ok(())
}

#[entry]
pub unsafe extern "C" fn piextMemMipmapGetLevel<B: Backend>(
    context: pi_context, device: pi_device, mip_mem: pi_image_mem_handle, level: c_uint,
    ret_mem: *mut pi_image_mem_handle,
) -> Result<()> {
    // SAFETY: `context` and `device` are null or live handles.
    let (context, device) = unsafe { (object(context, "context")?, object(device, "device")?) };
    let memory = address(mip_mem, "mip_mem")?;
    // SAFETY: `ret_mem` is null or writable.
    unsafe { put(ret_mem, "ret_mem", || B::mem_mipmap_level(context, device, memory, level)) }
}

#[entry]
pub unsafe extern "C" fn piextMemMipmapFree<B: Backend>(
    context: pi_context, device: pi_device, memory_handle: pi_image_mem_handle,
) -> Result<()> {
    B::mem_mipmap_free(
        // SAFETY: `context` is null or a live handle.
        unsafe { object(context, "context")? },
        // SAFETY: `device` is null or a live handle.
        unsafe { object(device, "device")? },
        address(memory_handle, "memory_handle")?,
    )
}

#[entry]
pub unsafe extern "C" fn piextMemImportOpaqueFD<B: Backend>(
    context: pi_context, device: pi_device, size: usize, file_descriptor: c_int,
    ret_handle: *mut pi_interop_mem_handle,
) -> Result<()> {
    // SAFETY: `context` and `device` are null or live handles.
    let (context, device) = unsafe { (object(context, "context")?, object(device, "device")?) };
    // SAFETY: `ret_handle` is null or writable.
    unsafe {
        put(ret_handle, "ret_handle", || B::mem_import_opaque_fd(context, device, size, file_descriptor))
    }
}

#[entry]
pub unsafe extern "C" fn piextMemReleaseInterop<B: Backend>(
    context: pi_context, device: pi_device, memory_handle: pi_interop_mem_handle,
) -> Result<()> {
    B::mem_release_interop(
        // SAFETY: `context` is null or a live handle.
        unsafe { object(context, "context")? },
        // SAFETY: `device` is null or a live handle.
        unsafe { object(device, "device")? },
        memory_handle,
    )
}

#[entry]
pub unsafe extern "C" fn piextMemMapExternalArray<B: Backend>(
    context: pi_context, device: pi_device, image_format: *mut pi_image_format,
    image_desc: *mut pi_image_desc, mem_handle: pi_interop_mem_handle, ret_mem: *mut pi_image_mem_handle,
) -> Result<()> {
    // SAFETY: `context` and `device` are null or live handles.
    let (context, device) = unsafe { (object(context, "context")?, object(device, "device")?) };
    // SAFETY: `image_format` is null or what its type says.
    let format = format_of(unsafe { value(image_format, "image_format")? });
    // SAFETY: `image_desc` is null or what its type says.
    let desc = desc_of(unsafe { value(image_desc, "image_desc")? });
    // SAFETY: `ret_mem` is null or writable.
    unsafe {
        put(ret_mem, "ret_mem", || B::mem_map_external_array(context, device, &format, &desc, mem_handle))
    }
}

#[entry]
pub unsafe extern "C" fn piextImportExternalSemaphoreOpaqueFD<B: Backend>(
    context: pi_context, device: pi_device, file_descriptor: c_int,
    ret_handle: *mut pi_interop_semaphore_handle,
) -> Result<()> {
    // SAFETY: `context` and `device` are null or live handles.
    let (context, device) = unsafe { (object(context, "context")?, object(device, "device")?) };
    // SAFETY: `ret_handle` is null or writable.
    unsafe {
        put(ret_handle, "ret_handle", || {
            B::import_external_semaphore_opaque_fd(context, device, file_descriptor)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextDestroyExternalSemaphore<B: Backend>(
    context: pi_context, device: pi_device, sem_handle: pi_interop_semaphore_handle,
) -> Result<()> {
    B::destroy_external_semaphore(
        // SAFETY: `context` is null or a live handle.
        unsafe { object(context, "context")? },
        // SAFETY: `device` is null or a live handle.
        unsafe { object(device, "device")? },
        sem_handle,
    )
}

#[entry]
pub unsafe extern "C" fn piextWaitExternalSemaphore<B: Backend>(
    queue: pi_queue, sem_handle: pi_interop_semaphore_handle, num_events: pi_uint32, events: *const pi_event,
    event: *mut pi_event,
) -> Result<()> {
    B::wait_external_semaphore(
        // SAFETY: `queue` is null or a live handle.
        unsafe { object(queue, "command_queue")? },
        sem_handle,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}

#[entry]
pub unsafe extern "C" fn piextSignalExternalSemaphore<B: Backend>(
    queue: pi_queue, sem_handle: pi_interop_semaphore_handle, num_events: pi_uint32, events: *const pi_event,
    event: *mut pi_event,
) -> Result<()> {
    B::signal_external_semaphore(
        // SAFETY: `queue` is null or a live handle.
        unsafe { object(queue, "command_queue")? },
        sem_handle,
        // SAFETY: the wait list has as many events as the caller states, and `event` is null or writable.
        unsafe { dependencies(num_events, events, event)? },
    )
}
