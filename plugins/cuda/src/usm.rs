//! Unified shared memory.

use core::ffi::c_void;
use std::ptr::{NonNull, null_mut};

use sycl_pi_backend::Properties;
use sycl_pi_backend::api::{UsmApi, UsmRequest};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Dependencies, Error, Fill, Info, Result};

use crate::Cuda;
use crate::context::Context;
use crate::copy::enqueue_copy::enqueue_memcpy;
use crate::copy::{BoxCopy, device_address, end_at};
use crate::device::device_context::DeviceContext;
use crate::device::device_object::Device;
use crate::event::event_object::Event;
use crate::fill;
use crate::memory::freed_memory::UsmSource;
use crate::memory::host_registration::{self, RegisteredFor};
use crate::memory::mem_advice::{advise, migrates_pages};
use crate::memory::pointer::{PointerAttributes, attributes_of, known_attributes};
use crate::memory::usm_memory::{self, MOST_FREED_HOST_BYTES};
use crate::memory_export::is_exportable;
use crate::platform::device_of;
use crate::queue::{Queue, StreamKind};
use crate::submit::{CommandRequest, submit};
use crate::sys::{self, CUdeviceptr, cuda};

/// The alignment of every driver allocation.
const ALIGNMENT: u32 = 256;

/// Refuses a request that CUDA cannot satisfy.
fn check_request(request: &UsmRequest<'_>) -> Result<()> {
    if request.size == 0 {
        return Err(Error::empty_allocation());
    }
    if request.alignment > ALIGNMENT {
        return Err(Error::invalid_value(format!(
            "alignment {} is larger than {ALIGNMENT}, the alignment of CUDA allocations",
            request.alignment
        )));
    }
    Ok(())
}

/// Refuses more shared memory than the device has. The driver would allocate any size, but would migrate pages forever
/// once a kernel uses all of it.
fn check_fits(device: &Device, size: usize) -> Result<()> {
    let most = device.memory;
    if size <= most {
        return Ok(());
    }
    let text = format!("{size} bytes of shared memory; the device has {most}");
    Err(Error::new(ErrorCode::OUT_OF_RESOURCES, text))
}

/// The maximum size in bytes of shared memory allocations that are zeroed.
const ZEROED: usize = 1 << 16;

/// Zeroes a small new allocation of shared memory. The driver reuses freed memory without clearing it. However, some
/// programs accumulate into new sums and counters as if they were zero (oneDAL's variances). On Intel's GPUs they are,
/// because the pages were never written. The context must be current.
fn zero_if_small(start: CUdeviceptr, size: usize) -> Result<()> {
    if size > ZEROED {
        return Ok(());
    }
    let (cuda, default_stream) = (cuda()?, null_mut());
    cuda.cuMemsetD8Async(start, 0, size, default_stream)?;
    cuda.cuStreamSynchronize(default_stream)
}

/// Returns an address from the driver to the caller.
fn allocated(address: CUdeviceptr, size: usize) -> Result<NonNull<c_void>> {
    NonNull::new(std::ptr::with_exposed_provenance_mut(address as usize)).ok_or_else(|| {
        Error::new(ErrorCode::OUT_OF_RESOURCES, format!("the driver gave no memory for {size} bytes"))
    })
}

fn source_of(context: &DeviceContext, kind: UsmType, most_kept: usize) -> UsmSource {
    UsmSource { context: context.raw, ordinal: context.device.ordinal, kind, most_kept }
}

impl UsmApi for Cuda {
    fn usm_host_alloc(context: &Counted<Context>, request: UsmRequest<'_>) -> Result<NonNull<c_void>> {
        check_request(&request)?;
        let (context, cuda) = (context.first()?, cuda()?);
        let by_driver = |size| {
            let _current = context.enter()?;
            let mut start = null_mut();
            cuda.cuMemHostAlloc(&mut start, size, sys::PORTABLE_AND_MAPPED)?;
            Ok(device_address(start))
        };
        let source = source_of(context, UsmType::HOST, MOST_FREED_HOST_BYTES);
        let start = usm_memory::allocate(source, request.size, by_driver, || false)?;
        allocated(start, request.size)
    }

    fn usm_device_alloc(
        context: &Counted<Context>,
        device: &Counted<Device>,
        request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        check_request(&request)?;
        let (context, cuda) = (context.of_device(device)?, cuda()?);
        let by_driver = |size| {
            let _current = context.enter()?;
            let mut start = 0;
            cuda.cuMemAlloc_v2(&mut start, size)?;
            Ok(start)
        };
        let has_work = || context.enter().is_ok_and(|_current| context.streams.has_work());
        let source = source_of(context, UsmType::DEVICE, device.kept_memory());
        let start = usm_memory::allocate(source, request.size, by_driver, has_work)?;
        allocated(start, request.size)
    }

