//! Unified shared memory.

use core::ffi::c_void;
use std::ptr::{NonNull, null_mut};

use sycl_pi_backend::api::{UsmApi, UsmRequest};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Dependencies, Error, Fill, Info, Properties, Result};

use crate::driver::{AllocationRequest, LARGEST_ALIGNMENT, MemoryLocation};
use crate::fill::{self, FillRows};
use crate::hint::{advise, append_hint};
use crate::objects::{
    CommandResources, ContextHandle, DeviceHandle, EventHandle, QueueHandle, discovery, raw_handle,
};
use crate::submission::EngineKind;
use crate::submit::{CommandRequest, enqueue};
use crate::sys::{Address, ze, *};
use crate::{LevelZero, copy};

/// Returns a request to the pool.
pub(crate) fn plain_request(
    location: MemoryLocation,
    size: usize,
    alignment: usize,
) -> Result<AllocationRequest> {
    if size == 0 {
        return Err(Error::empty_allocation());
    }
    if alignment > LARGEST_ALIGNMENT {
        return Err(Error::invalid_value(format!(
            "alignment {alignment}; Level Zero promises up to {LARGEST_ALIGNMENT}"
        )));
    }
    Ok(AllocationRequest { alignment, ..AllocationRequest::new(location, size) })
}

/// Converts the caller's request to a request to the pool.
fn request(location: MemoryLocation, asked: UsmRequest<'_>) -> Result<AllocationRequest> {
    let mut request = plain_request(location, asked.size, asked.alignment as usize)?;
    for (key, value) in asked.properties.pairs() {
        // The buffer location is for FPGAs, and the driver does not use "read-only on the device".
        if key != usm_property::ALLOC_FLAGS {
            continue;
        }
        let flags = UsmAllocFlags::from_bits_retain(value);
        if flags.contains(UsmAllocFlags::WRITE_COMBINED) && !matches!(location, MemoryLocation::Device(_)) {
            request.host_flags |= ZE_HOST_MEM_ALLOC_FLAG_BIAS_WRITE_COMBINED;
        }
        if matches!(location, MemoryLocation::Shared(_)) {
            if flags.contains(UsmAllocFlags::INITIAL_PLACEMENT_DEVICE) {
                request.device_flags |= ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
            }
            if flags.contains(UsmAllocFlags::INITIAL_PLACEMENT_HOST) {
                request.host_flags |= ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
            }
        }
    }
    Ok(request)
}

/// Allocates memory of the context.
pub(crate) fn allocate(context: &ContextHandle, request: AllocationRequest) -> Result<NonNull<c_void>> {
    let address = context.usm.allocate(request)?;
    NonNull::new(address.get()).ok_or_else(|| Error::new(ErrorCode::OUT_OF_RESOURCES, "no memory"))
}

/// Refuses a range that exceeds its allocation. The bounds of ordinary host memory are unknown.
fn check_range(context: &ContextHandle, address: Address, size: usize, what: &str) -> Result<()> {
    let Some(found) = context.usm.find(address) else { return Ok(()) };
    let offset = address.number() - found.base;
    if size <= found.size && offset <= found.size - size {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "{what} of {size} bytes from byte {offset} on leaves the allocation of {} bytes",
        found.size
    )))
}

impl UsmApi for LevelZero {
    fn usm_host_alloc(context: &ContextHandle, asked: UsmRequest<'_>) -> Result<NonNull<c_void>> {
        allocate(context, request(MemoryLocation::Host, asked)?)
    }

    fn usm_device_alloc(
        context: &ContextHandle,
        device: &DeviceHandle,
        asked: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        context.check(device)?;
        allocate(context, request(MemoryLocation::Device(device.ze), asked)?)
    }

    fn usm_shared_alloc(
        context: &ContextHandle,
        device: Option<&DeviceHandle>,
        asked: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        if let Some(device) = device {
            context.check(device)?;
        }
        let device = device.map_or(ze_device_handle_t::NULL, |device| device.ze);
        allocate(context, request(MemoryLocation::Shared(device), asked)?)
    }

    fn usm_pitched_alloc(
        context: &ContextHandle,
        device: &DeviceHandle,
        properties: Properties<'_, u64>,
        width: usize,
        height: usize,
        element_size: u32,
    ) -> Result<(NonNull<c_void>, usize)> {
        context.check(device)?;
        let mut pitch = 0;
        ze()?.zeMemGetPitchFor2dImage(context.ze, device.ze, width, height, element_size, &mut pitch)?;
        let size = pitch
            .checked_mul(height)
            .ok_or_else(|| Error::new(ErrorCode::INVALID_BUFFER_SIZE, "the rows are more than memory"))?;
        let request = UsmRequest { properties, size, alignment: 0 };
        Ok((Self::usm_device_alloc(context, device, request)?, pitch))
    }

    fn usm_free(context: &ContextHandle, ptr: NonNull<c_void>) -> Result<()> {
        context.usm.free(Address::new(ptr.as_ptr()))
    }

    fn enqueue_usm_memset(
        queue: &QueueHandle,
        ptr: *mut c_void,
        value: u8,
        count: usize,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        let ptr = Address::new(ptr);
        check_range(&queue.context, ptr, count, "a fill")?;
        let (command, resources) = (CommandType::SVM_MEMFILL, CommandResources::default());
        fill::fill(queue, command, resources, &[value], FillRows::one(ptr, count), dependencies)
    }

