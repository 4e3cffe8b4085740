//! Bindless images, and imported memory and semaphores.
//!
//! Image memory is an array, a mipmap if the descriptor has levels, or pitched device memory. Unsampled images are
//! surfaces, and sampled images are textures.

use core::ffi::c_void;

use sycl_pi_backend::api::{BindlessApi, BindlessUse, ImageCopy, SamplerProperties};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Dependencies, Error, New, Result};

use crate::Cuda;
use crate::context::Context;
use crate::copy::enqueue_copy::enqueue_box_copy;
use crate::copy::{BoxCopy, CopyEnd, device_address};
use crate::device::device_object::Device;
use crate::event::event_object::Event;
use crate::image::SURFACE;
use crate::image::pixel::{PixelFormat, array_descriptor};
use crate::mem::Mem;
use crate::memory::driver_handle::{self, DriverObject};
use crate::memory::pointer::is_device_memory;
use crate::queue::{Queue, StreamKind};
use crate::sampler::Sampler;
use crate::submit::{CommandRequest, submit};
use crate::sys::{
    self, CUDA_EXTERNAL_MEMORY_BUFFER_DESC, CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC, CUDA_RESOURCE_DESC,
    CUDA_TEXTURE_DESC, CUaddress_mode, CUarray, CUarray_format, CUfilter_mode, cuda,
};

/// Returns whether image memory is device memory rather than an array. The context must be current.
fn is_memory(memory: ImageMemHandle) -> bool {
    is_device_memory(device_address(memory))
}

/// Returns the resource for image memory.
fn resource(memory: ImageMemHandle, pixel: &PixelFormat, desc: &ImageDesc) -> CUDA_RESOURCE_DESC {
    if is_memory(memory) {
        let shape = (desc.width, desc.height, desc.row_pitch);
        return sys::of_memory(device_address(memory), pixel.format, pixel.channels, shape, pixel.bytes());
    }
    if desc.num_mip_levels > 1 { sys::of_mipmap(memory.cast()) } else { sys::of_array(memory.cast()) }
}

/// Returns the sampling parameters of a texture.
fn texture(sampler: &Sampler, pixel: &PixelFormat) -> CUDA_TEXTURE_DESC {
    const READ_AS_INTEGER: u32 = 1;
    const NORMALIZED: u32 = 2;
    const SEAMLESS: u32 = 0x40;
    let mode = match sampler.addressing {
        SamplerAddressingMode::REPEAT => CUaddress_mode::CU_TR_ADDRESS_MODE_WRAP,
        SamplerAddressingMode::MIRRORED_REPEAT => CUaddress_mode::CU_TR_ADDRESS_MODE_MIRROR,
        SamplerAddressingMode::CLAMP => CUaddress_mode::CU_TR_ADDRESS_MODE_BORDER,
        _ => CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP,
    };
    let filter = |mode| match mode {
        SamplerFilterMode::LINEAR => CUfilter_mode::CU_TR_FILTER_MODE_LINEAR,
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

/// Destroys the object of a handle, with a device's context current.
fn destroy(
    context: &Context,
    device: &Counted<Device>,
    (object, handle): (DriverObject, u64),
    destroy: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let _current = context.of_device(device)?.enter()?;
    driver_handle::forget(object, handle)?;
    destroy()
}

/// Refuses image memory that is neither device memory nor a live array. The context must be current.
fn check_memory(memory: ImageMemHandle) -> Result<()> {
    let handle = handle_of(memory);
    if driver_handle::is_live(DriverObject::Mipmap, handle) || is_memory(memory) {
        return Ok(());
    }
    driver_handle::check(DriverObject::Array, handle)
}

/// Returns whether `copied` elements, at least one, are inside an extent.
fn is_inside(corner: usize, copied: usize, extent: usize) -> bool {
    corner.checked_add(copied.max(1)).is_some_and(|end| end <= extent)
}

/// Refuses a box that is not inside an array. For some such boxes, NVIDIA's driver loops forever.
fn check_array(array: CUarray, corner: &[usize; 3], copied: &[usize; 3], name: &str) -> Result<()> {
    let mut shape = sys::no_shape();
    cuda()?.cuArray3DGetDescriptor_v2(&mut shape, array)?;
    let extent = [shape.Width, shape.Height.max(1), shape.Depth.max(1)];
    if (0..3).all(|axis| is_inside(corner[axis], copied[axis], extent[axis])) {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "{name}: {copied:?} elements from {corner:?} on are not in an image of {extent:?}"
    )))
}

