//! Unified shared memory.

use sycl_pi_backend::Dependencies;
use sycl_pi_backend::api::{Command, UsmRequest, check_2d};

use super::prelude::*;
use crate::own_queue::in_own_queue;
use crate::pool::{self, BlockKind, Pool};

#[entry]
pub unsafe extern "C" fn urEnqueueUSMFill<B: Backend>(
    hQueue: ur_queue_handle_t, pMem: *mut c_void, patternSize: usize, pPattern: *const c_void, size: usize,
    numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    address(pMem, "pMem")?;
    // SAFETY: `pPattern` is null or has `patternSize` bytes.
    let pattern = unsafe { bytes(patternSize, pPattern, "pPattern")? };
    // A program may set a range of no bytes.
    let fill =
        if pattern.len() == 1 { Fill::or_nothing(pattern, size)? } else { Fill::new(pattern, size, 1)? };
    let command = Command::UsmFill { ptr: pMem, fill }.into();
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueUSMMemcpy<B: Backend>(
    hQueue: ur_queue_handle_t, blocking: u8, pDst: *mut c_void, pSrc: *const c_void, size: usize,
    numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    let (pDst, pSrc) = (address(pDst, "pDst")?, address(pSrc, "pSrc")?);
    let command = QueueCommand::blocking(blocking, Command::UsmMemcpy { dst: pDst, src: pSrc, size });
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueUSMPrefetch<B: Backend>(
    hQueue: ur_queue_handle_t, pMem: *const c_void, size: usize, flags: ur_usm_migration_flags_t,
    numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    address(pMem, "pMem")?;
    known_flags(flags, UR_USM_MIGRATION_FLAG_HOST_TO_DEVICE | UR_USM_MIGRATION_FLAG_DEVICE_TO_HOST, "flags")?;
    let command = prefetch(pMem, size, flags);
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueUSMAdvise<B: Backend>(
    hQueue: ur_queue_handle_t, pMem: *const c_void, size: usize, advice: ur_usm_advice_flags_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    address(pMem, "pMem")?;
    let advice = convert::advice(advice)?;
    let command = Command::UsmAdvise { ptr: pMem, length: size, advice }.into();
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (0, core::ptr::null(), phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueUSMFill2D<B: Backend>(
    hQueue: ur_queue_handle_t, pMem: *mut c_void, pitch: usize, patternSize: usize, pPattern: *const c_void,
    width: usize, height: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    address(pMem, "pMem")?;
    // SAFETY: `pPattern` is null or has `patternSize` bytes.
    let pattern = unsafe { bytes(patternSize, pPattern, "pPattern")? };
    check_2d(pitch, width, height, "pitch")?;
    let command =
        QueueCommand::UsmFill2d { ptr: pMem, pitch, fill: fill_of_rows(pattern, pitch, width, height)? };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueUSMMemcpy2D<B: Backend>(
    hQueue: ur_queue_handle_t, blocking: u8, pDst: *mut c_void, dstPitch: usize, pSrc: *const c_void,
    srcPitch: usize, width: usize, height: usize, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    let (pDst, pSrc) = (address(pDst, "pDst")?, address(pSrc, "pSrc")?.cast_const());
    check_2d(dstPitch, width, height, "dstPitch")?;
    check_2d(srcPitch, width, height, "srcPitch")?;
    let command = QueueCommand::UsmMemcpy2d {
        blocking: blocking != 0,
        dst: (pDst, dstPitch),
        src: (pSrc, srcPitch),
        width,
        height,
    };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urUSMHostAlloc<B: Backend>(
    hContext: ur_context_handle_t, pUSMDesc: *const ur_usm_desc_t, pool: ur_usm_pool_handle_t, size: usize,
    ppMem: *mut *mut c_void,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object(hContext, "hContext")? };
    // SAFETY: the arguments are passed on under the same contract.
    let properties = unsafe { usm_properties(pUSMDesc)? };
    let kind = properties.block(UsmType::HOST, 0, size);
    // SAFETY: `ppMem` is null or writable.
    unsafe {
        put(ppMem, "ppMem", || {
            allocate::<B>(pool, kind, None, || B::usm_host_alloc(context, properties.request(size)?))
        })
    }
}

#[entry]
pub unsafe extern "C" fn urUSMDeviceAlloc<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pUSMDesc: *const ur_usm_desc_t,
    pool: ur_usm_pool_handle_t, size: usize, ppMem: *mut *mut c_void,
) -> Result<()> {
    let (context, device) =
        // SAFETY: `hContext` and `hDevice` are null or live handles.
        unsafe { (object(hContext, "hContext")?, of_backend::<B::Device>(hDevice, "hDevice")?) };
    // SAFETY: the arguments are passed on under the same contract.
    let properties = unsafe { usm_properties(pUSMDesc)? };
    let kind = properties.block(UsmType::DEVICE, core::ptr::from_ref(device).addr(), size);
    // SAFETY: `ppMem` is null or writable.
    unsafe {
        put(ppMem, "ppMem", || {
            allocate::<B>(pool, kind, Some(device), || {
                B::usm_device_alloc(context, device, properties.request(size)?)
            })
        })
    }
}

#[entry]
pub unsafe extern "C" fn urUSMSharedAlloc<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pUSMDesc: *const ur_usm_desc_t,
    pool: ur_usm_pool_handle_t, size: usize, ppMem: *mut *mut c_void,
) -> Result<()> {
    let (context, device) =
        // SAFETY: `hContext` and `hDevice` are null or live handles.
        unsafe { (object(hContext, "hContext")?, object::<B::Device>(hDevice, "hDevice")?) };
    let device: &B::Device = device;
    // SAFETY: the arguments are passed on under the same contract.
    let properties = unsafe { usm_properties(pUSMDesc)? };
    let kind = properties.block(UsmType::SHARED, core::ptr::from_ref(device).addr(), size);
    // SAFETY: `ppMem` is null or writable.
    unsafe {
        put(ppMem, "ppMem", || {
            allocate::<B>(pool, kind, Some(device), || {
                B::usm_shared_alloc(context, Some(device), properties.request(size)?)
            })
        })
    }
}

#[entry]
pub unsafe extern "C" fn urUSMFree<B: Backend>(
    hContext: ur_context_handle_t, pMem: *mut c_void,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object(hContext, "hContext")? };
    let address = core::ptr::NonNull::new(pMem).ok_or_else(|| null_pointer("pMem"))?;
    if pool::free::<B>(pMem)? { Ok(()) } else { B::usm_free(context, address) }
}

#[entry]
pub unsafe extern "C" fn urUSMGetMemAllocInfo<B: Backend>(
    hContext: ur_context_handle_t, pMem: *const c_void, propName: ur_usm_alloc_info_t, propSize: usize,
    pPropValue: *mut c_void, pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object(hContext, "hContext")? };
    address(pMem, "pMem")?;
    // SAFETY: the answer's buffer has the size that the caller states.
    query::usm_alloc::<B>(context, pMem, propName, unsafe {
        Answer::new(propSize, pPropValue, pPropSizeRet)?
    })
}

#[entry]
pub unsafe extern "C" fn urUSMPitchedAllocExp<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pUSMDesc: *const ur_usm_desc_t,
    pool: ur_usm_pool_handle_t, widthInBytes: usize, height: usize, elementSizeBytes: usize,
    ppMem: *mut *mut c_void, pResultPitch: *mut usize,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    no_pool(pool)?;
    // SAFETY: the arguments are passed on under the same contract.
    let properties = unsafe { usm_properties(pUSMDesc)? };
    address(pResultPitch, "pResultPitch")?;
    // SAFETY: `ppMem` is null or writable.
    unsafe {
        put(ppMem, "ppMem", || {
            let request = properties.request(0)?;
            let (memory, pitch) = B::usm_pitched_alloc(
                context,
                device,
                request.properties,
                widthInBytes,
                height,
                elementSizeBytes as u32,
            )?;
            pResultPitch.write(pitch);
            Ok(memory.as_ptr())
        })
    }
}

#[entry]
pub unsafe extern "C" fn urUSMImportExp<B: Backend>(
    hContext: ur_context_handle_t, pMem: *mut c_void, size: usize,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    B::usm_import(address(pMem, "pMem")?, size, unsafe { object(hContext, "hContext")? })
}

#[entry]
pub unsafe extern "C" fn urUSMReleaseExp<B: Backend>(
    hContext: ur_context_handle_t, pMem: *mut c_void,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    B::usm_release(address(pMem, "pMem")?, unsafe { object(hContext, "hContext")? })
}

#[entry]
pub unsafe extern "C" fn urUSMContextMemcpyExp<B: Backend>(
    hContext: ur_context_handle_t, pDst: *mut c_void, pSrc: *const c_void, size: usize,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object(hContext, "hContext")? };
    let (pDst, pSrc) = (address(pDst, "pDst")?, address(pSrc, "pSrc")?);
    in_own_queue::<B>(context, None, |queue| {
        B::enqueue_usm_memcpy(queue, true, pDst, pSrc, size, Dependencies::none())
    })
}

