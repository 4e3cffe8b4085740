//! Unified shared memory.

use core::ffi::c_void;
use std::ptr::{NonNull, null_mut};

use sycl_pi_backend::api::{UsmApi, UsmRequest};
use sycl_pi_backend::Properties;
use sycl_pi_backend::{Error, Info, Dependencies, Result, last_error};
use sycl_pi_backend::types::*;

use crate::copy::{self, Rows};
use crate::lane::{Ask, Held, Work, enqueue};
use crate::platform::device_of;
use crate::sys::{Address, ze, *};
use crate::usm_pool::{Found, LARGEST_ALIGNMENT, Place, Request};
use crate::{Context, Device, Event, LevelZero, Queue, device, handle};

/// What the caller asks for, in the driver's words.
fn request(place: Place, asked: UsmRequest<'_>) -> Result<Request> {
    if asked.size == 0 {
        return Err(Error::new(ErrorCode::INVALID_BUFFER_SIZE, "size is 0"));
    }
    let alignment = asked.alignment as usize;
    if alignment > LARGEST_ALIGNMENT {
        return Err(Error::invalid_value(format!(
            "alignment {alignment}; Level Zero promises up to {LARGEST_ALIGNMENT}"
        )));
    }
    let mut request = Request { alignment, ..Request::new(place, asked.size) };
    for (key, value) in asked.properties.pairs() {
        // Where a buffer lies among banks is for FPGAs; "read-only on the device" is a promise nobody here needs.
        if key != PI_MEM_ALLOC_FLAGS {
            continue;
        }
        if value & UsmAllocFlags::WRITE_COMBINED != 0 && !matches!(place, Place::Device(_)) {
            request.host_flags |= ZE_HOST_MEM_ALLOC_FLAG_BIAS_WRITE_COMBINED;
        }
        if matches!(place, Place::Shared(_)) {
            if value & UsmAllocFlags::INITIAL_PLACEMENT_DEVICE != 0 {
                request.device_flags |= ZE_DEVICE_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
            }
            if value & UsmAllocFlags::INITIAL_PLACEMENT_HOST != 0 {
                request.host_flags |= ZE_HOST_MEM_ALLOC_FLAG_BIAS_INITIAL_PLACEMENT;
            }
        }
    }
    Ok(request)
}

fn allocate(context: &Context, place: Place, asked: UsmRequest<'_>) -> Result<NonNull<c_void>> {
    let address = context.usm.allocate(context, request(place, asked)?)?;
    NonNull::new(address.get()).ok_or_else(|| Error::new(ErrorCode::OUT_OF_RESOURCES, "no memory"))
}

/// The allocation that holds an address: the plugin's own, or one that the driver knows.
pub(crate) fn find(context: &Context, address: Address) -> Result<Option<Found>> {
    if let Some(found) = context.usm.find(address) {
        return Ok(Some(found));
    }
    let ze = ze()?;
    let mut properties = ze_memory_allocation_properties_t::default();
    let mut device = ze_device_handle_t::NULL;
    ze.zeMemGetAllocProperties(context.ze, address.get(), &mut properties, &mut device)?;
    let place = match properties.r#type {
        ZE_MEMORY_TYPE_HOST => Place::Host,
        ZE_MEMORY_TYPE_DEVICE => Place::Device(device),
        ZE_MEMORY_TYPE_SHARED => Place::Shared(device),
        _ => return Ok(None),
    };
    let (mut base, mut size) = (null_mut(), 0);
    ze.zeMemGetAddressRange(context.ze, address.get(), &mut base, &mut size)?;
    Ok(Some(Found { base: Address::new(base).number(), size, place }))
}

/// Refuses a range that leaves its allocation. Ordinary host memory has no bounds that can be known.
fn check_range(context: &Context, address: Address, size: usize, what: &str) -> Result<()> {
    let Some(found) = context.usm.find(address) else { return Ok(()) };
    let offset = address.number() - found.base;
    if size <= found.size && offset <= found.size - size {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "ptr: {what} of {size} bytes from byte {offset} on leaves the allocation of {} bytes",
        found.size
    )))
}

