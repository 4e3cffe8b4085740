//! Bindless images, and memory and semaphores from elsewhere.
//!
//! Image memory is an array, a mipmap where the descriptor has levels, or pitched device memory; images are surfaces
//! (unsampled) and textures (sampled).

use core::ffi::c_void;

use sycl_pi_backend::api::{BindlessApi, ImageCopy, SamplerProperties};
use sycl_pi_backend::{Counted, Error, New, Order, Result};
use sycl_pi_core::*;

use crate::Cuda;
use crate::context::Context;
use crate::copy::{BoxCopy, End, device_address, end_at};
use crate::device::Device;
use crate::enqueue_image::SURFACE;
use crate::event::Event;
use crate::mem::Mem;
use crate::pixel::{Pixel, array_of};
use crate::queue::Queue;
use crate::sampler::Sampler;
use crate::submit::{Lane, submit};
use crate::sys::{
    self, CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC, CUDA_RESOURCE_DESC, CUDA_TEXTURE_DESC, CUaddress_mode,
    CUarray_format, CUfilter_mode, cuda,
};

/// Whether image memory is device memory rather than an array. The context is current.
fn is_memory(memory: pi_image_mem_handle) -> bool {
    matches!(end_at(memory, 0), Ok(End::Device { .. }))
}

/// Image memory as a resource.
fn resource(memory: pi_image_mem_handle, pixel: &Pixel, desc: &pi_image_desc) -> CUDA_RESOURCE_DESC {
    if is_memory(memory) {
        let shape = (desc.image_width, desc.image_height, desc.image_row_pitch);
        return sys::of_memory(device_address(memory), pixel.format, pixel.channels, shape, pixel.bytes());
    }
    if desc.num_mip_levels > 1 { sys::of_mipmap(memory.cast()) } else { sys::of_array(memory.cast()) }
}

fn texture(sampler: &Sampler, pixel: &Pixel) -> CUDA_TEXTURE_DESC {
    const READ_AS_INTEGER: u32 = 1;
    const NORMALIZED: u32 = 2;
    const SEAMLESS: u32 = 0x40;
    let mode = match sampler.addressing {
        PI_SAMPLER_ADDRESSING_MODE_REPEAT => CUaddress_mode::CU_TR_ADDRESS_MODE_WRAP,
        PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT => CUaddress_mode::CU_TR_ADDRESS_MODE_MIRROR,
        PI_SAMPLER_ADDRESSING_MODE_CLAMP => CUaddress_mode::CU_TR_ADDRESS_MODE_BORDER,
        _ => CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP,
    };
    let filter = |mode| match mode {
        PI_SAMPLER_FILTER_MODE_LINEAR => CUfilter_mode::CU_TR_FILTER_MODE_LINEAR,
        _ => CUfilter_mode::CU_TR_FILTER_MODE_POINT,
    };
    let is_float =
        matches!(pixel.format, CUarray_format::CU_AD_FORMAT_HALF | CUarray_format::CU_AD_FORMAT_FLOAT);
    let integer = if pixel.normalized || is_float { 0 } else { READ_AS_INTEGER };
    let normalized = if sampler.normalized { NORMALIZED } else { 0 };
    let seamless = if sampler.seamless { SEAMLESS } else { 0 };
    CUDA_TEXTURE_DESC {
        addressMode: [mode; 3],
        filterMode: filter(sampler.filter),
        flags: integer | normalized | seamless,
        maxAnisotropy: sampler.max_anisotropy as u32,
        mipmapFilterMode: filter(sampler.mip_filter),
        mipmapLevelBias: 0.0,
        minMipmapLevelClamp: sampler.mipmap_clamp.0,
        maxMipmapLevelClamp: sampler.mipmap_clamp.1,
        borderColor: [0.0; 4],
        reserved: [0; 12],
    }
}

/// Refuses a null handle: the driver reads through it.
fn check_handle(handle: u64, what: &str) -> Result<()> {
    if handle == 0 { Err(Error::invalid_value(format!("{what} is null"))) } else { Ok(()) }
}

/// As [`check_handle`], for image memory.
fn check_memory(memory: pi_image_mem_handle) -> Result<()> {
    check_handle(handle_of(memory), "memory_handle")
}