#[entry]
pub unsafe extern "C" fn urUSMHostAllocRegisterExp<B: Backend>(
    hContext: ur_context_handle_t, pHostMem: *mut c_void, size: usize,
    pProperties: *const ur_exp_usm_host_alloc_register_properties_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    let memory = address(pHostMem, "pHostMem")?;
    can_register::<B>(context)?;
    if size == 0 {
        return Err(error(UR_RESULT_ERROR_INVALID_SIZE, "size is 0"));
    }
    // The only flag states that kernels only read, which is a hint.
    // SAFETY: `pProperties` is null or points to what its type says.
    let flags = unsafe { pProperties.as_ref() }.map_or(0, |properties| properties.flags);
    known_flags(flags, !UR_EXP_USM_HOST_ALLOC_REGISTER_FLAGS_MASK, "pProperties->flags")?;
    B::usm_host_register(context, memory, size)
}

#[entry]
pub unsafe extern "C" fn urUSMHostAllocUnregisterExp<B: Backend>(
    hContext: ur_context_handle_t, pHostMem: *mut c_void,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object::<B::Context>(hContext, "hContext")? };
    let memory = address(pHostMem, "pHostMem")?;
    can_register::<B>(context)?;
    B::usm_host_unregister(context, memory)
}

/// Refuses registration if kernels cannot use registered memory. Drivers may still treat it as a hint for copies, but
/// that is not enough.
fn can_register<B: Backend>(context: &B::Context) -> Result<()> {
    let first = B::context_first_device(context)?;
    if query::flag::<B>(first, DeviceInfo::HOST_MEMORY_REGISTER_SUPPORT) {
        return Ok(());
    }
    Err(Error::unsupported(format!("the {} backend registers no host memory for kernels", B::BACKEND)))
}