/// The driver's advices for PI's bits.
fn advices(advice: MemAdvice) -> Vec<ze_memory_advice_t> {
    let pairs = [
        (MemAdvice::CUDA_SET_READ_MOSTLY, ZE_MEMORY_ADVICE_SET_READ_MOSTLY),
        (MemAdvice::CUDA_UNSET_READ_MOSTLY, ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY),
        (MemAdvice::CUDA_SET_PREFERRED_LOCATION, ZE_MEMORY_ADVICE_SET_PREFERRED_LOCATION),
        (MemAdvice::CUDA_UNSET_PREFERRED_LOCATION, ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION),
    ];
    if advice == MemAdvice::RESET {
        return vec![ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY, ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION];
    }
    if advice == MemAdvice::UNKNOWN {
        return Vec::new();
    }
    pairs.iter().filter(|(bit, _)| advice & bit != 0).map(|(_, ze)| *ze).collect()
}

/// Appends a hint, and the signal behind it.
pub(crate) fn append_hint(at: &crate::lane::At, hint: impl FnOnce() -> Result<()>) -> Result<()> {
    let ze = ze()?;
    if at.count > 0 {
        ze.zeCommandListAppendWaitOnEvents(at.list, at.count, at.waits)?;
    }
    // A driver that cannot take the hint loses nothing by it: a warning, no error.
    if let Err(error) = hint() {
        last_error::record_warning(error.to_string());
    }
    ze.zeCommandListAppendBarrier(at.list, at.signal, 0, null_mut())
}

/// Appends an advice in the driver's words.
pub(crate) fn advise(
    list: ze_command_list_handle_t,
    device: &Device,
    ptr: Address,
    length: usize,
    advice: MemAdvice,
) -> Result<()> {
    let ze = ze()?;
    advices(advice)
        .into_iter()
        .try_for_each(|advice| ze.zeCommandListAppendMemAdvise(list, device.ze, ptr.get(), length, advice))
}

impl UsmApi for LevelZero {
    fn usm_host_alloc(context: &Context, request: UsmRequest<'_>) -> Result<NonNull<c_void>> {
        allocate(context, Place::Host, request)
    }

    fn usm_device_alloc(
        context: &Context,
        device: &Device,
        request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        context.check(device)?;
        allocate(context, Place::Device(device.ze), request)
    }

    fn usm_shared_alloc(
        context: &Context,
        device: Option<&Device>,
        request: UsmRequest<'_>,
    ) -> Result<NonNull<c_void>> {
        if let Some(device) = device {
            context.check(device)?;
        }
        let device = device.map_or(ze_device_handle_t::NULL, |device| device.ze);
        allocate(context, Place::Shared(device), request)
    }

    fn usm_pitched_alloc(
        context: &Context,
        device: &Device,
        properties: Properties<'_, u64>,
        width: usize,
        height: usize,
        element_size: u32,
    ) -> Result<(NonNull<c_void>, usize)> {
        context.check(device)?;
        let mut pitch = 0;
        ze()?.zeMemGetPitchFor2dImage(context.ze, device.ze, width, height, element_size, &mut pitch)?;
        let size = pitch.checked_mul(height).ok_or_else(|| {
            Error::new(ErrorCode::INVALID_BUFFER_SIZE, "height: the rows are more than memory")
        })?;
        let request = UsmRequest { properties, size, alignment: 0 };
        Ok((Self::usm_device_alloc(context, device, request)?, pitch))
    }

    fn usm_free(context: &Context, ptr: NonNull<c_void>) -> Result<()> {
        context.usm.free(context, Address::new(ptr.as_ptr()))
    }

    fn enqueue_usm_memset(
        queue: &Queue,
        ptr: *mut c_void,
        value: u8,
        count: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let ptr = Address::new(ptr);
        check_range(&queue.lane.context, ptr, count, "a memset")?;
        let held = Held::default();
        copy::fill(queue, CommandType::SVM_MEMFILL, held, &[value], Rows::one(ptr, count), dependencies)
    }

    #[inline]
    fn enqueue_usm_memcpy(
        queue: &Queue,
        blocking: bool,
        dst: *mut c_void,
        src: *const c_void,
        size: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let ask = Ask::new(CommandType::SVM_MEMCPY, Work::Copy).blocking(blocking);
        copy::linear(queue, ask, Address::new(dst), Address::new(src), size, dependencies)
    }