/// Refuses a corner in the host's memory behind which its extent has no room: only the extent tells how much there is.
/// From the first pixel on, an extent may be too small: it may leave out a dimension that the copy has.
fn check_host(corner: &[usize; 3], copied: &[usize; 3], extent: &[usize; 3], what: &str) -> Result<()> {
    let is_inside = |((corner, copied), extent): ((&usize, &usize), &usize)| {
        *corner == 0 || corner.checked_add((*copied).max(1)).is_some_and(|end| end <= *extent)
    };
    if corner.iter().zip(copied).zip(extent).all(is_inside) {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "{what}: from {corner:?} on, host_extent {extent:?} has no room for copy_extent {copied:?}"
    )))
}

fn handle_of(memory: *mut c_void) -> u64 {
    memory.expose_provenance() as u64
}

fn pointer<T>(handle: u64) -> *mut T {
    std::ptr::with_exposed_provenance_mut(handle as usize)
}

type Ctx = Counted<Context>;
type Dev = Counted<Device>;

impl BindlessApi for Cuda {
    fn piextMemUnsampledImageHandleDestroy(
        context: &Ctx,
        device: &Dev,
        handle: pi_image_handle,
    ) -> Result<()> {
        check_handle(handle, "handle")?;
        let _current = context.place_of(device)?.enter()?;
        cuda()?.cuSurfObjectDestroy(handle)
    }

    fn piextMemSampledImageHandleDestroy(context: &Ctx, device: &Dev, handle: pi_image_handle) -> Result<()> {
        check_handle(handle, "handle")?;
        let _current = context.place_of(device)?.enter()?;
        cuda()?.cuTexObjectDestroy(handle)
    }

    fn piextBindlessImageSamplerCreate(
        context: &Ctx,
        properties: SamplerProperties,
        mipmap_clamp: (f32, f32),
        max_anisotropy: f32,
    ) -> Result<New<Counted<Sampler>>> {
        Ok(Counted::create(Sampler::new(context, properties, mipmap_clamp, max_anisotropy)))
    }

    fn piextMemImageAllocate(
        context: &Ctx,
        device: &Dev,
        format: &pi_image_format,
        desc: &pi_image_desc,
    ) -> Result<pi_image_mem_handle> {
        let _current = context.place_of(device)?.enter()?;
        let shape = array_of(device, &Pixel::new(format)?, desc, SURFACE)?;
        if desc.num_mip_levels > 1 {
            let mut mipmap = std::ptr::null_mut();
            cuda()?.cuMipmappedArrayCreate(&mut mipmap, &shape, desc.num_mip_levels)?;
            return Ok(mipmap.cast());
        }
        let mut array = std::ptr::null_mut();
        cuda()?.cuArray3DCreate_v2(&mut array, &shape)?;
        Ok(array.cast())
    }

    fn piextMemImageFree(context: &Ctx, device: &Dev, memory: pi_image_mem_handle) -> Result<()> {
        check_memory(memory)?;
        let _current = context.place_of(device)?.enter()?;
        cuda()?.cuArrayDestroy(memory.cast())
    }

    fn piextMemUnsampledImageCreate(
        context: &Ctx,
        device: &Dev,
        memory: pi_image_mem_handle,
        format: &pi_image_format,
        desc: &pi_image_desc,
    ) -> Result<(Option<New<Counted<Mem>>>, pi_image_handle)> {
        check_memory(memory)?;
        let _current = context.place_of(device)?.enter()?;
        Pixel::new(format)?;
        if desc.num_mip_levels > 1 || is_memory(memory) {
            return Err(Error::unsupported("unsampled images are of arrays without mipmap levels"));
        }
        let mut surface = 0;
        cuda()?.cuSurfObjectCreate(&mut surface, &sys::of_array(memory.cast()))?;
        Ok((None, surface))
    }

    fn piextMemSampledImageCreate(
        context: &Ctx,
        device: &Dev,
        memory: pi_image_mem_handle,
        format: &pi_image_format,
        desc: &pi_image_desc,
        sampler: &Counted<Sampler>,
    ) -> Result<(Option<New<Counted<Mem>>>, pi_image_handle)> {
        check_memory(memory)?;
        let _current = context.place_of(device)?.enter()?;
        let pixel = Pixel::new(format)?;
        let (resource, sampling) = (resource(memory, &pixel, desc), texture(sampler, &pixel));
        let mut texture = 0;
        cuda()?.cuTexObjectCreate(&mut texture, &resource, &sampling, std::ptr::null())?;
        Ok((None, texture))
    }

