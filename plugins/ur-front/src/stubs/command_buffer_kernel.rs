//! Kernel launches, recorded in command buffers.

use sycl_pi_backend::api::Command;

use super::prelude::*;
use crate::command_buffer::{CommandBuffer, command_buffer};
use crate::launch;

#[entry]
pub unsafe extern "C" fn urCommandBufferAppendKernelLaunchExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hKernel: ur_kernel_handle_t, workDim: u32,
    pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize,
    numKernelAlternatives: u32, phKernelAlternatives: *mut ur_kernel_handle_t, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { of_backend::<B::Kernel>(hKernel, "hKernel")? };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)? };
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { alternatives::<B>(hKernel, numKernelAlternatives, phKernelAlternatives)? };
    let command = Command::KernelLaunch { kernel, range };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    unsafe {
        CommandBuffer::record(
            command_buffer::<B>(hCommandBuffer)?,
            command,
            (numSyncPointsInWaitList, pSyncPointWaitList),
            (numEventsInWaitList, phEventWaitList, phEvent),
            (pSyncPoint, phCommand),
        )
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferAppendKernelLaunchExp_until_2025_0<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hKernel: ur_kernel_handle_t, workDim: u32,
    pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize,
    numSyncPointsInWaitList: u32, pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t,
    pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { of_backend::<B::Kernel>(hKernel, "hKernel")? };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)? };
    let command = Command::KernelLaunch { kernel, range };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    unsafe {
        CommandBuffer::record(
            command_buffer::<B>(hCommandBuffer)?,
            command,
            (numSyncPointsInWaitList, pSyncPointWaitList),
            (0, core::ptr::null(), core::ptr::null_mut()),
            (pSyncPoint, phCommand),
        )
    }
}

#[entry]
pub unsafe extern "C" fn urCommandBufferAppendKernelLaunchWithArgsExp<B: Backend>(
    hCommandBuffer: ur_exp_command_buffer_handle_t, hKernel: ur_kernel_handle_t, workDim: u32,
    pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pLocalWorkSize: *const usize,
    numArgs: u32, pArgs: *const ur_exp_kernel_arg_properties_t, numKernelAlternatives: u32,
    phKernelAlternatives: *mut ur_kernel_handle_t, numSyncPointsInWaitList: u32,
    pSyncPointWaitList: *const ur_exp_command_buffer_sync_point_t, numEventsInWaitList: u32,
    phEventWaitList: *const ur_event_handle_t, pSyncPoint: *mut ur_exp_command_buffer_sync_point_t,
    phEvent: *mut ur_event_handle_t, phCommand: *mut ur_exp_command_buffer_command_handle_t,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { object::<B::Kernel>(hKernel, "hKernel")? };
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize)? };
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { alternatives::<B>(hKernel, numKernelAlternatives, phKernelAlternatives)? };
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { launch::set_args::<B>(kernel, slice(numArgs as usize, pArgs, "pArgs")?)? };
    let command = Command::KernelLaunch { kernel: &***kernel, range };
    // SAFETY: the lists have as many entries as the caller states, and the places for results are null or writable.
    unsafe {
        CommandBuffer::record(
            command_buffer::<B>(hCommandBuffer)?,
            command,
            (numSyncPointsInWaitList, pSyncPointWaitList),
            (numEventsInWaitList, phEventWaitList, phEvent),
            (pSyncPoint, phCommand),
        )
    }
}

/// Checks the kernels that may replace the kernel of a launch. Any kernel may, so none of them is stored.
///
/// # Safety
///
/// If `count` > 0, `list` must be null or point to `count` handles of kernels.
unsafe fn alternatives<B: Backend>(
    kernel: ur_kernel_handle_t, count: u32, list: *const ur_kernel_handle_t,
) -> Result<()> {
    if list.is_null() && count > 0 {
        return Err(Error::invalid_value("phKernelAlternatives is null, but numKernelAlternatives is not 0"));
    }
    // SAFETY: guaranteed by the caller.
    let handles = unsafe { slice(count as usize, list, "phKernelAlternatives")? };
    if handles.contains(&kernel) {
        return Err(Error::invalid_value("phKernelAlternatives has hKernel in it"));
    }
    // SAFETY: guaranteed by the caller.
    unsafe { objects::<B::Kernel>(count, list, "phKernelAlternatives").map(|_| ()) }
}