    fn enqueue_usm_memcpy(
        queue: &QueueHandle,
        blocking: bool,
        dst: *mut c_void,
        src: *const c_void,
        size: usize,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        let request = CommandRequest::new(CommandType::SVM_MEMCPY, EngineKind::Copy).blocking(blocking);
        copy::linear(queue, request, Address::new(dst), Address::new(src), size, dependencies)
    }

    fn enqueue_usm_prefetch(
        queue: &QueueHandle,
        ptr: *const c_void,
        size: usize,
        _: UsmMigrationFlags,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        check_range(&queue.context, Address::new(ptr), size, "a prefetch")?;
        let ze = ze()?;
        let request = CommandRequest::new(CommandType::MIGRATE_MEM_OBJECTS, EngineKind::Compute).in_parts();
        enqueue(queue, request, dependencies, |target| {
            append_hint(target, || ze.zeCommandListAppendMemoryPrefetch(target.list, ptr, size))
        })
    }

    fn enqueue_usm_mem_advise(
        queue: &QueueHandle,
        ptr: *const c_void,
        length: usize,
        advice: MemAdvice,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        let ptr = Address::new(ptr);
        check_range(&queue.context, ptr, length, "an advice")?;
        let device = &queue.device;
        let request = CommandRequest::new(CommandType::USER, EngineKind::Compute).in_parts();
        enqueue(queue, request, dependencies, |target| {
            append_hint(target, || advise(target.list, device, ptr, length, advice))
        })
    }

    fn usm_mem_alloc_info(
        context: &ContextHandle,
        ptr: *const c_void,
        name: UsmAllocInfo,
        info: Info<'_>,
    ) -> Result<()> {
        let found = context.find_allocation(Address::new(ptr))?;
        match name {
            UsmAllocInfo::TYPE => info.value::<UsmType>(match found.map(|found| found.location) {
                None => UsmType::UNKNOWN,
                Some(MemoryLocation::Host) => UsmType::HOST,
                Some(MemoryLocation::Device(_)) => UsmType::DEVICE,
                Some(MemoryLocation::Shared(_)) => UsmType::SHARED,
            }),
            UsmAllocInfo::DEVICE => {
                let device = match found.map(|found| found.location) {
                    Some(MemoryLocation::Device(ze) | MemoryLocation::Shared(ze)) => discovery::device_of(ze),
                    _ => None,
                };
                info.value(device.map_or(null_mut(), raw_handle))
            }
            UsmAllocInfo::BASE_PTR => {
                info.value(found.map_or(null_mut(), |found| Address::from_number(found.base).get()))
            }
            UsmAllocInfo::SIZE => info.value(found.map_or(0, |found| found.size)),
            _ => Err(Error::unknown_query("allocation", name)),
        }
    }

    fn enqueue_usm_fill_2d(
        queue: &QueueHandle,
        ptr: *mut c_void,
        pitch: usize,
        fill: Fill<'_>,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        let (ptr, width, height) = (Address::new(ptr), fill.width(), fill.height());
        check_range(&queue.context, ptr, pitch * (height - 1) + width, "a fill")?;
        let (command, resources) = (CommandType::SVM_MEMFILL, CommandResources::default());
        let rows = FillRows { start: ptr, size: width, count: height, pitch };
        fill::fill(queue, command, resources, fill.pattern(), rows, dependencies)
    }

    fn enqueue_usm_memset_2d(
        queue: &QueueHandle,
        ptr: *mut c_void,
        pitch: usize,
        value: u8,
        width: usize,
        height: usize,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        Self::enqueue_usm_fill_2d(queue, ptr, pitch, Fill::new(&[value], width, height)?, dependencies)
    }

    fn enqueue_usm_memcpy_2d(
        queue: &QueueHandle,
        blocking: bool,
        (dst, dst_pitch): (*mut c_void, usize),
        (src, src_pitch): (*const c_void, usize),
        width: usize,
        height: usize,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        let region = [width, height, 1];
        let (dst, _) = copy::side(Address::new(dst), &[0; 3], &region, dst_pitch, 0)?;
        let (src, _) = copy::side(Address::new(src), &[0; 3], &region, src_pitch, 0)?;
        let request = CommandRequest::new(CommandType::SVM_MEMCPY, EngineKind::Copy).blocking(blocking);
        copy::rect(queue, request, dst, src, &region, dependencies)
    }

    fn usm_import(_: *const c_void, _: usize, _: &ContextHandle) -> Result<()> {
        // Drivers copy from ordinary host memory directly, so importing it has no benefit.
        Ok(())
    }

    fn usm_release(_: *const c_void, _: &ContextHandle) -> Result<()> {
        Ok(())
    }

    fn usm_host_register(context: &ContextHandle, ptr: *mut c_void, size: usize) -> Result<()> {
        let ptr = Address::new(ptr);
        if context.find_allocation(ptr)?.is_some() && context.usm.registered.find(ptr).is_none() {
            let at = ptr.number();
            return Err(Error::invalid_value(format!(
                "memory at {at:#x} is USM memory without registration"
            )));
        }
        context.usm.registered.register(ptr, size)
    }

    fn usm_host_unregister(context: &ContextHandle, ptr: *mut c_void) -> Result<()> {
        context.usm.registered.unregister(Address::new(ptr))
    }
}
