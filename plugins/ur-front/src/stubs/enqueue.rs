//! Commands: kernel launches, waits, buffer commands.

use sycl_pi_backend::api::{CommandToRecord, check_pattern};

use super::prelude::*;
use crate::handle::Handle;
use crate::launch;
use crate::own_queue::device_of;

stubs! {
    urEnqueueEventsWait(hQueue: ur_queue_handle_t, numEventsInWaitList: u32, phEventWaitList: *const
        ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let queue = object(hQueue, "hQueue")?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || ToRecord::Wait,
            |dependencies| B::enqueue_events_wait(queue, dependencies))
    };

    urEnqueueKernelLaunch(hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32, pGlobalWorkOffset:
        *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, launchPropList: *const
        ur_kernel_launch_ext_properties_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        phEvent: *mut ur_event_handle_t) {
        let (queue, kernel) = (object(hQueue, "hQueue")?, of_backend::<B::Kernel>(hKernel, "hKernel")?);
        let range = nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)?;
        let properties = launch::properties(workDim, launchPropList)?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || launch::to_record(kernel, range, properties),
            |dependencies| launch::run::<B>(queue, kernel, range, properties, dependencies))
    };

    urEnqueueKernelLaunch_until_2025_2(hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32,
        pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, kernel) = (object(hQueue, "hQueue")?, of_backend::<B::Kernel>(hKernel, "hKernel")?);
        let range = nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || launch::to_record(kernel, range, None),
            |dependencies| B::enqueue_kernel_launch(queue, kernel, range, dependencies))
    };

    urEnqueueKernelLaunch_until_2025_3(hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32,
        pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize,
        numPropsInLaunchPropList: u32, launchPropList: *const ur_kernel_launch_property_t, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, kernel) = (object(hQueue, "hQueue")?, of_backend::<B::Kernel>(hKernel, "hKernel")?);
        let range = nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)?;
        let properties = slice(numPropsInLaunchPropList as usize, launchPropList, "launchPropList")?;
        let properties = launch::listed_properties(workDim, properties.iter().map(|one| (one.id, one.value.clusterDim)))?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || launch::to_record(kernel, range, properties),
            |dependencies| launch::run::<B>(queue, kernel, range, properties, dependencies))
    };

    urEnqueueEventsWaitWithBarrier(hQueue: ur_queue_handle_t, numEventsInWaitList: u32, phEventWaitList: *const
        ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let queue = object(hQueue, "hQueue")?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || ToRecord::Barrier,
            |dependencies| B::enqueue_events_wait_with_barrier(queue, dependencies))
    };

    urEnqueueMemBufferRead(hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingRead: u8, offset: usize, size:
        usize, pDst: *mut c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut
        ur_event_handle_t) {
        let (queue, buffer) = (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBuffer, "hBuffer")?);
        let pDst = address(pDst, "pDst")?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || ToRecord::unless_blocking(blockingRead, CommandToRecord::BufferRead { buffer, offset, size, dst: pDst }),
            |dependencies| B::enqueue_mem_buffer_read(queue, buffer, blockingRead != 0, offset, size, pDst, dependencies))
    };

    urEnqueueMemBufferWrite(hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingWrite: u8, offset: usize,
        size: usize, pSrc: *const c_void, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        phEvent: *mut ur_event_handle_t) {
        let (queue, buffer) = (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBuffer, "hBuffer")?);
        let pSrc = address(pSrc, "pSrc")?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || ToRecord::unless_blocking(blockingWrite, CommandToRecord::BufferWrite { buffer, offset, size, src: pSrc }),
            |dependencies| B::enqueue_mem_buffer_write(queue, buffer, blockingWrite != 0, offset, size, pSrc, dependencies))
    };

    urEnqueueMemBufferReadRect(hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingRead: u8, bufferOrigin:
        ur_rect_offset_t, hostOrigin: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize,
        bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pDst: *mut c_void, numEventsInWaitList:
        u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, buffer) = (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBuffer, "hBuffer")?);
        let (first, second, region) = (offset(bufferOrigin), offset(hostOrigin), extent(region));
        let rect = rect(&first, &second, &region, [bufferRowPitch, bufferSlicePitch, hostRowPitch, hostSlicePitch]);
        let pDst = address(pDst, "pDst")?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || ToRecord::unless_blocking(blockingRead, CommandToRecord::BufferReadRect { buffer, rect, dst: pDst }),
            |dependencies| B::enqueue_mem_buffer_read_rect(queue, buffer, blockingRead != 0, rect, pDst, dependencies))
    };

    urEnqueueMemBufferWriteRect(hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingWrite: u8, bufferOrigin:
        ur_rect_offset_t, hostOrigin: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize,
        bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pSrc: *mut c_void, numEventsInWaitList:
        u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, buffer) = (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBuffer, "hBuffer")?);
        let (first, second, region) = (offset(bufferOrigin), offset(hostOrigin), extent(region));
        let rect = rect(&first, &second, &region, [bufferRowPitch, bufferSlicePitch, hostRowPitch, hostSlicePitch]);
        let pSrc = address(pSrc, "pSrc")?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || ToRecord::unless_blocking(blockingWrite, CommandToRecord::BufferWriteRect { buffer, rect, src: pSrc }),
            |dependencies| B::enqueue_mem_buffer_write_rect(queue, buffer, blockingWrite != 0, rect, pSrc, dependencies))
    };

    urEnqueueMemBufferCopy(hQueue: ur_queue_handle_t, hBufferSrc: ur_mem_handle_t, hBufferDst: ur_mem_handle_t,
        srcOffset: usize, dstOffset: usize, size: usize, numEventsInWaitList: u32, phEventWaitList: *const
        ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, src, dst) = (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBufferSrc, "hBufferSrc")?, of_backend::<B::Mem>(hBufferDst, "hBufferDst")?);
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || CommandToRecord::BufferCopy { src, dst, src_offset: srcOffset, dst_offset: dstOffset, size }.into(),
            |dependencies| B::enqueue_mem_buffer_copy(queue, src, dst, srcOffset, dstOffset, size, dependencies))
    };

    urEnqueueMemBufferCopyRect(hQueue: ur_queue_handle_t, hBufferSrc: ur_mem_handle_t, hBufferDst: ur_mem_handle_t,
        srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region: ur_rect_region_t, srcRowPitch: usize,
        srcSlicePitch: usize, dstRowPitch: usize, dstSlicePitch: usize, numEventsInWaitList: u32, phEventWaitList:
        *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, src, dst) = (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBufferSrc, "hBufferSrc")?, of_backend::<B::Mem>(hBufferDst, "hBufferDst")?);
        let (first, second, region) = (offset(srcOrigin), offset(dstOrigin), extent(region));
        let rect = rect(&first, &second, &region, [srcRowPitch, srcSlicePitch, dstRowPitch, dstSlicePitch]);
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || CommandToRecord::BufferCopyRect { src, dst, rect }.into(),
            |dependencies| B::enqueue_mem_buffer_copy_rect(queue, src, dst, rect, dependencies))
    };

    urEnqueueMemBufferFill(hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, pPattern: *const c_void, patternSize:
        usize, offset: usize, size: usize, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        phEvent: *mut ur_event_handle_t) {
        let (queue, buffer) = (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBuffer, "hBuffer")?);
        let pattern = bytes(patternSize, pPattern, "pPattern")?;
        check_pattern(pattern.len(), size)?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || CommandToRecord::BufferFill { buffer, pattern, offset, size }.into(),
            |dependencies| B::enqueue_mem_buffer_fill(queue, buffer, pattern, offset, size, dependencies))
    };

    urEnqueueMemBufferMap(hQueue: ur_queue_handle_t, hBuffer: ur_mem_handle_t, blockingMap: u8, mapFlags:
        ur_map_flags_t, offset: usize, size: usize, numEventsInWaitList: u32, phEventWaitList: *const
        ur_event_handle_t, phEvent: *mut ur_event_handle_t, ppRetMap: *mut *mut c_void) {
        let (queue, buffer) = (object(hQueue, "hQueue")?, of_backend::<B::Mem>(hBuffer, "hBuffer")?);
        known_flags(mapFlags, 2 * UR_MAP_FLAG_WRITE_INVALIDATE_REGION - 1, "mapFlags")?;
        let flags = MapFlags::from_bits_retain(u64::from(mapFlags));
        put(ppRetMap, "ppRetMap", || enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent, |dependencies|
            B::enqueue_mem_buffer_map(queue, buffer, blockingMap != 0, flags, offset, size, dependencies)))
    };

    urEnqueueMemUnmap(hQueue: ur_queue_handle_t, hMem: ur_mem_handle_t, pMappedPtr: *mut c_void, numEventsInWaitList:
        u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, mem) = (object(hQueue, "hQueue")?, object(hMem, "hMem")?);
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent, |dependencies|
            B::enqueue_mem_unmap(queue, mem, address(pMappedPtr, "pMappedPtr")?, dependencies))
    };

    urEnqueueEventsWaitWithBarrierExt(hQueue: ur_queue_handle_t, pProperties: *const ur_exp_enqueue_ext_properties_t,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let queue = object(hQueue, "hQueue")?;
        let flags = pProperties.as_ref().map_or(0, |properties| properties.flags);
        known_flags(flags, !UR_EXP_ENQUEUE_EXT_FLAGS_MASK, "pProperties->flags")?;
        if let Some(event) = reused::<B>(queue, phEvent)? {
            return enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, std::ptr::null_mut(), |dependencies|
                B::enqueue_event_signal(queue, event, dependencies.waits));
        }
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || ToRecord::Barrier,
            |dependencies| B::enqueue_events_wait_with_barrier(queue, dependencies))
    };

    urEnqueueKernelLaunchWithArgsExp(hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32,
        pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numArgs: u32,
        pArgs: *const ur_exp_kernel_arg_properties_t, launchPropList: *const ur_kernel_launch_ext_properties_t,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, kernel) = (object(hQueue, "hQueue")?, object::<B::Kernel>(hKernel, "hKernel")?);
        let range = nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)?;
        let properties = launch::properties(workDim, launchPropList)?;
        launch::set_args::<B>(kernel, slice(numArgs as usize, pArgs, "pArgs")?)?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || launch::to_record(&***kernel, range, properties),
            |dependencies| launch::run::<B>(queue, kernel, range, properties, dependencies))
    };

    urEnqueueCooperativeKernelLaunchExp(hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32,
        pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, kernel) = (object(hQueue, "hQueue")?, of_backend::<B::Kernel>(hKernel, "hKernel")?);
        let range = nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)?;
        enqueue::<B, _>(queue, numEventsInWaitList, phEventWaitList, phEvent, |dependencies|
            B::enqueue_cooperative_kernel_launch(queue, kernel, range, dependencies))
    };

    urEnqueueKernelLaunchCustomExp(hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32,
        pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize,
        numPropsInLaunchPropList: u32, launchPropList: *const ur_exp_launch_property_t, numEventsInWaitList: u32,
        phEventWaitList: *const ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, kernel) = (object(hQueue, "hQueue")?, of_backend::<B::Kernel>(hKernel, "hKernel")?);
        let range = nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)?;
        let properties = slice(numPropsInLaunchPropList as usize, launchPropList, "launchPropList")?;
        let properties = launch::listed_properties(workDim, properties.iter().map(|one| (one.id, one.value.clusterDim)))?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || launch::to_record(kernel, range, properties),
            |dependencies| launch::run::<B>(queue, kernel, range, properties, dependencies))
    };

    urEnqueueKernelLaunchCustomExp_until_2025_0(hQueue: ur_queue_handle_t, hKernel: ur_kernel_handle_t, workDim: u32,
        pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize, numPropsInLaunchPropList: u32, launchPropList:
        *const ur_exp_launch_property_t_until_2025_0, numEventsInWaitList: u32, phEventWaitList: *const
        ur_event_handle_t, phEvent: *mut ur_event_handle_t) {
        let (queue, kernel) = (object(hQueue, "hQueue")?, of_backend::<B::Kernel>(hKernel, "hKernel")?);
        let range = nd_range(workDim, core::ptr::null(), pGlobalWorkSize, pLocalWorkSize)?;
        let properties = slice(numPropsInLaunchPropList as usize, launchPropList, "launchPropList")?;
        let properties = launch::listed_properties(workDim, properties.iter().map(|one| (one.id, one.value.clusterDim)))?;
        enqueue_or_record::<B>(queue, numEventsInWaitList, phEventWaitList, phEvent,
            move || launch::to_record(kernel, range, properties),
            |dependencies| launch::run::<B>(queue, kernel, range, properties, dependencies))
    };
}

/// Returns the event that a command signals instead of a new one. Since 2026.2 the caller may name one, if the device
/// supports such events.
///
/// # Safety
///
/// `place` must be null or readable. Since 2026.2, its content must be null or a handle from an adapter.
unsafe fn reused<'a, B: Backend>(
    queue: &Handle<B::Queue>,
    place: *const ur_event_handle_t,
) -> Result<Option<&'a B::Event>> {
    if place.is_null() || origin(queue).layout < Layout::V2026_2 {
        return Ok(None);
    }
    // SAFETY: guaranteed by the caller.
    let handle = unsafe { place.read() };
    if handle.is_null() || !query::flag::<B>(device_of::<B>(queue)?, DeviceInfo::REUSABLE_EVENT_SUPPORT) {
        return Ok(None);
    }
    // SAFETY: guaranteed by the caller.
    let event: &B::Event = unsafe { object::<B::Event>(handle, "*phEvent")? };
    Ok(Some(event))
}