    fn usm_shared_alloc(
        context: &Counted<Context>,
        device: Option<&Counted<Device>>,
        request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        const GLOBAL: u32 = 1;
        check_request(&request)?;
        let device_context = match device {
            Some(device) => context.of_device(device)?,
            None => context.first()?,
        };
        check_fits(&device_context.device, request.size)?;
        let (_current, cuda) = (device_context.enter()?, cuda()?);
        let mut start = 0;
        cuda.cuMemAllocManaged(&mut start, request.size, GLOBAL)?;
        if let Err(error) = zero_if_small(start, request.size) {
            // The first error is returned, regardless of the result of the free.
            let _ = cuda.cuMemFree_v2(start);
            return Err(error);
        }
        allocated(start, request.size)
    }

    fn usm_pitched_alloc(
        context: &Counted<Context>,
        device: &Counted<Device>,
        _: Properties<'_, u64>,
        width: usize,
        height: usize,
        element_size: u32,
    ) -> Result<(NonNull<c_void>, usize)> {
        if width == 0 || height == 0 {
            return Err(Error::impossible_rows(width, height));
        }
        // The driver supports three element sizes.
        let element = match element_size {
            0..=4 => 4,
            5..=8 => 8,
            _ => 16,
        };
        let _current = context.of_device(device)?.enter()?;
        let cuda = cuda()?;
        let (start, pitch) = usm_memory::make_room(|| {
            let (mut start, mut pitch) = (0, 0);
            cuda.cuMemAllocPitch_v2(&mut start, &mut pitch, width, height, element)?;
            Ok((start, pitch))
        })?;
        Ok((allocated(start, width)?, pitch))
    }

    fn usm_free(context: &Counted<Context>, ptr: NonNull<c_void>) -> Result<()> {
        let address = device_address(ptr.as_ptr());
        if usm_memory::free(address)? {
            return Ok(());
        }
        if is_exportable(address) {
            return Err(Error::invalid_value(format!(
                "{ptr:p} is exportable memory, which has a free of its own"
            )));
        }
        let _current = context.first()?.enter()?;
        let attributes = attributes_of(address)?;
        match attributes.kind {
            UsmType::HOST => cuda()?.cuMemFreeHost(ptr.as_ptr()),
            UsmType::DEVICE | UsmType::SHARED => {
                let owner = context.devices.iter().find(|known| known.device.ordinal == attributes.ordinal);
                let _owner = owner.map(DeviceContext::enter).transpose()?;
                cuda()?.cuMemFree_v2(address)
            }
            _ => Err(Error::invalid_value(format!("{ptr:p} is not a USM allocation"))),
        }
    }

    fn enqueue_usm_memset(
        queue: &Counted<Queue>,
        ptr: *mut c_void,
        value: u8,
        count: usize,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let request = CommandRequest::new(CommandType::SVM_MEMFILL, StreamKind::Copy);
        submit(queue, request, dependencies, |stream| {
            if count == 0 {
                Ok(())
            } else {
                cuda()?.cuMemsetD8Async(device_address(ptr), value, count, stream)
            }
        })
    }

    #[inline(always)]
    fn enqueue_usm_memcpy(
        queue: &Counted<Queue>,
        blocking: bool,
        dst: *mut c_void,
        src: *const c_void,
        size: usize,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        queue.context.enable_peer_access();
        let request = CommandRequest::new(CommandType::SVM_MEMCPY, StreamKind::Copy).blocking(blocking);
        enqueue_memcpy(queue, request, device_address(dst), device_address(src), size, dependencies)
    }

    fn enqueue_usm_prefetch(
        queue: &Counted<Queue>,
        ptr: *const c_void,
        size: usize,
        _: UsmMigrationFlags,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let address = device_address(ptr);
        let (device, _current) = (queue.device(), queue.device_context().enter()?);
        let attributes = attributes_of(address)?;
        attributes.check_inside(address, size)?;
        // Only managed memory migrates, and only on devices that migrate it by pages.
        let moves = attributes.kind == UsmType::SHARED && size > 0 && migrates_pages(device);
        let request = CommandRequest::new(CommandType::MIGRATE_MEM_OBJECTS, StreamKind::Copy);
        submit(queue, request, dependencies, |stream| {
            if moves { cuda()?.cuMemPrefetchAsync(address, size, device.raw, stream) } else { Ok(()) }
        })
    }

