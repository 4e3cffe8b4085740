//! Bindless images, and memory and semaphores imported from elsewhere.

use core::ffi::c_void;

use sycl_pi_core::*;

use crate::api::SamplerProperties;
use crate::{New, Order};

/// What `piextMemImageCopy` moves: two addresses, the image's shape, where and how much.
pub struct ImageCopy<'a> {
    /// Destination: image memory or host address.
    pub dst: *mut c_void,
    /// Source: image memory or host address.
    pub src: *mut c_void,
    /// Pixel format.
    pub format: &'a pi_image_format,
    /// Shape.
    pub desc: &'a pi_image_desc,
    /// Direction.
    pub flags: pi_image_copy_flags,
    /// Corner in the source.
    pub src_offset: &'a [usize; 3],
    /// Corner in the destination.
    pub dst_offset: &'a [usize; 3],
    /// How much is copied.
    pub copy_extent: &'a [usize; 3],
    /// Shape of the host memory.
    pub host_extent: &'a [usize; 3],
}

api! {
    /// Bindless images, as far as PI 15.47 has them.
    trait BindlessApi {
        /// Ends an unsampled image's handle.
        fn piextMemUnsampledImageHandleDestroy(context: &Self::Context, device: &Self::Device, handle: pi_image_handle);
        /// Ends a sampled image's handle.
        fn piextMemSampledImageHandleDestroy(context: &Self::Context, device: &Self::Device, handle: pi_image_handle);
        /// A sampler with mipmap levels (min, max) and anisotropy.
        fn piextBindlessImageSamplerCreate(context: &Self::Context,
            properties: SamplerProperties, mipmap_clamp: (f32, f32), max_anisotropy: f32)
            -> New<Self::Sampler>;
        /// Memory for an image.
        fn piextMemImageAllocate(context: &Self::Context, device: &Self::Device, format: &pi_image_format,
            desc: &pi_image_desc) -> pi_image_mem_handle;
        /// Frees image memory.
        fn piextMemImageFree(context: &Self::Context, device: &Self::Device, memory: pi_image_mem_handle);
        /// An unsampled image over image memory.
        fn piextMemUnsampledImageCreate(context: &Self::Context, device: &Self::Device, memory: pi_image_mem_handle,
            format: &pi_image_format, desc: &pi_image_desc) -> (Option<New<Self::Mem>>, pi_image_handle);
        /// A sampled image over image memory.
        fn piextMemSampledImageCreate(context: &Self::Context, device: &Self::Device, memory: pi_image_mem_handle,
            format: &pi_image_format, desc: &pi_image_desc, sampler: &Self::Sampler)
            -> (Option<New<Self::Mem>>, pi_image_handle);
        /// Copies between host and image memory.
        fn piextMemImageCopy(queue: &Self::Queue, copy: ImageCopy<'_>, order: Order<'_, Self::Event>);
        /// Writes a property of image memory to `value` (whose size the property gives) and returns its size.
        fn piextMemImageGetInfo(memory: pi_image_mem_handle, name: pi_image_info, value: *mut c_void) -> usize;
        /// One level of a mipmap.
        fn piextMemMipmapGetLevel(context: &Self::Context, device: &Self::Device, memory: pi_image_mem_handle,
            level: u32) -> pi_image_mem_handle;
        /// Frees a mipmap.
        fn piextMemMipmapFree(context: &Self::Context, device: &Self::Device, memory: pi_image_mem_handle);
        /// Memory behind a file descriptor.
        fn piextMemImportOpaqueFD(context: &Self::Context, device: &Self::Device, size: usize, fd: i32)
            -> pi_interop_mem_handle;
        /// Gives imported memory back.
        fn piextMemReleaseInterop(context: &Self::Context, device: &Self::Device, memory: pi_interop_mem_handle);
        /// Image memory over imported memory.
        fn piextMemMapExternalArray(context: &Self::Context, device: &Self::Device, format: &pi_image_format,
            desc: &pi_image_desc, memory: pi_interop_mem_handle) -> pi_image_mem_handle;
        /// A semaphore behind a file descriptor.
        fn piextImportExternalSemaphoreOpaqueFD(context: &Self::Context, device: &Self::Device, fd: i32)
            -> pi_interop_semaphore_handle;
        /// Gives an imported semaphore back.
        fn piextDestroyExternalSemaphore(context: &Self::Context, device: &Self::Device,
            semaphore: pi_interop_semaphore_handle);
        /// Waits for a semaphore.
        fn piextWaitExternalSemaphore(queue: &Self::Queue, semaphore: pi_interop_semaphore_handle,
            order: Order<'_, Self::Event>);
        /// Signals a semaphore.
        fn piextSignalExternalSemaphore(queue: &Self::Queue, semaphore: pi_interop_semaphore_handle,
            order: Order<'_, Self::Event>);
    }
}

stubs! {
    piextMemUnsampledImageHandleDestroy(context: pi_context, device: pi_device, handle: pi_image_handle)
        B::piextMemUnsampledImageHandleDestroy(object(context, "context")?, object(device, "device")?, handle);

    piextMemSampledImageHandleDestroy(context: pi_context, device: pi_device, handle: pi_image_handle)
        B::piextMemSampledImageHandleDestroy(object(context, "context")?, object(device, "device")?, handle);

    piextBindlessImageSamplerCreate(context: pi_context, sampler_properties: *const pi_sampler_properties,
        min_mipmap_level_clamp: f32, max_mipmap_level_clamp: f32, max_anisotropy: f32,
        result_sampler: *mut pi_sampler) {
        let context = object(context, "context")?;
        let list = properties_list(sampler_properties)?;
        create(result_sampler, "result_sampler", || B::piextBindlessImageSamplerCreate(context,
            SamplerProperties::read(list)?, (min_mipmap_level_clamp, max_mipmap_level_clamp), max_anisotropy))
    };

    piextMemImageAllocate(context: pi_context, device: pi_device, image_format: *mut pi_image_format,
        image_desc: *mut pi_image_desc, ret_mem: *mut pi_image_mem_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let (format, desc) = (value(image_format, "image_format")?, value(image_desc, "image_desc")?);
        put(ret_mem, "ret_mem", || B::piextMemImageAllocate(context, device, format, desc))
    };

    piextMemImageFree(context: pi_context, device: pi_device, memory_handle: pi_image_mem_handle)
        B::piextMemImageFree(object(context, "context")?, object(device, "device")?,
            address(memory_handle, "memory_handle")?);

    piextMemUnsampledImageCreate(context: pi_context, device: pi_device, img_mem: pi_image_mem_handle,
        image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, ret_mem: *mut pi_mem,
        ret_handle: *mut pi_image_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let (format, desc) = (value(image_format, "image_format")?, value(image_desc, "image_desc")?);
        let memory = address(img_mem, "img_mem")?;
        put(ret_handle, "ret_handle", || {
            let (mem, handle) = B::piextMemUnsampledImageCreate(context, device, memory, format, desc)?;
            if let (Some(mem), Some(out)) = (mem, out_or_null(ret_mem)) {
                *out = mem.into_raw();
            }
            Ok(handle)
        })
    };

    piextMemSampledImageCreate(context: pi_context, device: pi_device, img_mem: pi_image_mem_handle,
        image_format: *mut pi_image_format, image_desc: *mut pi_image_desc, sampler: pi_sampler,
        ret_mem: *mut pi_mem, ret_handle: *mut pi_image_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let (format, desc) = (value(image_format, "image_format")?, value(image_desc, "image_desc")?);
        let (memory, sampler) = (address(img_mem, "img_mem")?, object(sampler, "sampler")?);
        put(ret_handle, "ret_handle", || {
            let (mem, handle) = B::piextMemSampledImageCreate(context, device, memory, format, desc, sampler)?;
            if let (Some(mem), Some(out)) = (mem, out_or_null(ret_mem)) {
                *out = mem.into_raw();
            }
            Ok(handle)
        })
    };

    piextMemImageCopy(queue: pi_queue, dst_ptr: *mut c_void, src_ptr: *mut c_void,
        image_format: *const pi_image_format, image_desc: *const pi_image_desc, flags: pi_image_copy_flags,
        src_offset: pi_image_offset, dst_offset: pi_image_offset, copy_extent: pi_image_region,
        host_extent: pi_image_region, num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) {
        let queue = object(queue, "command_queue")?;
        let copy = ImageCopy {
            dst: address(dst_ptr, "dst_ptr")?,
            src: address(src_ptr, "src_ptr")?,
            format: value(image_format, "image_format")?,
            desc: value(image_desc, "image_desc")?,
            flags,
            src_offset: triple(src_offset, "src_offset")?,
            dst_offset: triple(dst_offset, "dst_offset")?,
            copy_extent: triple(copy_extent, "copy_extent")?,
            host_extent: triple(host_extent, "host_extent")?,
        };
        B::piextMemImageCopy(queue, copy, order(num_events, events, event)?)
    };

    piextMemImageGetInfo(mem_handle: pi_image_mem_handle, param_name: pi_image_info, param_value: *mut c_void,
        param_value_size_ret: *mut usize) {
        let size = B::piextMemImageGetInfo(address(mem_handle, "mem_handle")?, param_name, param_value)?;
        if let Some(out) = out_or_null(param_value_size_ret) {
            *out = size;
        }
        Ok(())
    };

    piextMemMipmapGetLevel(context: pi_context, device: pi_device, mip_mem: pi_image_mem_handle, level: c_uint,
        ret_mem: *mut pi_image_mem_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let memory = address(mip_mem, "mip_mem")?;
        put(ret_mem, "ret_mem", || B::piextMemMipmapGetLevel(context, device, memory, level))
    };

    piextMemMipmapFree(context: pi_context, device: pi_device, memory_handle: pi_image_mem_handle)
        B::piextMemMipmapFree(object(context, "context")?, object(device, "device")?,
            address(memory_handle, "memory_handle")?);

    piextMemImportOpaqueFD(context: pi_context, device: pi_device, size: usize, file_descriptor: c_int,
        ret_handle: *mut pi_interop_mem_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        put(ret_handle, "ret_handle", || B::piextMemImportOpaqueFD(context, device, size, file_descriptor))
    };

    piextMemReleaseInterop(context: pi_context, device: pi_device, memory_handle: pi_interop_mem_handle)
        B::piextMemReleaseInterop(object(context, "context")?, object(device, "device")?, memory_handle);

    piextMemMapExternalArray(context: pi_context, device: pi_device, image_format: *mut pi_image_format,
        image_desc: *mut pi_image_desc, mem_handle: pi_interop_mem_handle, ret_mem: *mut pi_image_mem_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        let (format, desc) = (value(image_format, "image_format")?, value(image_desc, "image_desc")?);
        put(ret_mem, "ret_mem", || B::piextMemMapExternalArray(context, device, format, desc, mem_handle))
    };

    piextImportExternalSemaphoreOpaqueFD(context: pi_context, device: pi_device, file_descriptor: c_int,
        ret_handle: *mut pi_interop_semaphore_handle) {
        let (context, device) = (object(context, "context")?, object(device, "device")?);
        put(ret_handle, "ret_handle", || B::piextImportExternalSemaphoreOpaqueFD(context, device, file_descriptor))
    };

    piextDestroyExternalSemaphore(context: pi_context, device: pi_device, sem_handle: pi_interop_semaphore_handle)
        B::piextDestroyExternalSemaphore(object(context, "context")?, object(device, "device")?, sem_handle);

    piextWaitExternalSemaphore(queue: pi_queue, sem_handle: pi_interop_semaphore_handle, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event)
        B::piextWaitExternalSemaphore(object(queue, "command_queue")?, sem_handle, order(num_events, events, event)?);

    piextSignalExternalSemaphore(queue: pi_queue, sem_handle: pi_interop_semaphore_handle, num_events: pi_uint32,
        events: *const pi_event, event: *mut pi_event)
        B::piextSignalExternalSemaphore(object(queue, "command_queue")?, sem_handle,
            order(num_events, events, event)?);
}