/// Refuses a corner after which the host's extent has no room for the copy. At corner 0, the extent may be too small,
/// because it may omit a dimension of the copy.
fn check_host(corner: &[usize; 3], copied: &[usize; 3], extent: &[usize; 3], what: &str) -> Result<()> {
    if (0..3).all(|axis| corner[axis] == 0 || is_inside(corner[axis], copied[axis], extent[axis])) {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "{what}: from {corner:?} on, the host's extent {extent:?} has no room for a copy of {copied:?}"
    )))
}

/// Converts an address to a number of the interface.
fn handle_of(memory: *mut c_void) -> u64 {
    memory.expose_provenance() as u64
}

/// Converts a handle of the interface to the driver's.
fn pointer<T>(handle: u64) -> *mut T {
    std::ptr::with_exposed_provenance_mut(handle as usize)
}

impl BindlessApi for Cuda {
    fn mem_unsampled_image_handle_destroy(
        context: &Counted<Context>,
        device: &Counted<Device>,
        handle: ImageHandle,
    ) -> Result<()> {
        destroy(context, device, (DriverObject::Surface, handle), || cuda()?.cuSurfObjectDestroy(handle))
    }

    fn mem_sampled_image_handle_destroy(
        context: &Counted<Context>,
        device: &Counted<Device>,
        handle: ImageHandle,
    ) -> Result<()> {
        destroy(context, device, (DriverObject::Texture, handle), || cuda()?.cuTexObjectDestroy(handle))
    }

    fn bindless_image_sampler_create(
        context: &Counted<Context>,
        properties: SamplerProperties,
        mipmap_clamp: (f32, f32),
        max_anisotropy: f32,
    ) -> Result<New<Counted<Sampler>>> {
        Ok(Counted::create(Sampler::new(context, properties, mipmap_clamp, max_anisotropy)))
    }

    fn mem_image_allocate(
        context: &Counted<Context>,
        device: &Counted<Device>,
        format: &ImageFormat,
        desc: &ImageDesc,
    ) -> Result<ImageMemHandle> {
        let owner = context.of_device(device)?;
        let _current = owner.enter()?;
        let shape = array_descriptor(device, &PixelFormat::new(format)?, desc, SURFACE)?;
        if desc.num_mip_levels > 1 {
            let mut mipmap = std::ptr::null_mut();
            cuda()?.cuMipmappedArrayCreate(&mut mipmap, &shape, desc.num_mip_levels)?;
            return Ok(pointer(driver_handle::record(
                DriverObject::Mipmap,
                handle_of(mipmap.cast()),
                owner.identity(),
            )));
        }
        let mut array = std::ptr::null_mut();
        cuda()?.cuArray3DCreate_v2(&mut array, &shape)?;
        Ok(pointer(driver_handle::record(DriverObject::Array, handle_of(array.cast()), owner.identity())))
    }

    fn mem_image_free(
        context: &Counted<Context>,
        device: &Counted<Device>,
        memory: ImageMemHandle,
    ) -> Result<()> {
        let object = (DriverObject::Array, handle_of(memory));
        destroy(context, device, object, || cuda()?.cuArrayDestroy(memory.cast()))
    }

    fn mem_unsampled_image_create(
        context: &Counted<Context>,
        device: &Counted<Device>,
        memory: ImageMemHandle,
        format: &ImageFormat,
        desc: &ImageDesc,
    ) -> Result<(Option<New<Counted<Mem>>>, ImageHandle)> {
        let owner = context.of_device(device)?;
        let _current = owner.enter()?;
        check_memory(memory)?;
        PixelFormat::new(format)?;
        if desc.num_mip_levels > 1 || is_memory(memory) {
            return Err(Error::unsupported("unsampled images are of arrays without mipmap levels"));
        }
        let mut surface = 0;
        cuda()?.cuSurfObjectCreate(&mut surface, &sys::of_array(memory.cast()))?;
        Ok((None, driver_handle::record(DriverObject::Surface, surface, owner.identity())))
    }

    fn mem_sampled_image_create(
        context: &Counted<Context>,
        device: &Counted<Device>,
        memory: ImageMemHandle,
        format: &ImageFormat,
        desc: &ImageDesc,
        sampler: &Counted<Sampler>,
    ) -> Result<(Option<New<Counted<Mem>>>, ImageHandle)> {
        let owner = context.of_device(device)?;
        let _current = owner.enter()?;
        check_memory(memory)?;
        let pixel = PixelFormat::new(format)?;
        let (resource, sampling) = (resource(memory, &pixel, desc), texture(sampler, &pixel));
        let mut texture = 0;
        cuda()?.cuTexObjectCreate(&mut texture, &resource, &sampling, std::ptr::null())?;
        Ok((None, driver_handle::record(DriverObject::Texture, texture, owner.identity())))
    }

