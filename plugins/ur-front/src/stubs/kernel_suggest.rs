//! Suggestions of a device for a kernel launch.

use super::prelude::*;
use crate::launch;

#[entry]
pub unsafe extern "C" fn urKernelGetSuggestedLocalWorkSize<B: Backend>(
    hKernel: ur_kernel_handle_t, hQueue: ur_queue_handle_t, numWorkDim: u32, pGlobalWorkOffset: *const usize,
    pGlobalWorkSize: *const usize, pSuggestedLocalWorkSize: *mut usize,
) -> Result<()> {
    // SAFETY: `hKernel` and `hQueue` are null or live handles.
    let (kernel, queue) = unsafe { (object(hKernel, "hKernel")?, object(hQueue, "hQueue")?) };
    address(pSuggestedLocalWorkSize, "pSuggestedLocalWorkSize")?;
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(numWorkDim, pGlobalWorkOffset, pGlobalWorkSize, core::ptr::null())? };
    let local = B::kernel_suggest_local_work_size(kernel, queue, range)?;
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { write_sizes(&local[..range.global.len()], pSuggestedLocalWorkSize) };
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urKernelGetSuggestedLocalWorkSizeWithArgs<B: Backend>(
    hKernel: ur_kernel_handle_t, hQueue: ur_queue_handle_t, numWorkDim: u32, pGlobalWorkOffset: *const usize,
    pGlobalWorkSize: *const usize, numArgs: u32, pArgs: *const ur_exp_kernel_arg_properties_t,
    pSuggestedLocalWorkSize: *mut usize,
) -> Result<()> {
    // SAFETY: `hKernel` and `hQueue` are null or live handles.
    let (kernel, queue) = unsafe { (object(hKernel, "hKernel")?, object(hQueue, "hQueue")?) };
    address(pSuggestedLocalWorkSize, "pSuggestedLocalWorkSize")?;
    // SAFETY: the range's arrays are null or have as many sizes as it has dimensions.
    let range = unsafe { nd_range(numWorkDim, pGlobalWorkOffset, pGlobalWorkSize, core::ptr::null())? };
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { launch::set_args::<B>(kernel, slice(numArgs as usize, pArgs, "pArgs")?)? };
    let local = B::kernel_suggest_local_work_size(kernel, queue, range)?;
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { write_sizes(&local[..range.global.len()], pSuggestedLocalWorkSize) };
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urKernelSuggestMaxCooperativeGroupCount<B: Backend>(
    hKernel: ur_kernel_handle_t, hDevice: ur_device_handle_t, workDim: u32, pLocalWorkSize: *const usize,
    dynamicSharedMemorySize: usize, pGroupCountRet: *mut u32,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { object(hKernel, "hKernel")? };
    // SAFETY: `hDevice` is null or a live handle.
    unsafe { object::<B::Device>(hDevice, "hDevice")? };
    // SAFETY: the arguments are passed on under the same contract.
    let local = unsafe { local_size(workDim, pLocalWorkSize)? };
    // SAFETY: `pGroupCountRet` is null or writable.
    unsafe {
        put(pGroupCountRet, "pGroupCountRet", || {
            B::kernel_suggest_max_cooperative_group_count(kernel, local, dynamicSharedMemorySize)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urKernelSuggestMaxCooperativeGroupCountExp<B: Backend>(
    hKernel: ur_kernel_handle_t, hDevice: ur_device_handle_t, workDim: u32, pLocalWorkSize: *const usize,
    dynamicSharedMemorySize: usize, pGroupCountRet: *mut u32,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { object(hKernel, "hKernel")? };
    // SAFETY: `hDevice` is null or a live handle.
    unsafe { object::<B::Device>(hDevice, "hDevice")? };
    // SAFETY: the arguments are passed on under the same contract.
    let local = unsafe { local_size(workDim, pLocalWorkSize)? };
    // SAFETY: `pGroupCountRet` is null or writable.
    unsafe {
        put(pGroupCountRet, "pGroupCountRet", || {
            B::kernel_suggest_max_cooperative_group_count(kernel, local, dynamicSharedMemorySize)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urKernelSuggestMaxCooperativeGroupCountExp_until_2025_0<B: Backend>(
    hKernel: ur_kernel_handle_t, localWorkSize: usize, dynamicSharedMemorySize: usize,
    pGroupCountRet: *mut u32,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { object(hKernel, "hKernel")? };
    // SAFETY: `pGroupCountRet` is null or writable.
    unsafe {
        put(pGroupCountRet, "pGroupCountRet", || {
            B::kernel_suggest_max_cooperative_group_count(kernel, localWorkSize, dynamicSharedMemorySize)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urKernelSuggestMaxCooperativeGroupCountExp_until_2025_1<B: Backend>(
    hKernel: ur_kernel_handle_t, workDim: u32, pLocalWorkSize: *const usize, dynamicSharedMemorySize: usize,
    pGroupCountRet: *mut u32,
) -> Result<()> {
    // SAFETY: `hKernel` is null or a live handle.
    let kernel = unsafe { object(hKernel, "hKernel")? };
    // SAFETY: the arguments are passed on under the same contract.
    let local = unsafe { local_size(workDim, pLocalWorkSize)? };
    // SAFETY: `pGroupCountRet` is null or writable.
    unsafe {
        put(pGroupCountRet, "pGroupCountRet", || {
            B::kernel_suggest_max_cooperative_group_count(kernel, local, dynamicSharedMemorySize)
        })
    }
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
    size.ok_or_else(|| {
        Error::new(ErrorCode::INVALID_WORK_GROUP_SIZE, "pLocalWorkSize: the product is too large")
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_work_group_has_the_work_items_of_all_its_dimensions() {
        // SAFETY: as many numbers as dimensions, or none.
        let size = |sizes: &[usize]| unsafe { local_size(sizes.len() as u32, sizes.as_ptr()) };
        assert_eq!(size(&[32]).ok(), Some(32));
        assert_eq!(size(&[32, 4]).ok(), Some(128));
        assert_eq!(size(&[32, 4, 2]).ok(), Some(256));
        let too_large = size(&[usize::MAX, 2]).map_err(|error| error.code());
        assert_eq!(too_large, Err(ErrorCode::INVALID_WORK_GROUP_SIZE));
    }
}
