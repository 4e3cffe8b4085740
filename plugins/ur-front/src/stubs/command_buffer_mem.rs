//! Commands on buffers, recorded in command buffers.

use sycl_pi_backend::api::Command;

use super::prelude::*;
use crate::command_buffer::{CommandBuffer, command_buffer};

#[entry]
pub unsafe extern "C" fn urCommandBufferAppendMemBufferCopyExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem: ur_mem_handle_t, hDstMem: ur_mem_handle_t,
    srcOffset: usize, dstOffset: usize, size: usize, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let recorder = unsafe { command_buffer::<B>(hCommandBuffer)? };
    // SAFETY: `hSrcMem` is null or a live handle.
    let src = unsafe { of_backend::<B::Mem>(hSrcMem, "hSrcMem")? };
    // SAFETY: `hDstMem` is null or a live handle.
    let dst = unsafe { of_backend::<B::Mem>(hDstMem, "hDstMem")? };
    let command = Command::BufferCopy { src, dst, src_offset: srcOffset, dst_offset: dstOffset, size };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    unsafe {
        CommandBuffer::record(
            recorder,
            command,
            (numSyncPointsInWaitList, pSyncPointWaitList),
            (numEventsInWaitList, phEventWaitList, phEvent),
            (pSyncPoint, phCommand),
        )
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferAppendMemBufferWriteExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, offset: usize, size: usize,
    pSrc: *const c_void, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let recorder = unsafe { command_buffer::<B>(hCommandBuffer)? };
    // SAFETY: `hBuffer` is null or a live handle.
    let (buffer, src) = (unsafe { of_backend::<B::Mem>(hBuffer, "hBuffer")? }, address(pSrc, "pSrc")?);
    let command = Command::BufferWrite { buffer, offset, size, src };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    unsafe {
        CommandBuffer::record(
            recorder,
            command,
            (numSyncPointsInWaitList, pSyncPointWaitList),
            (numEventsInWaitList, phEventWaitList, phEvent),
            (pSyncPoint, phCommand),
        )
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferAppendMemBufferReadExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, offset: usize, size: usize,
    pDst: *mut c_void, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let recorder = unsafe { command_buffer::<B>(hCommandBuffer)? };
    // SAFETY: `hBuffer` is null or a live handle.
    let (buffer, dst) = (unsafe { of_backend::<B::Mem>(hBuffer, "hBuffer")? }, address(pDst, "pDst")?);
    let command = Command::BufferRead { buffer, offset, size, dst };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    unsafe {
        CommandBuffer::record(
            recorder,
            command,
            (numSyncPointsInWaitList, pSyncPointWaitList),
            (numEventsInWaitList, phEventWaitList, phEvent),
            (pSyncPoint, phCommand),
        )
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferAppendMemBufferCopyRectExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem: ur_mem_handle_t, hDstMem: ur_mem_handle_t,
    srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region: ur_rect_region_t, srcRowPitch: usize,
    srcSlicePitch: usize, dstRowPitch: usize, dstSlicePitch: usize, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let recorder = unsafe { command_buffer::<B>(hCommandBuffer)? };
    // SAFETY: `hSrcMem` is null or a live handle.
    let src = unsafe { of_backend::<B::Mem>(hSrcMem, "hSrcMem")? };
    // SAFETY: `hDstMem` is null or a live handle.
    let dst = unsafe { of_backend::<B::Mem>(hDstMem, "hDstMem")? };
    let (first, second, region) = (offset(srcOrigin), offset(dstOrigin), extent(region));
    let rect = rect(&first, &second, &region, [srcRowPitch, srcSlicePitch, dstRowPitch, dstSlicePitch]);
    let command = Command::BufferCopyRect { src, dst, rect };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    unsafe {
        CommandBuffer::record(
            recorder,
            command,
            (numSyncPointsInWaitList, pSyncPointWaitList),
            (numEventsInWaitList, phEventWaitList, phEvent),
            (pSyncPoint, phCommand),
        )
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferAppendMemBufferWriteRectExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, bufferOffset: ur_rect_offset_t,
    hostOffset: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize, bufferSlicePitch: usize,
    hostRowPitch: usize, hostSlicePitch: usize, pSrc: *mut c_void, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let recorder = unsafe { command_buffer::<B>(hCommandBuffer)? };
    // SAFETY: `hBuffer` is null or a live handle.
    let (buffer, src) = (unsafe { of_backend::<B::Mem>(hBuffer, "hBuffer")? }, address(pSrc, "pSrc")?);
    let (first, second, region) = (offset(bufferOffset), offset(hostOffset), extent(region));
    let rect =
        rect(&first, &second, &region, [bufferRowPitch, bufferSlicePitch, hostRowPitch, hostSlicePitch]);
    let command = Command::BufferWriteRect { buffer, rect, src };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    unsafe {
        CommandBuffer::record(
            recorder,
            command,
            (numSyncPointsInWaitList, pSyncPointWaitList),
            (numEventsInWaitList, phEventWaitList, phEvent),
            (pSyncPoint, phCommand),
        )
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferAppendMemBufferReadRectExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, bufferOffset: ur_rect_offset_t,
    hostOffset: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize, bufferSlicePitch: usize,
    hostRowPitch: usize, hostSlicePitch: usize, pDst: *mut c_void, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let recorder = unsafe { command_buffer::<B>(hCommandBuffer)? };
    // SAFETY: `hBuffer` is null or a live handle.
    let (buffer, dst) = (unsafe { of_backend::<B::Mem>(hBuffer, "hBuffer")? }, address(pDst, "pDst")?);
    let (first, second, region) = (offset(bufferOffset), offset(hostOffset), extent(region));
    let rect =
        rect(&first, &second, &region, [bufferRowPitch, bufferSlicePitch, hostRowPitch, hostSlicePitch]);
    let command = Command::BufferReadRect { buffer, rect, dst };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    unsafe {
        CommandBuffer::record(
            recorder,
            command,
            (numSyncPointsInWaitList, pSyncPointWaitList),
            (numEventsInWaitList, phEventWaitList, phEvent),
            (pSyncPoint, phCommand),
        )
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferAppendMemBufferFillExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, pPattern: *const c_void,
    patternSize: usize, offset: usize, size: usize, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let recorder = unsafe { command_buffer::<B>(hCommandBuffer)? };
    // SAFETY: `hBuffer` is null or a live handle.
    let buffer = unsafe { of_backend::<B::Mem>(hBuffer, "hBuffer")? };
    // SAFETY: `pPattern` is null or has `patternSize` bytes.
    let pattern = unsafe { bytes(patternSize, pPattern, "pPattern")? };
    let command = Command::BufferFill { buffer, offset, fill: Fill::new(pattern, size, 1)? };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    unsafe {
        CommandBuffer::record(
            recorder,
            command,
            (numSyncPointsInWaitList, pSyncPointWaitList),
            (numEventsInWaitList, phEventWaitList, phEvent),
            (pSyncPoint, phCommand),
        )
    }
}

/// See [`urCommandBufferAppendMemBufferCopyExp`], which has events as well.
///
/// # Safety
///
/// The caller upholds the contract of [`urCommandBufferAppendMemBufferCopyExp`].
pub unsafe extern "C" fn urCommandBufferAppendMemBufferCopyExp_until_2025_0<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem: ur_mem_handle_t, hDstMem: ur_mem_handle_t,
    srcOffset: usize, dstOffset: usize, size: usize, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
) -> ur_result_t {
    // SAFETY: the arguments are passed on, and null stands for those that this function lacks.
    unsafe {
        urCommandBufferAppendMemBufferCopyExp::<B>(
            hCommandBuffer,
            hSrcMem,
            hDstMem,
            srcOffset,
            dstOffset,
            size,
            numSyncPointsInWaitList,
            pSyncPointWaitList,
            0,
            core::ptr::null(),
            pSyncPoint,
            core::ptr::null_mut(),
            core::ptr::null_mut(),
        )
    }
}

/// See [`urCommandBufferAppendMemBufferWriteExp`], which has events as well.
///
/// # Safety
///
/// The caller upholds the contract of [`urCommandBufferAppendMemBufferWriteExp`].
pub unsafe extern "C" fn urCommandBufferAppendMemBufferWriteExp_until_2025_0<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, offset: usize, size: usize,
    pSrc: *const c_void, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
) -> ur_result_t {
    // SAFETY: the arguments are passed on, and null stands for those that this function lacks.
    unsafe {
        urCommandBufferAppendMemBufferWriteExp::<B>(
            hCommandBuffer,
            hBuffer,
            offset,
            size,
            pSrc,
            numSyncPointsInWaitList,
            pSyncPointWaitList,
            0,
            core::ptr::null(),
            pSyncPoint,
            core::ptr::null_mut(),
            core::ptr::null_mut(),
        )
    }
}

/// See [`urCommandBufferAppendMemBufferReadExp`], which has events as well.
///
/// # Safety
///
/// The caller upholds the contract of [`urCommandBufferAppendMemBufferReadExp`].
pub unsafe extern "C" fn urCommandBufferAppendMemBufferReadExp_until_2025_0<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, offset: usize, size: usize,
    pDst: *mut c_void, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
) -> ur_result_t {
    // SAFETY: the arguments are passed on, and null stands for those that this function lacks.
    unsafe {
        urCommandBufferAppendMemBufferReadExp::<B>(
            hCommandBuffer,
            hBuffer,
            offset,
            size,
            pDst,
            numSyncPointsInWaitList,
            pSyncPointWaitList,
            0,
            core::ptr::null(),
            pSyncPoint,
            core::ptr::null_mut(),
            core::ptr::null_mut(),
        )
    }
}

/// See [`urCommandBufferAppendMemBufferCopyRectExp`], which has events as well.
///
/// # Safety
///
/// The caller upholds the contract of [`urCommandBufferAppendMemBufferCopyRectExp`].
pub unsafe extern "C" fn urCommandBufferAppendMemBufferCopyRectExp_until_2025_0<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hSrcMem: ur_mem_handle_t, hDstMem: ur_mem_handle_t,
    srcOrigin: ur_rect_offset_t, dstOrigin: ur_rect_offset_t, region: ur_rect_region_t, srcRowPitch: usize,
    srcSlicePitch: usize, dstRowPitch: usize, dstSlicePitch: usize, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
) -> ur_result_t {
    // SAFETY: the arguments are passed on, and null stands for those that this function lacks.
    unsafe {
        urCommandBufferAppendMemBufferCopyRectExp::<B>(
            hCommandBuffer,
            hSrcMem,
            hDstMem,
            srcOrigin,
            dstOrigin,
            region,
            srcRowPitch,
            srcSlicePitch,
            dstRowPitch,
            dstSlicePitch,
            numSyncPointsInWaitList,
            pSyncPointWaitList,
            0,
            core::ptr::null(),
            pSyncPoint,
            core::ptr::null_mut(),
            core::ptr::null_mut(),
        )
    }
}

/// See [`urCommandBufferAppendMemBufferWriteRectExp`], which has events as well.
///
/// # Safety
///
/// The caller upholds the contract of [`urCommandBufferAppendMemBufferWriteRectExp`].
pub unsafe extern "C" fn urCommandBufferAppendMemBufferWriteRectExp_until_2025_0<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, bufferOffset: ur_rect_offset_t,
    hostOffset: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize, bufferSlicePitch: usize,
    hostRowPitch: usize, hostSlicePitch: usize, pSrc: *mut c_void, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
) -> ur_result_t {
    // SAFETY: the arguments are passed on, and null stands for those that this function lacks.
    unsafe {
        urCommandBufferAppendMemBufferWriteRectExp::<B>(
            hCommandBuffer,
            hBuffer,
            bufferOffset,
            hostOffset,
            region,
            bufferRowPitch,
            bufferSlicePitch,
            hostRowPitch,
            hostSlicePitch,
            pSrc,
            numSyncPointsInWaitList,
            pSyncPointWaitList,
            0,
            core::ptr::null(),
            pSyncPoint,
            core::ptr::null_mut(),
            core::ptr::null_mut(),
        )
    }
}

