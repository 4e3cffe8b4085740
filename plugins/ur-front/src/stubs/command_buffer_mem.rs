//! Commands on buffers, recorded in command buffers.

use sycl_pi_backend::api::{CommandToRecord, check_pattern};

use super::prelude::*;
use crate::command_buffer::{CommandBuffer, Place, command_buffer};

stubs! {
    urCommandBufferAppendMemBufferCopyExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem: ur_mem_handle_t,
        hDstMem: ur_mem_handle_t, srcOffset: usize, dstOffset: usize, size: usize, numSyncPointsInWaitList: u32,
        pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList:
        *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut
        ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t) {
        let recorder = command_buffer::<B>(hCommandBuffer)?;
        let (src, dst) = (of_backend::<B::Mem>(hSrcMem, "hSrcMem")?, of_backend::<B::Mem>(hDstMem, "hDstMem")?);
        let command = CommandToRecord::BufferCopy { src, dst, src_offset: srcOffset, dst_offset: dstOffset, size };
        let _ = phEventWaitList;
        CommandBuffer::record(recorder, command, Place {
            waits: (numSyncPointsInWaitList, pSyncPointWaitList), num_events: numEventsInWaitList,
            point: pSyncPoint, event: phEvent, command: phCommand,
        })
    };

    urCommandBufferAppendMemBufferWriteExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t,
        offset: usize, size: usize, pSrc: *const c_void, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t) {
        let recorder = command_buffer::<B>(hCommandBuffer)?;
        let (buffer, src) = (of_backend::<B::Mem>(hBuffer, "hBuffer")?, address(pSrc, "pSrc")?);
        let command = CommandToRecord::BufferWrite { buffer, offset, size, src };
        let _ = phEventWaitList;
        CommandBuffer::record(recorder, command, Place {
            waits: (numSyncPointsInWaitList, pSyncPointWaitList), num_events: numEventsInWaitList,
            point: pSyncPoint, event: phEvent, command: phCommand,
        })
    };

    urCommandBufferAppendMemBufferReadExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t,
        offset: usize, size: usize, pDst: *mut c_void, numSyncPointsInWaitList: u32, pSyncPointWaitList: *const
        ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
        pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t) {
        let recorder = command_buffer::<B>(hCommandBuffer)?;
        let (buffer, dst) = (of_backend::<B::Mem>(hBuffer, "hBuffer")?, address(pDst, "pDst")?);
        let command = CommandToRecord::BufferRead { buffer, offset, size, dst };
        let _ = phEventWaitList;
        CommandBuffer::record(recorder, command, Place {
            waits: (numSyncPointsInWaitList, pSyncPointWaitList), num_events: numEventsInWaitList,
            point: pSyncPoint, event: phEvent, command: phCommand,
        })
    };

    urCommandBufferAppendMemBufferCopyRectExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem:
        ur_mem_handle_t, hDstMem: ur_mem_handle_t, srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region:
        ur_rect_region_t, srcRowPitch: usize, srcSlicePitch: usize, dstRowPitch: usize, dstSlicePitch: usize,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t) {
        let recorder = command_buffer::<B>(hCommandBuffer)?;
        let (src, dst) = (of_backend::<B::Mem>(hSrcMem, "hSrcMem")?, of_backend::<B::Mem>(hDstMem, "hDstMem")?);
        let (first, second, region) = (offset(srcOrigin), offset(dstOrigin), extent(region));
        let rect = rect(&first, &second, &region, [srcRowPitch, srcSlicePitch, dstRowPitch, dstSlicePitch]);
        let command = CommandToRecord::BufferCopyRect { src, dst, rect };
        let _ = phEventWaitList;
        CommandBuffer::record(recorder, command, Place {
            waits: (numSyncPointsInWaitList, pSyncPointWaitList), num_events: numEventsInWaitList,
            point: pSyncPoint, event: phEvent, command: phCommand,
        })
    };

    urCommandBufferAppendMemBufferWriteRectExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, bufferOffset: ur_rect_offset_t, hostOffset: ur_rect_offset_t, region: ur_rect_region_t,
        bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pSrc: *mut c_void,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t) {
        let recorder = command_buffer::<B>(hCommandBuffer)?;
        let (buffer, src) = (of_backend::<B::Mem>(hBuffer, "hBuffer")?, address(pSrc, "pSrc")?);
        let (first, second, region) = (offset(bufferOffset), offset(hostOffset), extent(region));
        let rect = rect(&first, &second, &region, [bufferRowPitch, bufferSlicePitch, hostRowPitch, hostSlicePitch]);
        let command = CommandToRecord::BufferWriteRect { buffer, rect, src };
        let _ = phEventWaitList;
        CommandBuffer::record(recorder, command, Place {
            waits: (numSyncPointsInWaitList, pSyncPointWaitList), num_events: numEventsInWaitList,
            point: pSyncPoint, event: phEvent, command: phCommand,
        })
    };

    urCommandBufferAppendMemBufferReadRectExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, bufferOffset: ur_rect_offset_t, hostOffset: ur_rect_offset_t, region: ur_rect_region_t,
        bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pDst: *mut c_void,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
        numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t, phCommand: *mut
        ur_exp_command_buffer_command_handle_t) {
        let recorder = command_buffer::<B>(hCommandBuffer)?;
        let (buffer, dst) = (of_backend::<B::Mem>(hBuffer, "hBuffer")?, address(pDst, "pDst")?);
        let (first, second, region) = (offset(bufferOffset), offset(hostOffset), extent(region));
        let rect = rect(&first, &second, &region, [bufferRowPitch, bufferSlicePitch, hostRowPitch, hostSlicePitch]);
        let command = CommandToRecord::BufferReadRect { buffer, rect, dst };
        let _ = phEventWaitList;
        CommandBuffer::record(recorder, command, Place {
            waits: (numSyncPointsInWaitList, pSyncPointWaitList), num_events: numEventsInWaitList,
            point: pSyncPoint, event: phEvent, command: phCommand,
        })
    };

    urCommandBufferAppendMemBufferFillExp(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t,
        pPattern: *const c_void, patternSize: usize, offset: usize, size: usize, numSyncPointsInWaitList: u32,
        pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32, phEventWaitList:
        *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut
        ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t) {
        let recorder = command_buffer::<B>(hCommandBuffer)?;
        let (buffer, pattern) = (of_backend::<B::Mem>(hBuffer, "hBuffer")?, bytes(patternSize, pPattern, "pPattern")?);
        check_pattern(pattern.len(), size)?;
        let command = CommandToRecord::BufferFill { buffer, pattern, offset, size };
        let _ = phEventWaitList;
        CommandBuffer::record(recorder, command, Place {
            waits: (numSyncPointsInWaitList, pSyncPointWaitList), num_events: numEventsInWaitList,
            point: pSyncPoint, event: phEvent, command: phCommand,
        })
    };
}