    fn piextMemImageCopy(
        queue: &Counted<Queue>,
        copy: ImageCopy<'_>,
        order: Order<'_, Counted<Event>>,
    ) -> Result<()> {
        let pixel = Pixel::new(copy.format)?.bytes();
        let current = queue.place().enter()?;
        // Products of wild sizes stay wild, for the driver to refuse.
        let host = |start: *mut c_void| {
            let row = copy.host_extent[0].max(copy.copy_extent[0]).saturating_mul(pixel);
            let rows = copy.host_extent[1].max(copy.copy_extent[1]).max(1);
            End::Host { start, row, slice: row.saturating_mul(rows) }
        };
        let image = |start: *mut c_void| {
            if is_memory(start) {
                let (row, slice) = (copy.desc.image_row_pitch, copy.desc.image_slice_pitch);
                End::Device { start: device_address(start), row, slice }
            } else {
                End::Array(start.cast())
            }
        };
        let (src, dst) = match copy.flags {
            PI_IMAGE_COPY_HOST_TO_DEVICE => {
                check_host(copy.src_offset, copy.copy_extent, copy.host_extent, "src_offset")?;
                (host(copy.src), image(copy.dst))
            }
            PI_IMAGE_COPY_DEVICE_TO_HOST => {
                check_host(copy.dst_offset, copy.copy_extent, copy.host_extent, "dst_offset")?;
                (image(copy.src), host(copy.dst))
            }
            PI_IMAGE_COPY_DEVICE_TO_DEVICE => (image(copy.src), image(copy.dst)),
            other => return Err(Error::invalid_value(format!("flags: unknown copy direction {other}"))),
        };
        drop(current);
        let bytes = |corner: &[usize; 3]| [corner[0].saturating_mul(pixel), corner[1], corner[2]];
        let [width, height, depth] = *copy.copy_extent;
        let copy = BoxCopy {
            src,
            src_origin: bytes(copy.src_offset),
            dst,
            dst_origin: bytes(copy.dst_offset),
            region: [width.saturating_mul(pixel), height.max(1), depth.max(1)],
        };
        submit(queue, Lane::Copy, PI_COMMAND_TYPE_IMAGE_COPY, order, false, |stream| copy.enqueue(stream))
    }

    fn piextMemImageGetInfo(
        memory: pi_image_mem_handle,
        name: pi_image_info,
        value: *mut c_void,
    ) -> Result<usize> {
        check_memory(memory)?;
        let mut shape = sys::no_shape();
        cuda()?.cuArray3DGetDescriptor_v2(&mut shape, memory.cast())?;
        match name {
            PI_IMAGE_INFO_WIDTH => Ok(sys::write_value(value, shape.Width)),
            PI_IMAGE_INFO_HEIGHT => Ok(sys::write_value(value, shape.Height)),
            PI_IMAGE_INFO_DEPTH => Ok(sys::write_value(value, shape.Depth)),
            PI_IMAGE_INFO_FORMAT => Ok(sys::write_value(value, format_of(shape.Format, shape.NumChannels)?)),
            _ => Err(Error::invalid_value(format!("param_name: image memory does not know query {name:#x}"))),
        }
    }

    fn piextMemMipmapGetLevel(
        context: &Ctx,
        device: &Dev,
        memory: pi_image_mem_handle,
        level: u32,
    ) -> Result<pi_image_mem_handle> {
        check_memory(memory)?;
        let _current = context.place_of(device)?.enter()?;
        let mut array = std::ptr::null_mut();
        cuda()?.cuMipmappedArrayGetLevel(&mut array, memory.cast(), level)?;
        Ok(array.cast())
    }

    fn piextMemMipmapFree(context: &Ctx, device: &Dev, memory: pi_image_mem_handle) -> Result<()> {
        check_memory(memory)?;
        let _current = context.place_of(device)?.enter()?;
        cuda()?.cuMipmappedArrayDestroy(memory.cast())
    }

    fn piextMemImportOpaqueFD(
        context: &Ctx,
        device: &Dev,
        size: usize,
        fd: i32,
    ) -> Result<pi_interop_mem_handle> {
        let _current = context.place_of(device)?.enter()?;
        let mut memory = std::ptr::null_mut();
        cuda()?.cuImportExternalMemory(&mut memory, &sys::memory_of_fd(fd, size))?;
        Ok(handle_of(memory.cast()))
    }

    fn piextMemReleaseInterop(context: &Ctx, device: &Dev, memory: pi_interop_mem_handle) -> Result<()> {
        check_handle(memory, "mem_handle (or memory_handle)")?;
        let _current = context.place_of(device)?.enter()?;
        cuda()?.cuDestroyExternalMemory(pointer(memory))
    }