    fn mem_image_copy(
        queue: &Counted<Queue>,
        copy: ImageCopy<'_>,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let pixel = PixelFormat::new(copy.format)?.bytes();
        let current = queue.device_context().enter()?;
        // Products of sizes saturate, and the driver refuses such sizes.
        let host = |start: *mut c_void| {
            let least = copy.host_extent[0].max(copy.copy_extent[0]).saturating_mul(pixel);
            let row = least.max(copy.host_row_pitch);
            let rows = copy.host_extent[1].max(copy.copy_extent[1]).max(1);
            CopyEnd::Host { start, row, slice: row.saturating_mul(rows) }
        };
        let image = |start: *mut c_void, desc: &ImageDesc, corner: &[usize; 3], name: &str| {
            if is_memory(start) {
                let (row, slice) = (desc.row_pitch, desc.slice_pitch);
                return Ok(CopyEnd::Device { start: device_address(start), row, slice });
            }
            driver_handle::check(DriverObject::Array, handle_of(start))
                .map_err(|error| error.context(name))?;
            check_array(start.cast(), corner, copy.copy_extent, name)?;
            Ok(CopyEnd::Array(start.cast()))
        };
        let src = || image(copy.src, copy.src_desc, copy.src_offset, "src_ptr");
        let dst = || image(copy.dst, copy.dst_desc, copy.dst_offset, "dst_ptr");
        let (src, dst) = match copy.direction {
            ImageCopyDirection::HOST_TO_DEVICE => {
                check_host(copy.src_offset, copy.copy_extent, copy.host_extent, "src_offset")?;
                (host(copy.src), dst()?)
            }
            ImageCopyDirection::DEVICE_TO_HOST => {
                check_host(copy.dst_offset, copy.copy_extent, copy.host_extent, "dst_offset")?;
                (src()?, host(copy.dst))
            }
            ImageCopyDirection::DEVICE_TO_DEVICE => (src()?, dst()?),
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
        let request = CommandRequest::new(CommandType::IMAGE_COPY, StreamKind::Copy);
        enqueue_box_copy(queue, request, &copy, &[], dependencies)
    }

    fn bindless_image_info(memory: ImageMemHandle, name: ImageInfo, value: *mut c_void) -> Result<usize> {
        let _current = driver_handle::enter_context_of(DriverObject::Array, handle_of(memory))?;
        let mut shape = sys::no_shape();
        cuda()?.cuArray3DGetDescriptor_v2(&mut shape, memory.cast())?;
        match name {
            ImageInfo::WIDTH => Ok(sys::write_value(value, shape.Width)),
            ImageInfo::HEIGHT => Ok(sys::write_value(value, shape.Height)),
            ImageInfo::DEPTH => Ok(sys::write_value(value, shape.Depth)),
            ImageInfo::FORMAT => Ok(sys::write_value(value, format_of(shape.Format, shape.NumChannels)?)),
            _ => Err(Error::unknown_query("image memory", name)),
        }
    }

    fn mem_mipmap_level(
        context: &Counted<Context>,
        device: &Counted<Device>,
        memory: ImageMemHandle,
        level: u32,
    ) -> Result<ImageMemHandle> {
        let mipmap = handle_of(memory);
        driver_handle::check(DriverObject::Mipmap, mipmap)?;
        let owner = context.of_device(device)?;
        let _current = owner.enter()?;
        let mut array = std::ptr::null_mut();
        cuda()?.cuMipmappedArrayGetLevel(&mut array, memory.cast(), level)?;
        Ok(pointer(driver_handle::record_level(handle_of(array.cast()), mipmap, owner.identity())))
    }

    fn mem_mipmap_free(
        context: &Counted<Context>,
        device: &Counted<Device>,
        memory: ImageMemHandle,
    ) -> Result<()> {
        let object = (DriverObject::Mipmap, handle_of(memory));
        destroy(context, device, object, || cuda()?.cuMipmappedArrayDestroy(memory.cast()))
    }

    fn mem_import_opaque_fd(
        context: &Counted<Context>,
        device: &Counted<Device>,
        size: usize,
        fd: i32,
    ) -> Result<InteropMemHandle> {
        let owner = context.of_device(device)?;
        let _current = owner.enter()?;
        let mut memory = std::ptr::null_mut();
        cuda()?.cuImportExternalMemory(&mut memory, &sys::memory_of_fd(fd, size))?;
        Ok(driver_handle::record(DriverObject::ImportedMemory, handle_of(memory.cast()), owner.identity()))
    }

    fn mem_release_interop(
        context: &Counted<Context>,
        device: &Counted<Device>,
        memory: InteropMemHandle,
    ) -> Result<()> {
        let object = (DriverObject::ImportedMemory, memory);
        destroy(context, device, object, || cuda()?.cuDestroyExternalMemory(pointer(memory)))
    }

    fn mem_map_external_array(
        context: &Counted<Context>,
        device: &Counted<Device>,
        format: &ImageFormat,
        desc: &ImageDesc,
        memory: InteropMemHandle,
    ) -> Result<ImageMemHandle> {
        driver_handle::check(DriverObject::ImportedMemory, memory)?;
        let owner = context.of_device(device)?;
        let _current = owner.enter()?;
        let levels = desc.num_mip_levels.max(1);
        let shape = CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC {
            offset: 0,
            arrayDesc: array_descriptor(device, &PixelFormat::new(format)?, desc, SURFACE)?,
            numLevels: levels,
            reserved: [0; 16],
        };
        let (cuda, mut mipmap) = (cuda()?, std::ptr::null_mut());
        cuda.cuExternalMemoryGetMappedMipmappedArray(&mut mipmap, pointer(memory), &shape)?;
        let mapped = driver_handle::record(DriverObject::Mipmap, handle_of(mipmap.cast()), owner.identity());
        if levels > 1 {
            return Ok(pointer(mapped));
        }
        let mut array = std::ptr::null_mut();
        cuda.cuMipmappedArrayGetLevel(&mut array, mipmap, 0)?;
        Ok(pointer(driver_handle::record_level(handle_of(array.cast()), mapped, owner.identity())))
    }

    fn mem_map_external_linear(
        context: &Counted<Context>,
        device: &Counted<Device>,
        memory: InteropMemHandle,
        offset: u64,
        size: u64,
    ) -> Result<*mut c_void> {
        driver_handle::check(DriverObject::ImportedMemory, memory)?;
        let _current = context.of_device(device)?.enter()?;
        let bytes = CUDA_EXTERNAL_MEMORY_BUFFER_DESC { offset, size, flags: 0, reserved: [0; 16] };
        let mut address = 0;
        cuda()?.cuExternalMemoryGetMappedBuffer(&mut address, pointer(memory), &bytes)?;
        Ok(pointer(address))
    }

    fn mem_free_mapped_linear(
        context: &Counted<Context>,
        device: &Counted<Device>,
        address: *mut c_void,
    ) -> Result<()> {
        let _current = context.of_device(device)?.enter()?;
        if !is_memory(address) {
            return Err(Error::invalid_value(format!("pMem: {address:p} is not mapped memory of a device")));
        }
        cuda()?.cuMemFree_v2(device_address(address))
    }

    fn bindless_image_support(
        device: &Counted<Device>,
        wanted: BindlessUse,
        is_usm: bool,
        format: &ImageFormat,
        desc: &ImageDesc,
    ) -> Result<bool> {
        let Ok(pixel) = PixelFormat::new(format) else { return Ok(false) };
        let has_levels = desc.num_mip_levels > 1;
        if is_usm {
            // Rows of memory can back textures, but not surfaces.
            let is_rows = desc.image_type == MemType::IMAGE2D && !has_levels;
            return Ok(is_rows && wanted != BindlessUse::Unsampled);
        }
        let is_array = array_descriptor(device, &pixel, desc, SURFACE).is_ok();
        Ok(is_array && !(has_levels && wanted == BindlessUse::Unsampled))
    }

    fn import_external_semaphore_opaque_fd(
        context: &Counted<Context>,
        device: &Counted<Device>,
        fd: i32,
    ) -> Result<InteropSemaphoreHandle> {
        let owner = context.of_device(device)?;
        let _current = owner.enter()?;
        let mut semaphore = std::ptr::null_mut();
        cuda()?.cuImportExternalSemaphore(&mut semaphore, &sys::semaphore_of_fd(fd))?;
        Ok(driver_handle::record(DriverObject::Semaphore, handle_of(semaphore.cast()), owner.identity()))
    }

    fn destroy_external_semaphore(
        context: &Counted<Context>,
        device: &Counted<Device>,
        semaphore: InteropSemaphoreHandle,
    ) -> Result<()> {
        let destroy_semaphore = || cuda()?.cuDestroyExternalSemaphore(pointer(semaphore));
        destroy(context, device, (DriverObject::Semaphore, semaphore), destroy_semaphore)
    }

    fn wait_external_semaphore(
        queue: &Counted<Queue>,
        semaphore: InteropSemaphoreHandle,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        driver_handle::check(DriverObject::Semaphore, semaphore)?;
        let request = CommandRequest::new(CommandType::USER, StreamKind::Compute);
        submit(queue, request, dependencies, |stream| {
            cuda()?.cuWaitExternalSemaphoresAsync(&pointer(semaphore), &sys::plain_wait(), 1, stream)
        })
    }

    fn signal_external_semaphore(
        queue: &Counted<Queue>,
        semaphore: InteropSemaphoreHandle,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        driver_handle::check(DriverObject::Semaphore, semaphore)?;
        let request = CommandRequest::new(CommandType::USER, StreamKind::Compute);
        submit(queue, request, dependencies, |stream| {
            cuda()?.cuSignalExternalSemaphoresAsync(&pointer(semaphore), &sys::plain_signal(), 1, stream)
        })
    }
}

fn format_of(format: CUarray_format, channels: u32) -> Result<ImageFormat> {
    use CUarray_format::*;
    let channel_type = match format {
        CU_AD_FORMAT_UNSIGNED_INT8 => ImageChannelType::UNSIGNED_INT8,
        CU_AD_FORMAT_UNSIGNED_INT16 => ImageChannelType::UNSIGNED_INT16,
        CU_AD_FORMAT_UNSIGNED_INT32 => ImageChannelType::UNSIGNED_INT32,
        CU_AD_FORMAT_SIGNED_INT8 => ImageChannelType::SIGNED_INT8,
        CU_AD_FORMAT_SIGNED_INT16 => ImageChannelType::SIGNED_INT16,
        CU_AD_FORMAT_SIGNED_INT32 => ImageChannelType::SIGNED_INT32,
        CU_AD_FORMAT_HALF => ImageChannelType::HALF_FLOAT,
        CU_AD_FORMAT_FLOAT => ImageChannelType::FLOAT,
        _ => return Err(Error::unsupported("image memory has a format without a SYCL name")),
    };
    let channel_order = match channels {
        1 => ImageChannelOrder::R,
        2 => ImageChannelOrder::RG,
        _ => ImageChannelOrder::RGBA,
    };
    Ok(ImageFormat { channel_order, channel_type })
}

#[cfg(test)]
mod tests {
    use super::*;
    use CUarray_format::*;

