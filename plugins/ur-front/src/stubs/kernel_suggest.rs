//! Suggestions of a device for a kernel launch.

use super::prelude::*;
use crate::launch;

stubs! {
    urKernelGetSuggestedLocalWorkSize(hKernel: ur_kernel_handle_t, hQueue: ur_queue_handle_t, numWorkDim: u32,
        pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, pSuggestedLocalWorkSize: *mut usize) {
        let (kernel, queue) = (object(hKernel, "hKernel")?, object(hQueue, "hQueue")?);
        address(pSuggestedLocalWorkSize, "pSuggestedLocalWorkSize")?;
        let range = nd_range(numWorkDim, pGlobalWorkOffset, pGlobalWorkSize, core::ptr::null())?;
        let local = B::kernel_suggest_local_work_size(kernel, queue, range)?;
        write_sizes(&local[..range.global.len()], pSuggestedLocalWorkSize);
        Ok(())
    };

    urKernelGetSuggestedLocalWorkSizeWithArgs(hKernel: ur_kernel_handle_t, hQueue: ur_queue_handle_t, numWorkDim: u32,
        pGlobalWorkOffset: *const usize, pGlobalWorkSize: *const usize, numArgs: u32, pArgs: *const
        ur_exp_kernel_arg_properties_t, pSuggestedLocalWorkSize: *mut usize) {
        let (kernel, queue) = (object(hKernel, "hKernel")?, object(hQueue, "hQueue")?);
        address(pSuggestedLocalWorkSize, "pSuggestedLocalWorkSize")?;
        let range = nd_range(numWorkDim, pGlobalWorkOffset, pGlobalWorkSize, core::ptr::null())?;
        launch::set_args::<B>(kernel, slice(numArgs as usize, pArgs, "pArgs")?)?;
        let local = B::kernel_suggest_local_work_size(kernel, queue, range)?;
        write_sizes(&local[..range.global.len()], pSuggestedLocalWorkSize);
        Ok(())
    };

    urKernelSuggestMaxCooperativeGroupCount(hKernel: ur_kernel_handle_t, hDevice: ur_device_handle_t, workDim: u32,
        pLocalWorkSize: *const usize, dynamicSharedMemorySize: usize, pGroupCountRet: *mut u32) {
        let kernel = object(hKernel, "hKernel")?;
        object::<B::Device>(hDevice, "hDevice")?;
        let local = local_size(workDim, pLocalWorkSize)?;
        put(pGroupCountRet, "pGroupCountRet",
            || B::kernel_suggest_max_cooperative_group_count(kernel, local, dynamicSharedMemorySize))
    };

    urKernelSuggestMaxCooperativeGroupCountExp(hKernel: ur_kernel_handle_t, hDevice: ur_device_handle_t, workDim: u32,
        pLocalWorkSize: *const usize, dynamicSharedMemorySize: usize, pGroupCountRet: *mut u32) {
        let kernel = object(hKernel, "hKernel")?;
        object::<B::Device>(hDevice, "hDevice")?;
        let local = local_size(workDim, pLocalWorkSize)?;
        put(pGroupCountRet, "pGroupCountRet",
            || B::kernel_suggest_max_cooperative_group_count(kernel, local, dynamicSharedMemorySize))
    };

    urKernelSuggestMaxCooperativeGroupCountExp_until_2025_0(hKernel: ur_kernel_handle_t, localWorkSize: usize,
        dynamicSharedMemorySize: usize, pGroupCountRet: *mut u32) {
        let kernel = object(hKernel, "hKernel")?;
        put(pGroupCountRet, "pGroupCountRet",
            || B::kernel_suggest_max_cooperative_group_count(kernel, localWorkSize, dynamicSharedMemorySize))
    };

    urKernelSuggestMaxCooperativeGroupCountExp_until_2025_1(hKernel: ur_kernel_handle_t, workDim: u32, pLocalWorkSize:
        *const usize, dynamicSharedMemorySize: usize, pGroupCountRet: *mut u32) {
        let kernel = object(hKernel, "hKernel")?;
        let local = local_size(workDim, pLocalWorkSize)?;
        put(pGroupCountRet, "pGroupCountRet",
            || B::kernel_suggest_max_cooperative_group_count(kernel, local, dynamicSharedMemorySize))
    };
}

/// Returns the number of work-items in a work-group.
///
/// # Safety
///
/// `local` must be null or have `dims` numbers.
unsafe fn local_size(dims: u32, local: *const usize) -> Result<usize> {
    address(local, "pLocalWorkSize")?;
    // SAFETY: guaranteed by the caller; the sizes are read as a range of that many dimensions.
    let range = unsafe { nd_range(dims, core::ptr::null(), local, core::ptr::null())? };
    let size = range.global.iter().try_fold(1_usize, |size, side| size.checked_mul(*side));
    size.ok_or_else(|| Error::new(ErrorCode::INVALID_WORK_GROUP_SIZE, "pLocalWorkSize: the product is too large"))
}

/// # Safety
///
/// `out` must be writable for as many numbers.
unsafe fn write_sizes(sizes: &[usize], out: *mut usize) {
    for (place, size) in sizes.iter().enumerate() {
        // SAFETY: guaranteed by the caller.
        unsafe { out.add(place).write(*size) };
    }
}