    fn piextMemMapExternalArray(
        context: &Ctx,
        device: &Dev,
        format: &pi_image_format,
        desc: &pi_image_desc,
        memory: pi_interop_mem_handle,
    ) -> Result<pi_image_mem_handle> {
        check_handle(memory, "mem_handle (or memory_handle)")?;
        let _current = context.place_of(device)?.enter()?;
        let levels = desc.num_mip_levels.max(1);
        let shape = CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC {
            offset: 0,
            arrayDesc: array_of(device, &Pixel::new(format)?, desc, SURFACE)?,
            numLevels: levels,
            reserved: [0; 16],
        };
        let (cuda, mut mipmap) = (cuda()?, std::ptr::null_mut());
        cuda.cuExternalMemoryGetMappedMipmappedArray(&mut mipmap, pointer(memory), &shape)?;
        if levels > 1 {
            return Ok(mipmap.cast());
        }
        let mut array = std::ptr::null_mut();
        cuda.cuMipmappedArrayGetLevel(&mut array, mipmap, 0)?;
        Ok(array.cast())
    }

    fn piextImportExternalSemaphoreOpaqueFD(
        context: &Ctx,
        device: &Dev,
        fd: i32,
    ) -> Result<pi_interop_semaphore_handle> {
        let _current = context.place_of(device)?.enter()?;
        let mut semaphore = std::ptr::null_mut();
        cuda()?.cuImportExternalSemaphore(&mut semaphore, &sys::semaphore_of_fd(fd))?;
        Ok(handle_of(semaphore.cast()))
    }

    fn piextDestroyExternalSemaphore(
        context: &Ctx,
        device: &Dev,
        semaphore: pi_interop_semaphore_handle,
    ) -> Result<()> {
        check_handle(semaphore, "sem_handle")?;
        let _current = context.place_of(device)?.enter()?;
        cuda()?.cuDestroyExternalSemaphore(pointer(semaphore))
    }

    fn piextWaitExternalSemaphore(
        queue: &Counted<Queue>,
        semaphore: pi_interop_semaphore_handle,
        order: Order<'_, Counted<Event>>,
    ) -> Result<()> {
        check_handle(semaphore, "sem_handle")?;
        submit(queue, Lane::Compute, PI_COMMAND_TYPE_USER, order, false, |stream| {
            cuda()?.cuWaitExternalSemaphoresAsync(&pointer(semaphore), &sys::plain_wait(), 1, stream)
        })
    }

    fn piextSignalExternalSemaphore(
        queue: &Counted<Queue>,
        semaphore: pi_interop_semaphore_handle,
        order: Order<'_, Counted<Event>>,
    ) -> Result<()> {
        check_handle(semaphore, "sem_handle")?;
        submit(queue, Lane::Compute, PI_COMMAND_TYPE_USER, order, false, |stream| {
            cuda()?.cuSignalExternalSemaphoresAsync(&pointer(semaphore), &sys::plain_signal(), 1, stream)
        })
    }
}

fn format_of(format: CUarray_format, channels: u32) -> Result<pi_image_format> {
    use CUarray_format::*;
    let image_channel_data_type = match format {
        CU_AD_FORMAT_UNSIGNED_INT8 => PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
        CU_AD_FORMAT_UNSIGNED_INT16 => PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT16,
        CU_AD_FORMAT_UNSIGNED_INT32 => PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
        CU_AD_FORMAT_SIGNED_INT8 => PI_IMAGE_CHANNEL_TYPE_SIGNED_INT8,
        CU_AD_FORMAT_SIGNED_INT16 => PI_IMAGE_CHANNEL_TYPE_SIGNED_INT16,
        CU_AD_FORMAT_SIGNED_INT32 => PI_IMAGE_CHANNEL_TYPE_SIGNED_INT32,
        CU_AD_FORMAT_HALF => PI_IMAGE_CHANNEL_TYPE_HALF_FLOAT,
        CU_AD_FORMAT_FLOAT => PI_IMAGE_CHANNEL_TYPE_FLOAT,
        _ => return Err(Error::unsupported("image memory in a format that PI has no name for")),
    };
    let image_channel_order = match channels {
        1 => PI_IMAGE_CHANNEL_ORDER_R,
        2 => PI_IMAGE_CHANNEL_ORDER_RG,
        _ => PI_IMAGE_CHANNEL_ORDER_RGBA,
    };
    Ok(pi_image_format { image_channel_order, image_channel_data_type })
}
