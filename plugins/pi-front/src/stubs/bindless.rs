//! Bindless images, and imported memory and semaphores.

use sycl_pi_backend::api::ImageCopy;

use super::sampler::sampler_properties_of;
use crate::convert::{image_desc as desc_of, image_format as format_of};

stubs! {
    piextMemUnsampledImageHandleDestroy(context: pi_context, device: pi_device, handle: pi_image_handle)
        B::mem_unsampled_image_handle_destroy(object(context, "context")?, object(device, "device")?, handle);

    piextMemSampledImageHandleDestroy(context: pi_context, device: pi_device, handle: pi_image_handle)
        B::mem_sampled_image_handle_destroy(object(context, "context")?, object(device, "device")?, handle);

    piextBindlessImageSamplerCreate(context: pi_context, sampler_properties: *const pi_sampler_properties,
        min_mipmap_level_clamp: f32, max_mipmap_level_clamp: f32, max_anisotropy: f32,
        result_sampler: *mut pi_sampler) {
        let context = object(context, "context")?;
        let list = Properties::read(sampler_properties)?;
        create(result_sampler, "result_sampler", || B::bindless_image_sampler_create(context,
            sampler_properties_of(list)?, (min_mipmap_level_clamp, max_mipmap_level_clamp), max_anisotropy))
    };

    piextMemImageAllocate(context: pi_context, device: pi_device, image_format: *mut pi_image_format,
        image_desc: *mut pi_image_desc, ret_mem: *mut pi_image_mem_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let (format, desc) = (format_of(value(image_format, "image_format")?), desc_of(value(image_desc, "image_desc")?));
        put(ret_mem, "ret_mem", || B::mem_image_allocate(context, device, &format, &desc))
    };

    piextMemImageFree(context: pi_context, device: pi_device, memory_handle: pi_image_mem_handle)
        B::mem_image_free(object(context, "context")?, object(device, "device")?,
            address(memory_handle, "memory_handle")?);

    piextMemUnsampledImageCreate(context: pi_context, device: pi_device, img_mem: pi_image_mem_handle,
        image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, ret_mem: *mut pi_mem,
        ret_handle: *mut pi_image_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let (format, desc) = (format_of(value(image_format, "image_format")?), desc_of(value(image_desc, "image_desc")?));
        let memory = address(img_mem, "img_mem")?;
        put(ret_handle, "ret_handle", || {
            let (mem, handle) = B::mem_unsampled_image_create(context, device, memory, &format, &desc)?;
            if let (Some(mem), Some(out)) = (mem, out_or_null(ret_mem)) {
                *out = mem.into_raw().cast();
            }
            Ok(handle)
        })
    };

    piextMemSampledImageCreate(context: pi_context, device: pi_device, img_mem: pi_image_mem_handle,
        image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, sampler: pi_sampler,
        ret_mem: *mut pi_mem, ret_handle: *mut pi_image_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let (format, desc) = (format_of(value(image_format, "image_format")?), desc_of(value(image_desc, "image_desc")?));
        let (memory, sampler) = (address(img_mem, "img_mem")?, object(sampler, "sampler")?);
        put(ret_handle, "ret_handle", || {
            let (mem, handle) = B::mem_sampled_image_create(context, device, memory, &format, &desc, sampler)?;
            if let (Some(mem), Some(out)) = (mem, out_or_null(ret_mem)) {
                *out = mem.into_raw().cast();
            }
            Ok(handle)
        })
    };

    piextMemImageCopy(queue: pi_queue, dst_ptr: *mut c_void, src_ptr: *mut c_void,
        image_format: *const pi_image_format, image_desc: *const pi_image_desc, flags: pi_image_copy_flags,
        src_offset: pi_image_offset, dst_offset: pi_image_offset, copy_extent: pi_image_region,
        host_extent: pi_image_region, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let queue = object(queue, "command_queue")?;
        let (format, desc) = (format_of(value(image_format, "image_format")?), desc_of(value(image_desc, "image_desc")?));
        let copy = ImageCopy {
            dst: address(dst_ptr, "dst_ptr")?,
            src: address(src_ptr, "src_ptr")?,
            format: &format,
            src_desc: &desc,
            dst_desc: &desc,
            direction: ImageCopyDirection(flags),
            src_offset: triple(src_offset, "src_offset")?,
            dst_offset: triple(dst_offset, "dst_offset")?,
            copy_extent: triple(copy_extent, "copy_extent")?,
            host_extent: triple(host_extent, "host_extent")?,
            host_row_pitch: 0,
        };
        B::mem_image_copy(queue, copy, dependencies(num_events, events, event)?)
    };

    piextMemImageGetInfo(mem_handle: pi_image_mem_handle, param_name: pi_image_info, param_value: *mut c_void,
        param_value_size_ret: *mut usize) {
        let size = B::bindless_image_info(address(mem_handle, "mem_handle")?, ImageInfo(param_name), param_value)?;
        if let Some(out) = out_or_null(param_value_size_ret) {
            *out = size;
        }
        Ok(())
    };

    piextMemMipmapGetLevel(context: pi_context, device: pi_device, mip_mem: pi_image_mem_handle, level: c_uint,
        ret_mem: *mut pi_image_mem_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let memory = address(mip_mem, "mip_mem")?;
        put(ret_mem, "ret_mem", || B::mem_mipmap_level(context, device, memory, level))
    };

    piextMemMipmapFree(context: pi_context, device: pi_device, memory_handle: pi_image_mem_handle)
        B::mem_mipmap_free(object(context, "context")?, object(device, "device")?,
            address(memory_handle, "memory_handle")?);

    piextMemImportOpaqueFD(context: pi_context, device: pi_device, size: usize, file_descriptor: c_int,
        ret_handle: *mut pi_interop_mem_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        put(ret_handle, "ret_handle", || B::mem_import_opaque_fd(context, device, size, file_descriptor))
    };

    piextMemReleaseInterop(context: pi_context, device: pi_device, memory_handle: pi_interop_mem_handle)
        B::mem_release_interop(object(context, "context")?, object(device, "device")?, memory_handle);

    piextMemMapExternalArray(context: pi_context, device: pi_device, image_format: *mut pi_image_format,
        image_desc: *mut pi_image_desc, mem_handle: pi_interop_mem_handle, ret_mem: *mut pi_image_mem_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let (format, desc) = (format_of(value(image_format, "image_format")?), desc_of(value(image_desc, "image_desc")?));
        put(ret_mem, "ret_mem", || B::mem_map_external_array(context, device, &format, &desc, mem_handle))
    };

    piextImportExternalSemaphoreOpaqueFD(context: pi_context, device: pi_device, file_descriptor: c_int,
        ret_handle: *mut pi_interop_semaphore_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        put(ret_handle, "ret_handle", || B::import_external_semaphore_opaque_fd(context, device, file_descriptor))
    };

    piextDestroyExternalSemaphore(context: pi_context, device: pi_device, sem_handle: pi_interop_semaphore_handle)
        B::destroy_external_semaphore(object(context, "context")?, object(device, "device")?, sem_handle);

    piextWaitExternalSemaphore(queue: pi_queue, sem_handle: pi_interop_semaphore_handle, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event)
        B::wait_external_semaphore(object(queue, "command_queue")?, sem_handle, dependencies(num_events, events, event)?);

    piextSignalExternalSemaphore(queue: pi_queue, sem_handle: pi_interop_semaphore_handle, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event)
        B::signal_external_semaphore(object(queue, "command_queue")?, sem_handle,
            dependencies(num_events, events, event)?);
}