    #[test]
    fn arrays_of_the_driver_have_formats_of_the_interface() {
        for (format, channel_type) in [
            (CU_AD_FORMAT_UNSIGNED_INT8, ImageChannelType::UNSIGNED_INT8),
            (CU_AD_FORMAT_UNSIGNED_INT16, ImageChannelType::UNSIGNED_INT16),
            (CU_AD_FORMAT_UNSIGNED_INT32, ImageChannelType::UNSIGNED_INT32),
            (CU_AD_FORMAT_SIGNED_INT8, ImageChannelType::SIGNED_INT8),
            (CU_AD_FORMAT_SIGNED_INT16, ImageChannelType::SIGNED_INT16),
            (CU_AD_FORMAT_SIGNED_INT32, ImageChannelType::SIGNED_INT32),
            (CU_AD_FORMAT_HALF, ImageChannelType::HALF_FLOAT),
            (CU_AD_FORMAT_FLOAT, ImageChannelType::FLOAT),
        ] {
            for (channels, channel_order) in
                [(1, ImageChannelOrder::R), (2, ImageChannelOrder::RG), (4, ImageChannelOrder::RGBA)]
            {
                let told = format_of(format, channels).unwrap();
                assert_eq!((told.channel_order, told.channel_type), (channel_order, channel_type));
            }
        }
        assert!(format_of(CU_AD_FORMAT_NV12, 1).is_err());
    }

    #[test]
    fn a_box_ends_where_the_image_ends() {
        for (corner, copied, extent, expected) in
            [(2, 6, 8, true), (2, 7, 8, false), (7, 0, 8, true), (8, 0, 8, false), (usize::MAX, 1, 8, false)]
        {
            assert_eq!(is_inside(corner, copied, extent), expected, "{corner} {copied}");
        }
        // At corner 0, the host's extent may omit a dimension.
        let fits =
            |corner, copied| check_host(&[corner, 0, 0], &[copied, 4, 1], &[8, 0, 0], "src_offset").is_ok();
        assert!(fits(0, 9) && fits(1, 7) && !fits(1, 8));
    }
}