    fn enqueue_usm_prefetch(
        queue: &Queue,
        ptr: *const c_void,
        size: usize,
        _: UsmMigrationFlags,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_range(&queue.lane.context, Address::new(ptr), size, "a prefetch")?;
        let ze = ze()?;
        let ask = Ask::new(CommandType::MIGRATE_MEM_OBJECTS, Work::Compute);
        enqueue(queue, ask, dependencies, |at| {
            append_hint(at, || ze.zeCommandListAppendMemoryPrefetch(at.list, ptr, size))
        })
    }

    fn enqueue_usm_mem_advise(
        queue: &Queue,
        ptr: *const c_void,
        length: usize,
        advice: MemAdvice,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let ptr = Address::new(ptr);
        check_range(&queue.lane.context, ptr, length, "an advice")?;
        let device = &queue.lane.device;
        let ask = Ask::new(CommandType::USER, Work::Compute);
        enqueue(queue, ask, dependencies, |at| append_hint(at, || advise(at.list, device, ptr, length, advice)))
    }

    fn usm_mem_alloc_info(
        context: &Context,
        ptr: *const c_void,
        name: UsmAllocInfo,
        info: Info<'_>,
    ) -> Result<()> {
        let found = find(context, Address::new(ptr))?;
        match name {
            UsmAllocInfo::TYPE => info.value::<UsmType>(match found.map(|found| found.place) {
                None => UsmType::UNKNOWN,
                Some(Place::Host) => UsmType::HOST,
                Some(Place::Device(_)) => UsmType::DEVICE,
                Some(Place::Shared(_)) => UsmType::SHARED,
            }),
            UsmAllocInfo::DEVICE => {
                let device = match found.map(|found| found.place) {
                    Some(Place::Device(ze) | Place::Shared(ze)) => device_of(ze),
                    _ => None,
                };
                info.value(device.map_or(null_mut(), handle::<device::Body>))
            }
            UsmAllocInfo::BASE_PTR => {
                info.value(found.map_or(null_mut(), |found| Address::from_number(found.base).get()))
            }
            UsmAllocInfo::SIZE => info.value(found.map_or(0, |found| found.size)),
            _ => Err(Error::invalid_value(format!("param_name: unknown allocation query {name:#x}"))),
        }
    }

    fn enqueue_usm_fill_2d(
        queue: &Queue,
        ptr: *mut c_void,
        pitch: usize,
        pattern: &[u8],
        width: usize,
        height: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let ptr = Address::new(ptr);
        check_range(&queue.lane.context, ptr, pitch * (height - 1) + width, "a fill")?;
        let (command, held) = (CommandType::SVM_MEMFILL, Held::default());
        let rows = Rows { start: ptr, size: width, count: height, pitch };
        copy::fill(queue, command, held, pattern, rows, dependencies)
    }

    fn enqueue_usm_memset_2d(
        queue: &Queue,
        ptr: *mut c_void,
        pitch: usize,
        value: u8,
        width: usize,
        height: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        Self::enqueue_usm_fill_2d(queue, ptr, pitch, &[value], width, height, dependencies)
    }

    fn enqueue_usm_memcpy_2d(
        queue: &Queue,
        blocking: bool,
        (dst, dst_pitch): (*mut c_void, usize),
        (src, src_pitch): (*const c_void, usize),
        width: usize,
        height: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let region = [width, height, 1];
        let (dst, _) = copy::side(Address::new(dst), &[0; 3], &region, dst_pitch, 0)?;
        let (src, _) = copy::side(Address::new(src), &[0; 3], &region, src_pitch, 0)?;
        let ask = Ask::new(CommandType::SVM_MEMCPY, Work::Copy).blocking(blocking);
        copy::rect(queue, ask, dst, src, &region, dependencies)
    }

    fn usm_import(_: *const c_void, _: usize, _: &Context) -> Result<()> {
        // Drivers take ordinary host memory in copies as it is; there is nothing to gain.
        Ok(())
    }

    fn usm_release(_: *const c_void, _: &Context) -> Result<()> {
        Ok(())
    }
}