    fn enqueue_usm_mem_advise(
        queue: &Counted<Queue>,
        ptr: *const c_void,
        length: usize,
        advice: MemAdvice,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let address = device_address(ptr);
        let _current = queue.device_context().enter()?;
        let attributes = attributes_of(address)?;
        attributes.check_inside(address, length)?;
        if attributes.kind == UsmType::SHARED && length > 0 && migrates_pages(queue.device()) {
            advise(queue.device(), address, length, advice)?;
        }
        let request = CommandRequest::new(CommandType::USER, StreamKind::Copy);
        submit(queue, request, dependencies, |_| Ok(()))
    }

    fn usm_mem_alloc_info(
        context: &Counted<Context>,
        ptr: *const c_void,
        name: UsmAllocInfo,
        info: Info<'_>,
    ) -> Result<()> {
        let address = device_address(ptr);
        let attributes = match known_attributes(address) {
            Some(known) => known,
            None if usm_memory::is_freed(address) => PointerAttributes::UNKNOWN,
            None => {
                let _current = context.first()?.enter()?;
                attributes_of(address)?
            }
        };
        let known = attributes.is_known();
        match name {
            UsmAllocInfo::TYPE => info.value(attributes.kind),
            UsmAllocInfo::BASE_PTR => {
                let base = if known { attributes.base as usize } else { 0 };
                info.value(std::ptr::with_exposed_provenance_mut::<c_void>(base))
            }
            UsmAllocInfo::SIZE => info.value(if known { attributes.size } else { 0 }),
            UsmAllocInfo::DEVICE => {
                let device = if known { device_of(attributes.ordinal).ok() } else { None };
                info.value(device.map_or(null_mut(), |device| device.handle()))
            }
            _ => Err(Error::unknown_query("allocation", name)),
        }
    }

    fn enqueue_usm_fill_2d(
        queue: &Counted<Queue>,
        ptr: *mut c_void,
        pitch: usize,
        fill: Fill<'_>,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let (pattern, width, height) = (fill.pattern(), fill.width(), fill.height());
        let address = device_address(ptr);
        let rows = pitch.saturating_mul(height.saturating_sub(1)).saturating_add(width);
        // This is checked before the pattern is read, which may be as long as the caller claims that the memory is.
        let _current = queue.device_context().enter()?;
        attributes_of(address)?.check_inside(address, rows)?;
        let request = CommandRequest::new(CommandType::SVM_MEMFILL, StreamKind::Copy);
        submit(queue, request, dependencies, |stream| {
            (0..height).try_for_each(|row| fill::fill(address + (row * pitch) as u64, pattern, width, stream))
        })
    }

    fn enqueue_usm_memset_2d(
        queue: &Counted<Queue>,
        ptr: *mut c_void,
        pitch: usize,
        value: u8,
        width: usize,
        height: usize,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let request = CommandRequest::new(CommandType::SVM_MEMFILL, StreamKind::Copy);
        submit(queue, request, dependencies, |stream| {
            cuda()?.cuMemsetD2D8Async(device_address(ptr), pitch, value, width, height, stream)
        })
    }

    fn enqueue_usm_memcpy_2d(
        queue: &Counted<Queue>,
        blocking: bool,
        dst: (*mut c_void, usize),
        src: (*const c_void, usize),
        width: usize,
        height: usize,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        queue.context.enable_peer_access();
        let request = CommandRequest::new(CommandType::SVM_MEMCPY, StreamKind::Copy).blocking(blocking);
        submit(queue, request, dependencies, |stream| {
            // The driver is queried about the addresses, so the context must be current.
            let copy = BoxCopy {
                src: end_at(src.0, src.1),
                src_origin: [0; 3],
                dst: end_at(dst.0, dst.1),
                dst_origin: [0; 3],
                region: [width, height, 1],
            };
            cuda()?.cuMemcpy3DAsync_v2(&copy.descriptor()?, stream)
        })
    }

    fn usm_import(ptr: *const c_void, size: usize, context: &Counted<Context>) -> Result<()> {
        Self::usm_host_register(context, ptr.cast_mut(), size)
    }

    fn usm_release(ptr: *const c_void, context: &Counted<Context>) -> Result<()> {
        Self::usm_host_unregister(context, ptr.cast_mut())
    }

    fn usm_host_register(context: &Counted<Context>, ptr: *mut c_void, size: usize) -> Result<()> {
        let _current = context.first()?.enter()?;
        host_registration::register(ptr, size, RegisteredFor::Program)
    }

    fn usm_host_unregister(context: &Counted<Context>, ptr: *mut c_void) -> Result<()> {
        let _current = context.first()?.enter()?;
        host_registration::unregister(ptr, RegisteredFor::Program)
    }
}