/// See [`urCommandBufferAppendMemBufferReadRectExp`], which has events as well.
///
/// # Safety
///
/// The caller upholds the contract of [`urCommandBufferAppendMemBufferReadRectExp`].
pub unsafe extern "C" fn urCommandBufferAppendMemBufferReadRectExp_until_2025_0<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, bufferOffset: ur_rect_offset_t,
    hostOffset: ur_rect_offset_t, region: ur_rect_region_t, bufferRowPitch: usize, bufferSlicePitch: usize,
    hostRowPitch: usize, hostSlicePitch: usize, pDst: *mut c_void, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
) -> ur_result_t {
    // SAFETY: the arguments are passed on, and null stands for those that this function lacks.
    unsafe {
        urCommandBufferAppendMemBufferReadRectExp::<B>(
            hCommandBuffer,
            hBuffer,
            bufferOffset,
            hostOffset,
            region,
            bufferRowPitch,
            bufferSlicePitch,
            hostRowPitch,
            hostSlicePitch,
            pDst,
            numSyncPointsInWaitList,
            pSyncPointWaitList,
            0,
            core::ptr::null(),
            pSyncPoint,
            core::ptr::null_mut(),
            core::ptr::null_mut(),
        )
    }
}

/// See [`urCommandBufferAppendMemBufferFillExp`], which has events as well.
///
/// # Safety
///
/// The caller upholds the contract of [`urCommandBufferAppendMemBufferFillExp`].
pub unsafe extern "C" fn urCommandBufferAppendMemBufferFillExp_until_2025_0<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hBuffer: ur_mem_handle_t, pPattern: *const c_void,
    patternSize: usize, offset: usize, size: usize, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
) -> ur_result_t {
    // SAFETY: the arguments are passed on, and null stands for those that this function lacks.
    unsafe {
        urCommandBufferAppendMemBufferFillExp::<B>(
            hCommandBuffer,
            hBuffer,
            pPattern,
            patternSize,
            offset,
            size,
            numSyncPointsInWaitList,
            pSyncPointWaitList,
            0,
            core::ptr::null(),
            pSyncPoint,
            core::ptr::null_mut(),
            core::ptr::null_mut(),
        )
    }
}