/// The keys, values and terminator of a property list, and the alignment.
struct UsmProperties {
    list: [u64; 5],
    alignment: u32,
}

impl UsmProperties {
    fn request(&self, size: usize) -> Result<UsmRequest<'_>> {
        // SAFETY: the list consists of pairs of words and has a terminator.
        let properties = unsafe { Properties::read(self.list.as_ptr())? };
        let request = UsmRequest { properties, size, alignment: self.alignment };
        request.check()?;
        Ok(request)
    }

    /// Returns the requests that a pool's block can serve. The properties are hints that do not distinguish blocks.
    fn block(&self, usm: UsmType, device: usize, size: usize) -> BlockKind {
        BlockKind { usm, device, size, alignment: self.alignment }
    }
}

/// Returns the properties of an allocation.
///
/// # Safety
///
/// `desc` must be null or point to its structure, to which valid structures are chained.
unsafe fn usm_properties(desc: *const ur_usm_desc_t) -> Result<UsmProperties> {
    let mut properties = UsmProperties { list: [0; 5], alignment: 0 };
    // SAFETY: guaranteed by the caller.
    let Some(desc) = (unsafe { desc.as_ref() }) else { return Ok(properties) };
    known_flags(desc.hints, !UR_USM_ADVICE_FLAGS_MASK, "pUSMDesc->hints")?;
    properties.alignment = desc.align;
    let mut pairs = Vec::with_capacity(2);
    // SAFETY: guaranteed by the caller.
    unsafe {
        if let Some(device) = chained::<ur_usm_device_desc_t>(desc.pNext, UR_STRUCTURE_TYPE_USM_DEVICE_DESC)
            && device.flags & UR_USM_DEVICE_MEM_FLAG_DEVICE_READ_ONLY != 0
        {
            pairs.push((usm_property::ALLOC_FLAGS, UsmAllocFlags::DEVICE_READ_ONLY.bits()));
        }
        if let Some(place) =
            chained::<ur_usm_alloc_location_desc_t>(desc.pNext, UR_STRUCTURE_TYPE_USM_ALLOC_LOCATION_DESC)
        {
            pairs.push((usm_property::BUFFER_LOCATION, u64::from(place.location)));
        }
    }
    for (place, (key, value)) in properties.list.chunks_exact_mut(2).zip(pairs) {
        place.copy_from_slice(&[key, value]);
    }
    Ok(properties)
}

