//! Physical memory.

use super::prelude::*;

absent! {
    urPhysicalMemCreate(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, size: usize, pProperties: *const
        ur_physical_mem_properties_t, phPhysicalMem: *mut ur_physical_mem_handle_t);
    urPhysicalMemRetain(hPhysicalMem: ur_physical_mem_handle_t);
    urPhysicalMemRelease(hPhysicalMem: ur_physical_mem_handle_t);
    urPhysicalMemGetInfo(hPhysicalMem: ur_physical_mem_handle_t, propName: ur_physical_mem_info_t, propSize: usize,
        pPropValue: *mut c_void, pPropSizeRet: *mut usize);
}
