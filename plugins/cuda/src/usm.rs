//! Unified shared memory.

use core::ffi::c_void;
use std::ptr::{NonNull, null_mut};

use sycl_pi_backend::api::{UsmApi, UsmRequest};
use sycl_pi_backend::Properties;
use sycl_pi_backend::{Counted, Error, Info, Dependencies, Result};
use sycl_pi_backend::types::*;

use crate::Cuda;
use crate::context::{Context, Place};
use crate::copy::{BoxCopy, device_address, end_at};
use crate::device::{Device, of_raw};
use crate::event::Event;
use crate::fill;
use crate::platform::handle;
use crate::queue::Queue;
use crate::submit::{Lane, submit};
use crate::sys::{CUdeviceptr, CUmem_advise, CUmemorytype, CUpointer_attribute, cuda};

/// What every allocation of the driver's starts on.
const ALIGNMENT: u32 = 256;

fn check(request: &UsmRequest<'_>) -> Result<()> {
    if request.size == 0 {
        return Err(Error::new(ErrorCode::INVALID_BUFFER_SIZE, "size is 0"));
    }
    if request.alignment > ALIGNMENT {
        return Err(Error::invalid_value(format!(
            "alignment {} is past {ALIGNMENT}, which CUDA allocations start on",
            request.alignment
        )));
    }
    Ok(())
}

/// Refuses an allocation that is larger than the device, `DeviceInfo::MAX_MEM_ALLOC_SIZE`: the driver would grant managed
/// memory of any size, and fault pages in and out for ever once a kernel walks over it.
fn check_fits(device: &Device, size: usize) -> Result<()> {
    let most = device.memory()?;
    if size <= most {
        return Ok(());
    }
    let text = format!("{size} bytes of shared memory; the device has {most}");
    Err(Error::new(ErrorCode::OUT_OF_RESOURCES, text))
}

fn given(address: CUdeviceptr, size: usize) -> Result<NonNull<c_void>> {
    NonNull::new(std::ptr::with_exposed_provenance_mut(address as usize)).ok_or_else(|| {
        Error::new(ErrorCode::OUT_OF_RESOURCES, format!("the driver gave no memory for {size} bytes"))
    })
}

/// What the driver knows of an address.
struct Facts {
    kind: UsmType,
    base: CUdeviceptr,
    size: usize,
    ordinal: i32,
}

/// Asks about an address; unknown for memory that is not the driver's. The context is current.
fn facts(address: CUdeviceptr) -> Result<Facts> {
    use CUpointer_attribute::*;
    let (mut kind, mut managed, mut base, mut size, mut ordinal) = (0_u32, 0_u32, 0_u64, 0_usize, -1_i32);
    let mut attributes = [
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        CU_POINTER_ATTRIBUTE_IS_MANAGED,
        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
        CU_POINTER_ATTRIBUTE_RANGE_SIZE,
        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
    ];
    let mut values: [*mut c_void; 5] = [
        (&raw mut kind).cast(),
        (&raw mut managed).cast(),
        (&raw mut base).cast(),
        (&raw mut size).cast(),
        (&raw mut ordinal).cast(),
    ];
    let asked =
        cuda()?.queries.cuPointerGetAttributes(5, attributes.as_mut_ptr(), values.as_mut_ptr(), address);
    let kind = match asked {
        // Memory of somebody else's; any other error is one.
        Err(error) if error.code() != ErrorCode::INVALID_VALUE => return Err(error),
        Err(_) => UsmType::UNKNOWN,
        Ok(()) if managed != 0 => UsmType::SHARED,
        Ok(()) if kind == CUmemorytype::CU_MEMORYTYPE_HOST as u32 => UsmType::HOST,
        Ok(()) if kind == CUmemorytype::CU_MEMORYTYPE_DEVICE as u32 => UsmType::DEVICE,
        Ok(()) => UsmType::UNKNOWN,
    };
    Ok(Facts { kind, base, size, ordinal })
}

/// Refuses a range that leaves its allocation.
fn check_inside(facts: &Facts, address: CUdeviceptr, size: usize) -> Result<()> {
    let offset = address.wrapping_sub(facts.base) as usize;
    if facts.kind == UsmType::UNKNOWN || offset <= facts.size && size <= facts.size - offset {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "ptr: {size} bytes at {address:#x} leave their allocation, which has {} bytes from {:#x} on",
        facts.size, facts.base
    )))
}

