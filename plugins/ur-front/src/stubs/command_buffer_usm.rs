//! Commands on unified shared memory, recorded in command buffers.

use sycl_pi_backend::api::Command;

use super::prelude::*;
use crate::command_buffer::{CommandBuffer, command_buffer};

#[entry]
pub unsafe extern "C" fn urCommandBufferAppendUSMMemcpyExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, pDst: *mut c_void, pSrc: *const c_void, size: usize,
    numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    numEventsInWaitList: u32, phEventWaitList: *const ur_event_handle_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t, phEvent: *mut ur_event_handle_t,
    phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let recorder = unsafe { command_buffer::<B>(hCommandBuffer)? };
    let (dst, src) = (address(pDst, "pDst")?, address(pSrc, "pSrc")?);
    let command = Command::UsmMemcpy { dst, src, size };
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
pub unsafe extern "C" fn urCommandBufferAppendUSMFillExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *mut c_void, pPattern: *const c_void,
    patternSize: usize, size: usize, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let recorder = unsafe { command_buffer::<B>(hCommandBuffer)? };
    let ptr = address(pMemory, "pMemory")?;
    // SAFETY: `pPattern` is null or has `patternSize` bytes.
    let pattern = unsafe { bytes(patternSize, pPattern, "pPattern")? };
    // libsycl leaves empty fills out of queues, but not out of graphs.
    let command = Command::UsmFill { ptr, fill: Fill::or_nothing(pattern, size)? };
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
pub unsafe extern "C" fn urCommandBufferAppendUSMPrefetchExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const c_void, size: usize,
    flags: ur_usm_migration_flags_t, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let recorder = unsafe { command_buffer::<B>(hCommandBuffer)? };
    let ptr = address(pMemory, "pMemory")?;
    known_flags(flags, UR_USM_MIGRATION_FLAG_HOST_TO_DEVICE | UR_USM_MIGRATION_FLAG_DEVICE_TO_HOST, "flags")?;
    let command = match flags {
        // A prefetch to the host has no counterpart, so an empty fill preserves the order instead.
        UR_USM_MIGRATION_FLAG_DEVICE_TO_HOST => Command::UsmFill { ptr, fill: Fill::or_nothing(&[0], 0)? },
        _ => Command::UsmPrefetch { ptr, size, flags: UsmMigrationFlags::empty() },
    };
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
pub unsafe extern "C" fn urCommandBufferAppendUSMAdviseExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const c_void, size: usize,
    advice: ur_usm_advice_flags_t, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hCommandBuffer` is null or a live handle.
    let recorder = unsafe { command_buffer::<B>(hCommandBuffer)? };
    let ptr = address(pMemory, "pMemory")?;
    let advice = convert::advice(advice)?;
    let command = Command::UsmAdvise { ptr, length: size, advice };
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

/// See [`urCommandBufferAppendUSMMemcpyExp`], which has events as well.
///
/// # Safety
///
/// The caller upholds the contract of [`urCommandBufferAppendUSMMemcpyExp`].
pub unsafe extern "C" fn urCommandBufferAppendUSMMemcpyExp_until_2025_0<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, pDst: *mut c_void, pSrc: *const c_void, size: usize,
    numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
) -> ur_result_t {
    // SAFETY: the arguments are passed on, and null stands for those that this function lacks.
    unsafe {
        urCommandBufferAppendUSMMemcpyExp::<B>(
            hCommandBuffer,
            pDst,
            pSrc,
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

/// See [`urCommandBufferAppendUSMFillExp`], which has events as well.
///
/// # Safety
///
/// The caller upholds the contract of [`urCommandBufferAppendUSMFillExp`].
pub unsafe extern "C" fn urCommandBufferAppendUSMFillExp_until_2025_0<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *mut c_void, pPattern: *const c_void,
    patternSize: usize, size: usize, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
) -> ur_result_t {
    // SAFETY: the arguments are passed on, and null stands for those that this function lacks.
    unsafe {
        urCommandBufferAppendUSMFillExp::<B>(
            hCommandBuffer,
            pMemory,
            pPattern,
            patternSize,
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

/// See [`urCommandBufferAppendUSMPrefetchExp`], which has events as well.
///
/// # Safety
///
/// The caller upholds the contract of [`urCommandBufferAppendUSMPrefetchExp`].
pub unsafe extern "C" fn urCommandBufferAppendUSMPrefetchExp_until_2025_0<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const c_void, size: usize,
    flags: ur_usm_migration_flags_t, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
) -> ur_result_t {
    // SAFETY: the arguments are passed on, and null stands for those that this function lacks.
    unsafe {
        urCommandBufferAppendUSMPrefetchExp::<B>(
            hCommandBuffer,
            pMemory,
            size,
            flags,
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

/// See [`urCommandBufferAppendUSMAdviseExp`], which has events as well.
///
/// # Safety
///
/// The caller upholds the contract of [`urCommandBufferAppendUSMAdviseExp`].
pub unsafe extern "C" fn urCommandBufferAppendUSMAdviseExp_until_2025_0<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, pMemory: *const c_void, size: usize,
    advice: ur_usm_advice_flags_t, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
) -> ur_result_t {
    // SAFETY: the arguments are passed on, and null stands for those that this function lacks.
    unsafe {
        urCommandBufferAppendUSMAdviseExp::<B>(
            hCommandBuffer,
            pMemory,
            size,
            advice,
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
