//! Memory of the backend in `fake`.

use std::ffi::c_void;
use std::ptr::NonNull;

use sycl_pi_backend::api::*;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Dependencies, Fill, Info, New, Properties, Result};

use crate::fake::{Fake, Sampler, address, asked, note, place};
use crate::fake_commands::text_of;

impl UsmApi for Fake {
    fn usm_device_alloc(
        _: &Self::Context, _: &Self::Device, request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        let pairs: Vec<_> = request.properties.pairs().collect();
        note(format!("allocate {} at {} {pairs:?}", request.size, request.alignment))?;
        Ok(NonNull::new(place(0x1000)).unwrap())
    }

    fn usm_host_alloc(_: &Self::Context, request: UsmRequest<'_>) -> Result<NonNull<c_void>> {
        note(format!("allocate {} of the host at {}", request.size, request.alignment))?;
        Ok(NonNull::new(place(0x5000)).unwrap())
    }

    fn usm_shared_alloc(
        _: &Self::Context, device: Option<&Self::Device>, request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        note(format!("allocate {} shared {} at {}", request.size, device.is_some(), request.alignment))?;
        Ok(NonNull::new(place(0x6000)).unwrap())
    }

    fn usm_pitched_alloc(
        _: &Self::Context, _: &Self::Device, properties: Properties<'_, u64>, width: usize, height: usize,
        element_size: u32,
    ) -> Result<(NonNull<c_void>, usize)> {
        let pairs: Vec<_> = properties.pairs().collect();
        note(format!("allocate {width}x{height} of {element_size} {pairs:?}"))?;
        Ok((NonNull::new(address(0x7000)).unwrap(), 512))
    }

    fn enqueue_usm_memset(
        _: &Self::Queue, _: *mut c_void, value: u8, count: usize, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("set {count} to {value}"))
    }

    fn enqueue_usm_memcpy(
        _: &Self::Queue, blocking: bool, dst: *mut c_void, src: *const c_void, size: usize,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("copy {size} from {} to {} blocking {blocking}", src.addr(), dst.addr()))
    }

    fn enqueue_usm_memcpy_2d(
        _: &Self::Queue, blocking: bool, dst: (*mut c_void, usize), src: (*const c_void, usize),
        width: usize, height: usize, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        let pitches = (src.1, dst.1);
        note(format!("copy {width}x{height} pitches {pitches:?} blocking {blocking}"))
    }

    fn enqueue_usm_mem_advise(
        _: &Self::Queue, ptr: *const c_void, length: usize, advice: MemAdvice,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(text_of(&Command::UsmAdvise { ptr, length, advice }))
    }

    fn usm_mem_alloc_info(
        _: &Self::Context, _: *const c_void, name: UsmAllocInfo, info: Info<'_>,
    ) -> Result<()> {
        asked(&name, info)
    }

    fn usm_free(_: &Self::Context, _: NonNull<c_void>) -> Result<()> {
        note("free".into())
    }

    fn enqueue_usm_prefetch(
        _: &Self::Queue, _: *const c_void, size: usize, flags: UsmMigrationFlags,
        _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("prefetch {size} {:?}", flags.bits()))
    }

    fn enqueue_usm_fill_2d(
        _: &Self::Queue, _: *mut c_void, pitch: usize, fill: Fill<'_>, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("fill {:?} pitch {pitch} {}x{}", fill.pattern(), fill.width(), fill.height()))
    }

    fn usm_import(ptr: *const c_void, size: usize, _: &Self::Context) -> Result<()> {
        note(format!("import {size} from {} on", ptr.addr()))
    }

    fn usm_release(ptr: *const c_void, _: &Self::Context) -> Result<()> {
        note(format!("release {}", ptr.addr()))
    }

    fn usm_host_register(_: &Self::Context, _: *mut c_void, size: usize) -> Result<()> {
        note(format!("register {size}"))
    }
}

impl BindlessApi for Fake {
    fn bindless_image_sampler_create(
        _: &Self::Context, properties: SamplerProperties, clamp: (f32, f32), anisotropy: f32,
    ) -> Result<New<Self::Sampler>> {
        note(format!("{properties:?} {clamp:?} {anisotropy}"))?;
        Ok(Counted::create(Sampler))
    }

