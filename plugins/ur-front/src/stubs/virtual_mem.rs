//! Virtual memory.

use super::prelude::*;

absent! {
    urVirtualMemGranularityGetInfo(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, allocationSize: usize,
        propName: ur_virtual_mem_granularity_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut
        usize);
    urVirtualMemGranularityGetInfo_until_2025_2(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, propName:
        ur_virtual_mem_granularity_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
    urVirtualMemReserve(hContext: ur_context_handle_t, pStart: *const c_void, size: usize, ppStart: *mut *mut c_void);
    urVirtualMemFree(hContext: ur_context_handle_t, pStart: *const c_void, size: usize);
    urVirtualMemMap(hContext: ur_context_handle_t, pStart: *const c_void, size: usize, hPhysicalMem:
        ur_physical_mem_handle_t, offset: usize, flags: ur_virtual_mem_access_flags_t);
    urVirtualMemUnmap(hContext: ur_context_handle_t, pStart: *const c_void, size: usize);
    urVirtualMemSetAccess(hContext: ur_context_handle_t, pStart: *const c_void, size: usize, flags:
        ur_virtual_mem_access_flags_t);
    urVirtualMemGetInfo(hContext: ur_context_handle_t, pStart: *const c_void, size: usize, propName:
        ur_virtual_mem_info_t, propSize: usize, pPropValue: *mut c_void, pPropSizeRet: *mut usize);
}
