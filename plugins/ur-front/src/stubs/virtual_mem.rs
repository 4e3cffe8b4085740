//! Virtual memory.

use super::prelude::*;
use crate::physical_mem::PhysicalMem;

#[entry]
pub unsafe extern "C" fn urVirtualMemGranularityGetInfo<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, allocationSize: usize,
    propName: ur_virtual_mem_granularity_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    // SAFETY: the answer's buffer has the size that the caller states.
    let answer = unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? };
    answer.value(B::virtual_mem_granularity(context, device, allocationSize, is_recommended(propName)?)?)
}

#[entry]
pub unsafe extern "C" fn urVirtualMemGranularityGetInfo_until_2025_2<B: Backend>(
    hContext: ur_context_handle_t, hDevice: ur_device_handle_t, propName: ur_virtual_mem_granularity_info_t,
    propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hContext` and `hDevice` are null or live handles.
    let (context, device) = unsafe { (object(hContext, "hContext")?, object(hDevice, "hDevice")?) };
    // SAFETY: the answer's buffer has the size that the caller states.
    let answer = unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? };
    answer.value(B::virtual_mem_granularity(context, device, 1, is_recommended(propName)?)?)
}

#[entry]
pub unsafe extern "C" fn urVirtualMemReserve<B: Backend>(
    hContext: ur_context_handle_t, pStart: *const c_void, size: usize, ppStart: *mut *mut c_void,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object(hContext, "hContext")? };
    // SAFETY: `ppStart` is null or writable.
    unsafe { put(ppStart, "ppStart", || Ok(B::virtual_mem_reserve(context, pStart, size)?.as_ptr())) }
}

#[entry]
pub unsafe extern "C" fn urVirtualMemFree<B: Backend>(
    hContext: ur_context_handle_t, pStart: *const c_void, size: usize,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    B::virtual_mem_free(unsafe { object(hContext, "hContext")? }, address(pStart, "pStart")?, size)
}

#[entry]
pub unsafe extern "C" fn urVirtualMemMap<B: Backend>(
    hContext: ur_context_handle_t, pStart: *const c_void, size: usize,
    hPhysicalMem: ur_physical_mem_handle_t, offset: usize, flags: ur_virtual_mem_access_flags_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object(hContext, "hContext")? };
    // SAFETY: `hPhysicalMem` is null or a live handle.
    let memory = unsafe { counted::<PhysicalMem<B>>(hPhysicalMem, "hPhysicalMem")? };
    let start = address(pStart, "pStart")?;
    if offset.checked_add(size).is_none_or(|end| end > memory.size) {
        let text =
            format!("{size} bytes from {offset} on are not in the {} bytes of hPhysicalMem", memory.size);
        return Err(error(UR_RESULT_ERROR_INVALID_SIZE, text));
    }
    B::virtual_mem_map(context, start, size, memory.memory, offset, access(flags)?)
}

#[entry]
pub unsafe extern "C" fn urVirtualMemUnmap<B: Backend>(
    hContext: ur_context_handle_t, pStart: *const c_void, size: usize,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    B::virtual_mem_unmap(unsafe { object(hContext, "hContext")? }, address(pStart, "pStart")?, size)
}

#[entry]
pub unsafe extern "C" fn urVirtualMemSetAccess<B: Backend>(
    hContext: ur_context_handle_t, pStart: *const c_void, size: usize, flags: ur_virtual_mem_access_flags_t,
) -> Result<()> {
    B::virtual_mem_set_access(
        // SAFETY: `hContext` is null or a live handle.
        unsafe { object(hContext, "hContext")? },
        address(pStart, "pStart")?,
        size,
        access(flags)?,
    )
}

#[entry]
pub unsafe extern "C" fn urVirtualMemGetInfo<B: Backend>(
    hContext: ur_context_handle_t, pStart: *const c_void, size: usize, propName: ur_virtual_mem_info_t,
    propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object(hContext, "hContext")? };
    let start = address(pStart, "pStart")?;
    // SAFETY: the answer's buffer has the size that the caller states.
    let answer = unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? };
    match propName {
        UR_VIRTUAL_MEM_INFO_ACCESS_MODE => {
            answer.value(flags_of(B::virtual_mem_access(context, start, size)?))
        }
        _ => Err(unknown_query(propName, false)),
    }
}

/// Returns whether a query requests the recommended granularity instead of the minimum.
fn is_recommended(name: ur_virtual_mem_granularity_info_t) -> Result<bool> {
    match name {
        UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM => Ok(false),
        UR_VIRTUAL_MEM_GRANULARITY_INFO_RECOMMENDED => Ok(true),
        _ => Err(unknown_query(name, false)),
    }
}

/// Returns the access of kernels. No flag means no access.
fn access(flags: ur_virtual_mem_access_flags_t) -> Result<VirtualMemAccess> {
    match flags {
        0 | UR_VIRTUAL_MEM_ACCESS_FLAG_NONE => Ok(VirtualMemAccess::NONE),
        UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE => Ok(VirtualMemAccess::READ_WRITE),
        UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY => Ok(VirtualMemAccess::READ_ONLY),
        _ => Err(error(
            UR_RESULT_ERROR_INVALID_ENUMERATION,
            format!("flags {flags:#x} is not a kind of access"),
        )),
    }
}

fn flags_of(access: VirtualMemAccess) -> ur_virtual_mem_access_flags_t {
    match access {
        VirtualMemAccess::READ_WRITE => UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE,
        VirtualMemAccess::READ_ONLY => UR_VIRTUAL_MEM_ACCESS_FLAG_READ_ONLY,
        _ => UR_VIRTUAL_MEM_ACCESS_FLAG_NONE,
    }
}