    fn mem_image_copy(_: &Self::Queue, copy: ImageCopy<'_>, _: Dependencies<'_, Self::Event>) -> Result<()> {
        let ImageCopy { direction, format, host_extent, host_row_pitch, src_offset, dst_offset, .. } = copy;
        let (channels, shapes) = (format.channel_type, (copy.src_desc.width, copy.dst_desc.width));
        note(format!("{direction:?} {channels:?} {shapes:?}"))?;
        note(format!("host {host_extent:?} pitch {host_row_pitch} from {src_offset:?} to {dst_offset:?}"))
    }

    fn bindless_image_info(_: ImageMemHandle, name: ImageInfo, value: *mut c_void) -> Result<usize> {
        note(format!("{name:?}"))?;
        // SAFETY: the front has room for eight bytes.
        unsafe { value.cast::<u64>().write_unaligned(9) };
        Ok(8)
    }

    fn bindless_image_support(
        _: &Self::Device, wanted: BindlessUse, is_usm: bool, _: &ImageFormat, desc: &ImageDesc,
    ) -> Result<bool> {
        note(format!("{wanted:?} usm {is_usm} {:?}", desc.image_type))?;
        Ok(true)
    }

    fn mem_import_opaque_fd(
        _: &Self::Context, _: &Self::Device, size: usize, fd: i32,
    ) -> Result<InteropMemHandle> {
        note(format!("import {size} of {fd}"))?;
        Ok(11)
    }

    fn mem_map_external_linear(
        _: &Self::Context, _: &Self::Device, memory: InteropMemHandle, offset: u64, size: u64,
    ) -> Result<*mut c_void> {
        note(format!("map {size} at {offset} of {memory}"))?;
        Ok(address(0x8000))
    }

    fn signal_external_semaphore(
        _: &Self::Queue, semaphore: InteropSemaphoreHandle, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("signal semaphore {semaphore}"))
    }

    fn mem_mipmap_level(
        _: &Self::Context, _: &Self::Device, memory: ImageMemHandle, level: u32,
    ) -> Result<ImageMemHandle> {
        note(format!("level {level} of {}", memory.addr()))?;
        Ok(address(0xb000))
    }

    fn mem_image_free(_: &Self::Context, _: &Self::Device, _: ImageMemHandle) -> Result<()> {
        note("free image".into())
    }

    fn wait_external_semaphore(
        _: &Self::Queue, semaphore: InteropSemaphoreHandle, _: Dependencies<'_, Self::Event>,
    ) -> Result<()> {
        note(format!("wait for semaphore {semaphore}"))
    }
}

impl VirtualMemApi for Fake {
    fn virtual_mem_granularity(
        _: &Self::Context, _: &Self::Device, size: usize, recommended: bool,
    ) -> Result<usize> {
        note(format!("granularity {size} {recommended}"))?;
        Ok(4096)
    }

    fn virtual_mem_reserve(_: &Self::Context, start: *const c_void, size: usize) -> Result<NonNull<c_void>> {
        note(format!("reserve {size} from {} on", start.addr()))?;
        Ok(NonNull::new(address(0x9000)).unwrap())
    }

    fn virtual_mem_access(_: &Self::Context, _: *const c_void, size: usize) -> Result<VirtualMemAccess> {
        note(format!("access of {size}"))?;
        Ok(VirtualMemAccess::READ_ONLY)
    }

    fn virtual_mem_map(
        _: &Self::Context, _: *const c_void, size: usize, _: PhysicalMemHandle, offset: usize,
        access: VirtualMemAccess,
    ) -> Result<()> {
        note(format!("map {size} at {offset} {access:?}"))
    }

    fn virtual_mem_set_access(
        _: &Self::Context, _: *const c_void, size: usize, access: VirtualMemAccess,
    ) -> Result<()> {
        note(format!("access {size} {access:?}"))
    }

    fn physical_mem_create(_: &Self::Context, _: &Self::Device, size: usize) -> Result<PhysicalMemHandle> {
        note(format!("physical {size}"))?;
        Ok(5)
    }

    fn physical_mem_destroy(_: &Self::Context, memory: PhysicalMemHandle) -> Result<()> {
        note(format!("destroy {memory}"))
    }
}