without_events! {
    urCommandBufferAppendMemBufferCopyExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem:
        ur_mem_handle_t, hDstMem: ur_mem_handle_t, srcOffset: usize, dstOffset: usize, size: usize,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t) => urCommandBufferAppendMemBufferCopyExp(hCommandBuffer, hSrcMem, hDstMem, srcOffset, dstOffset, size);

    urCommandBufferAppendMemBufferWriteExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, offset: usize, size: usize, pSrc: *const c_void, numSyncPointsInWaitList: u32,
        pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t) => urCommandBufferAppendMemBufferWriteExp(hCommandBuffer, hBuffer, offset, size, pSrc);

    urCommandBufferAppendMemBufferReadExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, offset: usize, size: usize, pDst: *mut c_void, numSyncPointsInWaitList: u32,
        pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t) => urCommandBufferAppendMemBufferReadExp(hCommandBuffer, hBuffer, offset, size, pDst);

    urCommandBufferAppendMemBufferCopyRectExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem:
        ur_mem_handle_t, hDstMem: ur_mem_handle_t, srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region:
        ur_rect_region_t, srcRowPitch: usize, srcSlicePitch: usize, dstRowPitch: usize, dstSlicePitch: usize,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t) => urCommandBufferAppendMemBufferCopyRectExp(hCommandBuffer, hSrcMem, hDstMem, srcOrigin, dstOrigin, region, srcRowPitch, srcSlicePitch, dstRowPitch, dstSlicePitch);

    urCommandBufferAppendMemBufferWriteRectExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, bufferOffset: ur_rect_offset_t, hostOffset: ur_rect_offset_t, region: ur_rect_region_t,
        bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pSrc: *mut c_void,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t) => urCommandBufferAppendMemBufferWriteRectExp(hCommandBuffer, hBuffer, bufferOffset, hostOffset, region, bufferRowPitch, bufferSlicePitch, hostRowPitch, hostSlicePitch, pSrc);

    urCommandBufferAppendMemBufferReadRectExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, bufferOffset: ur_rect_offset_t, hostOffset: ur_rect_offset_t, region: ur_rect_region_t,
        bufferRowPitch: usize, bufferSlicePitch: usize, hostRowPitch: usize, hostSlicePitch: usize, pDst: *mut c_void,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t) => urCommandBufferAppendMemBufferReadRectExp(hCommandBuffer, hBuffer, bufferOffset, hostOffset, region, bufferRowPitch, bufferSlicePitch, hostRowPitch, hostSlicePitch, pDst);

    urCommandBufferAppendMemBufferFillExp_until_2025_0(hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer:
        ur_mem_handle_t, pPattern: *const c_void, patternSize: usize, offset: usize, size: usize,
        numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, pSyncPoint: *mut
        ur_exp_command_buffer_sync_point_t) => urCommandBufferAppendMemBufferFillExp(hCommandBuffer, hBuffer, pPattern, patternSize, offset, size);
}