impl UsmApi for Cuda {
    fn usm_host_alloc(context: &Counted<Context>, request: UsmRequest<'_>) -> Result<NonNull<c_void>> {
        const PORTABLE_AND_MAPPED: u32 = 1 | 2;
        check(&request)?;
        let _current = context.first()?.enter()?;
        let mut start = null_mut();
        cuda()?.cuMemHostAlloc(&mut start, request.size, PORTABLE_AND_MAPPED)?;
        given(device_address(start), request.size)
    }

    fn usm_device_alloc(
        context: &Counted<Context>,
        device: &Counted<Device>,
        request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        check(&request)?;
        let _current = context.place_of(device)?.enter()?;
        let mut start = 0;
        cuda()?.cuMemAlloc_v2(&mut start, request.size)?;
        given(start, request.size)
    }

    fn usm_shared_alloc(
        context: &Counted<Context>,
        device: Option<&Counted<Device>>,
        request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        const GLOBAL: u32 = 1;
        check(&request)?;
        let place = match device {
            Some(device) => context.place_of(device)?,
            None => context.first()?,
        };
        check_fits(&place.device, request.size)?;
        let _current = place.enter()?;
        let mut start = 0;
        cuda()?.cuMemAllocManaged(&mut start, request.size, GLOBAL)?;
        given(start, request.size)
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
            return Err(Error::invalid_value(format!(
                "width_in_bytes {width} by height {height} is no memory"
            )));
        }
        // The driver knows three element sizes.
        let element = match element_size {
            0..=4 => 4,
            5..=8 => 8,
            _ => 16,
        };
        let _current = context.place_of(device)?.enter()?;
        let (mut start, mut pitch) = (0, 0);
        cuda()?.cuMemAllocPitch_v2(&mut start, &mut pitch, width, height, element)?;
        Ok((given(start, width)?, pitch))
    }

    fn usm_free(context: &Counted<Context>, ptr: NonNull<c_void>) -> Result<()> {
        let _current = context.first()?.enter()?;
        let address = device_address(ptr.as_ptr());
        let facts = facts(address)?;
        match facts.kind {
            UsmType::HOST => cuda()?.cuMemFreeHost(ptr.as_ptr()),
            UsmType::DEVICE | UsmType::SHARED => {
                let owner = context.places.iter().find(|place| place.device.ordinal == facts.ordinal);
                let _owner = owner.map(Place::enter).transpose()?;
                cuda()?.cuMemFree_v2(address)
            }
            _ => Err(Error::invalid_value(format!("{ptr:p} is no USM allocation"))),
        }
    }

    fn enqueue_usm_memset(
        queue: &Counted<Queue>,
        ptr: *mut c_void,
        value: u8,
        count: usize,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        submit(queue, Lane::Copy, CommandType::MEM_BUFFER_FILL, dependencies, false, |stream| {
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
        queue.context.link();
        submit(queue, Lane::Copy, CommandType::MEM_BUFFER_COPY, dependencies, blocking, |stream| {
            if size == 0 {
                return Ok(());
            }
            cuda()?.cuMemcpyAsync(device_address(dst), device_address(src), size, stream)
        })
    }

    fn enqueue_usm_prefetch(
        queue: &Counted<Queue>,
        ptr: *const c_void,
        size: usize,
        _: UsmMigrationFlags,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let current = queue.place().enter()?;
        let facts = facts(device_address(ptr))?;
        check_inside(&facts, device_address(ptr), size)?;
        drop(current);
        let device = queue.device();
        submit(queue, Lane::Copy, CommandType::MIGRATE_MEM_OBJECTS, dependencies, false, |stream| {
            // Only managed memory moves, and only on devices that page it.
            if facts.kind != UsmType::SHARED || size == 0 || !pages(device) {
                return Ok(());
            }
            cuda()?.cuMemPrefetchAsync(device_address(ptr), size, device.raw, stream)
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
        let current = queue.place().enter()?;
        let facts = facts(address)?;
        check_inside(&facts, address, length)?;
        if facts.kind == UsmType::SHARED && length > 0 && pages(queue.device()) {
            advise(queue.device(), address, length, advice)?;
        }
        drop(current);
        submit(queue, Lane::Copy, CommandType::USER, dependencies, false, |_| Ok(()))
    }

    fn usm_mem_alloc_info(
        context: &Counted<Context>,
        ptr: *const c_void,
        name: UsmAllocInfo,
        info: Info<'_>,
    ) -> Result<()> {
        let _current = context.first()?.enter()?;
        let facts = facts(device_address(ptr))?;
        let known = facts.kind != UsmType::UNKNOWN;
        match name {
            UsmAllocInfo::TYPE => info.value(facts.kind),
            UsmAllocInfo::BASE_PTR => {
                let base = if known { facts.base as usize } else { 0 };
                info.value(std::ptr::with_exposed_provenance_mut::<c_void>(base))
            }
            UsmAllocInfo::SIZE => info.value(if known { facts.size } else { 0 }),
            UsmAllocInfo::DEVICE => {
                let device = if known { of_raw(facts.ordinal).ok() } else { None };
                info.value(device.map_or(null_mut(), |device| handle(&**device)))
            }
            _ => Err(Error::invalid_value(format!("param_name: unknown allocation query {name:#x}"))),
        }
    }

    fn enqueue_usm_fill_2d(
        queue: &Counted<Queue>,
        ptr: *mut c_void,
        pitch: usize,
        pattern: &[u8],
        width: usize,
        height: usize,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        submit(queue, Lane::Copy, CommandType::MEM_BUFFER_FILL, dependencies, false, |stream| {
            (0..height).try_for_each(|row| {
                fill::fill(device_address(ptr) + (row * pitch) as u64, pattern, width, stream)
            })
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
        submit(queue, Lane::Copy, CommandType::MEM_BUFFER_FILL, dependencies, false, |stream| {
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
        queue.context.link();
        submit(queue, Lane::Copy, CommandType::MEM_BUFFER_COPY_RECT, dependencies, blocking, |stream| {
            let copy = BoxCopy {
                src: end_at(src.0, src.1)?,
                src_origin: [0; 3],
                dst: end_at(dst.0, dst.1)?,
                dst_origin: [0; 3],
                region: [width, height, 1],
            };
            copy.enqueue(stream)
        })
    }

    fn usm_import(ptr: *const c_void, size: usize, context: &Counted<Context>) -> Result<()> {
        const PORTABLE_AND_MAPPED: u32 = 1 | 2;
        let _current = context.first()?.enter()?;
        cuda()?.cuMemHostRegister_v2(ptr.cast_mut(), size, PORTABLE_AND_MAPPED)
    }

    fn usm_release(ptr: *const c_void, context: &Counted<Context>) -> Result<()> {
        let _current = context.first()?.enter()?;
        cuda()?.cuMemHostUnregister(ptr.cast_mut())
    }
}

/// Whether the device moves managed memory by pages; hints need that.
pub(crate) fn pages(device: &Device) -> bool {
    device.has(crate::sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS)
}

/// Gives each advice in `advice` to the driver.
pub(crate) fn advise(
    device: &Device,
    address: CUdeviceptr,
    size: usize,
    advice: MemAdvice,
) -> Result<()> {
    use CUmem_advise::*;
    const HOST: i32 = -1;
    let here = device.raw;
    let table = [
        (MemAdvice::CUDA_SET_READ_MOSTLY, CU_MEM_ADVISE_SET_READ_MOSTLY, here),
        (MemAdvice::CUDA_UNSET_READ_MOSTLY, CU_MEM_ADVISE_UNSET_READ_MOSTLY, here),
        (MemAdvice::CUDA_SET_PREFERRED_LOCATION, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, here),
        (MemAdvice::CUDA_UNSET_PREFERRED_LOCATION, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, here),
        (MemAdvice::CUDA_SET_ACCESSED_BY, CU_MEM_ADVISE_SET_ACCESSED_BY, here),
        (MemAdvice::CUDA_UNSET_ACCESSED_BY, CU_MEM_ADVISE_UNSET_ACCESSED_BY, here),
        (MemAdvice::CUDA_SET_PREFERRED_LOCATION_HOST, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, HOST),
        (MemAdvice::CUDA_UNSET_PREFERRED_LOCATION_HOST, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, HOST),
        (MemAdvice::CUDA_SET_ACCESSED_BY_HOST, CU_MEM_ADVISE_SET_ACCESSED_BY, HOST),
        (MemAdvice::CUDA_UNSET_ACCESSED_BY_HOST, CU_MEM_ADVISE_UNSET_ACCESSED_BY, HOST),
    ];
    let cuda = cuda()?;
    if advice == MemAdvice::RESET {
        let resets = table.iter().filter(|(bit, ..)| bit & 0x2aa != 0);
        return resets
            .clone()
            .try_for_each(|(_, hint, device)| cuda.cuMemAdvise(address, size, *hint, *device));
    }
    let wanted = table.iter().filter(|(bit, ..)| advice != MemAdvice::UNKNOWN && advice & bit != 0);
    for (_, hint, device) in wanted {
        cuda.cuMemAdvise(address, size, *hint, *device)?;
    }
    Ok(())
}