/// Returns a block of a pool, or the result of `make` if there is no pool.
///
/// # Safety
///
/// `pool` must be null or a handle of a pool.
pub(super) unsafe fn allocate<B: Backend>(
    pool: ur_usm_pool_handle_t, kind: BlockKind, device: Option<&B::Device>,
    make: impl FnOnce() -> Result<core::ptr::NonNull<c_void>>,
) -> Result<*mut c_void> {
    if pool.is_null() {
        return Ok(make()?.as_ptr());
    }
    // SAFETY: guaranteed by the caller.
    let pool = unsafe { counted::<Pool<B>>(pool, "pool")? };
    Pool::allocate(pool, kind, device, make)
}

/// Refuses a pool for pitched allocations, whose blocks also have a pitch.
fn no_pool(pool: ur_usm_pool_handle_t) -> Result<()> {
    if pool.is_null() {
        Ok(())
    } else {
        Err(Error::unsupported("pool: pools have no pitched allocations here"))
    }
}

/// A hint that memory will be needed soon. A hint for the other direction has no counterpart, so it only keeps the
/// order.
fn prefetch<'a, B: Backend>(
    ptr: *const c_void, size: usize, flags: ur_usm_migration_flags_t,
) -> QueueCommand<'a, B> {
    if flags == UR_USM_MIGRATION_FLAG_DEVICE_TO_HOST {
        return QueueCommand::Wait;
    }
    Command::UsmPrefetch { ptr, size, flags: UsmMigrationFlags::empty() }.into()
}

/// A fill of rows. In Unified Runtime a pattern may go on in the next row; here it may if the rows are adjacent,
/// because they are one row then.
fn fill_of_rows(pattern: &[u8], pitch: usize, width: usize, height: usize) -> Result<Fill<'_>> {
    if pitch == width {
        return Fill::new(pattern, width * height, 1);
    }
    let (length, size) = (pattern.len(), width * height);
    if length > 0 && size.is_multiple_of(length) && !width.is_multiple_of(length) {
        return Err(Error::unsupported(format!(
            "patternSize {length} does not divide width {width}: a pattern cannot go on in the next row"
        )));
    }
    Fill::new(pattern, width, height)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn each_part_of_a_description_reaches_the_backend() {
        let location = ur_usm_alloc_location_desc_t {
            stype: UR_STRUCTURE_TYPE_USM_ALLOC_LOCATION_DESC,
            pNext: core::ptr::null(),
            location: 3,
        };
        let device = ur_usm_device_desc_t {
            stype: UR_STRUCTURE_TYPE_USM_DEVICE_DESC,
            pNext: (&raw const location).cast(),
            flags: UR_USM_DEVICE_MEM_FLAG_DEVICE_READ_ONLY,
        };
        let desc = ur_usm_desc_t {
            stype: UR_STRUCTURE_TYPE_USM_DESC,
            pNext: (&raw const device).cast(),
            hints: 0,
            align: 64,
        };
        let (properties, none) =
            // SAFETY: a chain of three structures, and none.
            unsafe { (usm_properties(&desc).unwrap(), usm_properties(core::ptr::null()).unwrap()) };
        let request = properties.request(8).unwrap();
        let pairs: Vec<_> = request.properties.pairs().collect();
        let read_only = (usm_property::ALLOC_FLAGS, UsmAllocFlags::DEVICE_READ_ONLY.bits());
        assert_eq!(pairs, [read_only, (usm_property::BUFFER_LOCATION, 3)]);
        assert_eq!((request.size, request.alignment), (8, 64));
        let request = none.request(8).unwrap();
        assert!(request.properties.is_empty() && request.alignment == 0);
    }

    #[test]
    fn a_pattern_may_go_on_in_the_next_row_only_where_rows_follow_each_other() {
        let fill = |pitch, width| {
            fill_of_rows(&[1, 2, 3], pitch, width, 3).map(|fill| (fill.width(), fill.height()))
        };
        assert_eq!(fill(4, 4).unwrap(), (12, 1));
        assert_eq!(fill(8, 6).unwrap(), (6, 3));
        assert_eq!(fill(8, 4).unwrap_err().code(), ErrorCode::UNSUPPORTED_FEATURE);
        assert_eq!(fill_of_rows(&[1, 2, 3], 8, 4, 2).unwrap_err().code(), ErrorCode::INVALID_VALUE);
    }
}
