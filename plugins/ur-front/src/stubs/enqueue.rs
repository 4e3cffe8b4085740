//! Commands: kernel launches, waits, buffer commands.

use sycl_pi_backend::api::Command;

use super::prelude::*;
use crate::handle::Handle;
use crate::launch;

#[entry]
pub unsafe extern "C" fn urEnqueueEventsWait<B: Backend>(
    hQueue: ur_queue_handle_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    let command = QueueCommand::Wait;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueKernelLaunch<B: Backend>(
    hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize,
    pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize,
    launchPropList: *const ur_kernel_launch_ext_properties_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    let (queue, kernel) =
        // SAFETY: `hQueue` and `hKernel` are null or live handles.
        unsafe { (object(hQueue, "hQueue")?, of_backend::<B::Kernel>(hKernel, "hKernel")?) };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)? };
    // SAFETY: the arguments are passed on under the same contract.
    let properties = unsafe { launch::properties(workDim, launchPropList)? };
    let command = QueueCommand::Launch { kernel, range, properties };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueKernelLaunch_until_2025_2<B: Backend>(
    hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize,
    pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    let (queue, kernel) =
        // SAFETY: `hQueue` and `hKernel` are null or live handles.
        unsafe { (object(hQueue, "hQueue")?, of_backend::<B::Kernel>(hKernel, "hKernel")?) };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)? };
    let command = QueueCommand::Launch { kernel, range, properties: None };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueKernelLaunch_until_2025_3<B: Backend>(
    hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize,
    pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numPropsInLaunchPropList: u32,
    launchPropList: *const ur_kernel_launch_property_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    let (queue, kernel) =
        // SAFETY: `hQueue` and `hKernel` are null or live handles.
        unsafe { (object(hQueue, "hQueue")?, of_backend::<B::Kernel>(hKernel, "hKernel")?) };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)? };
    // SAFETY: `launchPropList` is null or has `numPropsInLaunchPropList` entries.
    let properties = unsafe { slice(numPropsInLaunchPropList as usize, launchPropList, "launchPropList")? };
    let properties = launch::listed_properties(
        workDim,
        properties.iter().map(|one| {
            (
                one.id,
                // SAFETY: the arguments are passed on under the same contract.
                unsafe { one.value.clusterDim },
            )
        }),
    )?;
    let command = QueueCommand::Launch { kernel, range, properties };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueEventsWaitWithBarrier<B: Backend>(
    hQueue: ur_queue_handle_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    let command = QueueCommand::Barrier;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueMemBufferRead<B: Backend>(
    hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingRead: u8, offset: usize, size: usize,
    pDst: *mut c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hBuffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBuffer, "hBuffer")?) };
    let pDst = address(pDst, "pDst")?;
    let command =
        QueueCommand::blocking(blockingRead, Command::BufferRead { buffer, offset, size, dst: pDst });
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueMemBufferWrite<B: Backend>(
    hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingWrite: u8, offset: usize, size: usize,
    pSrc: *const c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hBuffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBuffer, "hBuffer")?) };
    let pSrc = address(pSrc, "pSrc")?;
    let command =
        QueueCommand::blocking(blockingWrite, Command::BufferWrite { buffer, offset, size, src: pSrc });
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueMemBufferReadRect<B: Backend>(
    hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingRead: u8, bufferOrigin: ur_rect_offset_t,
    hostOrigin: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize, bufferSlicePitch: usize,
    hostRowPitch: usize, hostSlicePitch: usize, pDst: *mut c_void, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hBuffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBuffer, "hBuffer")?) };
    let (first, second, region) = (offset(bufferOrigin), offset(hostOrigin), extent(region));
    let rect =
        rect(&first, &second, &region, [bufferRowPitch, bufferSlicePitch, hostRowPitch, hostSlicePitch]);
    let pDst = address(pDst, "pDst")?;
    let command = QueueCommand::blocking(blockingRead, Command::BufferReadRect { buffer, rect, dst: pDst });
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueMemBufferWriteRect<B: Backend>(
    hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingWrite: u8, bufferOrigin: ur_rect_offset_t,
    hostOrigin: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize, bufferSlicePitch: usize,
    hostRowPitch: usize, hostSlicePitch: usize, pSrc: *mut c_void, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hBuffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBuffer, "hBuffer")?) };
    let (first, second, region) = (offset(bufferOrigin), offset(hostOrigin), extent(region));
    let rect =
        rect(&first, &second, &region, [bufferRowPitch, bufferSlicePitch, hostRowPitch, hostSlicePitch]);
    let pSrc = address(pSrc, "pSrc")?;
    let command = QueueCommand::blocking(blockingWrite, Command::BufferWriteRect { buffer, rect, src: pSrc });
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueMemBufferCopy<B: Backend>(
    hQueue: ur_queue_handle_t, hBufferSrc: ur_mem_handle_t, hBufferDst: ur_mem_handle_t, srcOffset: usize,
    dstOffset: usize, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    // SAFETY: `hBufferSrc` is null or a live handle.
    let src = unsafe { of_backend::<B::Mem>(hBufferSrc, "hBufferSrc")? };
    // SAFETY: `hBufferDst` is null or a live handle.
    let dst = unsafe { of_backend::<B::Mem>(hBufferDst, "hBufferDst")? };
    let command = Command::BufferCopy { src, dst, src_offset: srcOffset, dst_offset: dstOffset, size }.into();
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueMemBufferCopyRect<B: Backend>(
    hQueue: ur_queue_handle_t, hBufferSrc: ur_mem_handle_t, hBufferDst: ur_mem_handle_t,
    srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region: ur_rect_region_t, srcRowPitch: usize,
    srcSlicePitch: usize, dstRowPitch: usize, dstSlicePitch: usize, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    // SAFETY: `hBufferSrc` is null or a live handle.
    let src = unsafe { of_backend::<B::Mem>(hBufferSrc, "hBufferSrc")? };
    // SAFETY: `hBufferDst` is null or a live handle.
    let dst = unsafe { of_backend::<B::Mem>(hBufferDst, "hBufferDst")? };
    let (first, second, region) = (offset(srcOrigin), offset(dstOrigin), extent(region));
    let rect = rect(&first, &second, &region, [srcRowPitch, srcSlicePitch, dstRowPitch, dstSlicePitch]);
    let command = Command::BufferCopyRect { src, dst, rect }.into();
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueMemBufferFill<B: Backend>(
    hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, pPattern: *const c_void, patternSize: usize,
    offset: usize, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hBuffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBuffer, "hBuffer")?) };
    // SAFETY: `pPattern` is null or has `patternSize` bytes.
    let pattern = unsafe { bytes(patternSize, pPattern, "pPattern")? };
    let command = Command::BufferFill { buffer, offset, fill: Fill::new(pattern, size, 1)? }.into();
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueMemBufferMap<B: Backend>(
    hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingMap: u8, mapFlags: ur_map_flags_t,
    offset: usize, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    phEvent: *mut ur_event_handle_t, ppRetMap: *mut *mut c_void,
) -> Result<()> {
    // SAFETY: `hQueue` and `hBuffer` are null or live handles.
    let (queue, buffer) = unsafe { (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBuffer, "hBuffer")?) };
    known_flags(mapFlags, 2 * UR_MAP_FLAG_WRITE_INVALIDATE_REGION - 1, "mapFlags")?;
    let flags = MapFlags::from_bits_retain(u64::from(mapFlags));
    // SAFETY: `ppRetMap` is null or writable.
    unsafe {
        put(ppRetMap, "ppRetMap", || {
            enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
                B::enqueue_mem_buffer_map(queue, buffer, blockingMap != 0, flags, offset, size, dependencies)
            })
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueMemUnmap<B: Backend>(
    hQueue: ur_queue_handle_t, hMem: ur_mem_handle_t, pMappedPtr: *mut c_void, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hMem` are null or live handles.
    let (queue, mem) = unsafe { (object(hQueue, "hQueue")?, object(hMem, "hMem")?) };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_mem_unmap(queue, mem, address(pMappedPtr, "pMappedPtr")?, dependencies)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueEventsWaitWithBarrierExt<B: Backend>(
    hQueue: ur_queue_handle_t, pProperties: *const ur_exp_enqueue_ext_properties_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` is null or a live handle.
    let queue = unsafe { object(hQueue, "hQueue")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let flags = unsafe { pProperties.as_ref() }.map_or(0, |properties| properties.flags);
    known_flags(flags, !UR_EXP_ENQUEUE_EXT_FLAGS_MASK, "pProperties->flags")?;
    // SAFETY: the arguments are passed on under the same contract.
    if let Some(event) = unsafe { reused::<B>(queue, phEvent)? } {
        // SAFETY: the wait list has as many events as the caller states, and `phEvent` is null or writable.
        return unsafe {
            enqueue::<B, _>(
                queue,
                (numEventsInWaitList, phEventWaitList, std::ptr::null_mut()),
                |dependencies| B::enqueue_event_signal(queue, event, dependencies.waits),
            )
        };
    }
    let command = QueueCommand::Barrier;
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueKernelLaunchWithArgsExp<B: Backend>(
    hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize,
    pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numArgs: u32,
    pArgs: *const ur_exp_kernel_arg_properties_t, launchPropList: *const ur_kernel_launch_ext_properties_t,
    numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    // SAFETY: `hQueue` and `hKernel` are null or live handles.
    let (queue, kernel) = unsafe { (object(hQueue, "hQueue")?, object::<B::Kernel>(hKernel, "hKernel")?) };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)? };
    // SAFETY: the arguments are passed on under the same contract.
    let properties = unsafe { launch::properties(workDim, launchPropList)? };
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { launch::set_args::<B>(kernel, slice(numArgs as usize, pArgs, "pArgs")?)? };
    let command = QueueCommand::Launch { kernel: &***kernel, range, properties };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueCooperativeKernelLaunchExp<B: Backend>(
    hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize,
    pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    let (queue, kernel) =
        // SAFETY: `hQueue` and `hKernel` are null or live handles.
        unsafe { (object(hQueue, "hQueue")?, of_backend::<B::Kernel>(hKernel, "hKernel")?) };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)? };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe {
        enqueue::<B, _>(queue, (numEventsInWaitList, phEventWaitList, phEvent), |dependencies| {
            B::enqueue_cooperative_kernel_launch(queue, kernel, range, dependencies)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urEnqueueKernelLaunchCustomExp<B: Backend>(
    hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset: *const usize,
    pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numPropsInLaunchPropList: u32,
    launchPropList: *const ur_exp_launch_property_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    let (queue, kernel) =
        // SAFETY: `hQueue` and `hKernel` are null or live handles.
        unsafe { (object(hQueue, "hQueue")?, of_backend::<B::Kernel>(hKernel, "hKernel")?) };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)? };
    // SAFETY: `launchPropList` is null or has `numPropsInLaunchPropList` entries.
    let properties = unsafe { slice(numPropsInLaunchPropList as usize, launchPropList, "launchPropList")? };
    let properties = launch::listed_properties(
        workDim,
        properties.iter().map(|one| {
            (
                one.id,
                // SAFETY: the arguments are passed on under the same contract.
                unsafe { one.value.clusterDim },
            )
        }),
    )?;
    let command = QueueCommand::Launch { kernel, range, properties };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

#[entry]
pub unsafe extern "C" fn urEnqueueKernelLaunchCustomExp_until_2025_0<B: Backend>(
    hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkSize: *const usize,
    pLocalWorkSize: *const usize, numPropsInLaunchPropList: u32,
    launchPropList: *const ur_exp_launch_property_t_until_2025_0, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t,
) -> Result<()> {
    let (queue, kernel) =
        // SAFETY: `hQueue` and `hKernel` are null or live handles.
        unsafe { (object(hQueue, "hQueue")?, of_backend::<B::Kernel>(hKernel, "hKernel")?) };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(workDim, core::ptr::null(), pGlobalWorkSize, pLocalWorkSize)? };
    // SAFETY: `launchPropList` is null or has `numPropsInLaunchPropList` entries.
    let properties = unsafe { slice(numPropsInLaunchPropList as usize, launchPropList, "launchPropList")? };
    let properties = launch::listed_properties(
        workDim,
        properties.iter().map(|one| {
            (
                one.id,
                // SAFETY: the arguments are passed on under the same contract.
                unsafe { one.value.clusterDim },
            )
        }),
    )?;
    let command = QueueCommand::Launch { kernel, range, properties };
    // SAFETY: the wait list has as many events as the caller states, and the place for an event is null or writable.
    unsafe { enqueue_or_record::<B>(queue, (numEventsInWaitList, phEventWaitList, phEvent), command) }
}

/// Returns the event that a command signals instead of a new one. Since 2026.2 the caller may name one, if the device
/// supports such events.
///
/// # Safety
///
/// `place` must be null or readable. Since 2026.2, its content must be null or a handle from an adapter.
unsafe fn reused<'a, B: Backend>(
    queue: &Handle<B::Queue>, place: *const ur_event_handle_t,
) -> Result<Option<&'a B::Event>> {
    if place.is_null() || origin(queue).layout < Layout::V2026_2 {
        return Ok(None);
    }
    // SAFETY: guaranteed by the caller.
    let handle = unsafe { place.read() };
    if handle.is_null() || !query::flag::<B>(B::queue_device(queue)?, DeviceInfo::REUSABLE_EVENT_SUPPORT) {
        return Ok(None);
    }
    // SAFETY: guaranteed by the caller.
    let event: &B::Event = unsafe { object::<B::Event>(handle, "*phEvent")? };
    Ok(Some(event))
}
