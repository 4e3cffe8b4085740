//! Memory that other interfaces can import.

use super::prelude::*;

absent! {
    urMemoryExportAllocExportableMemoryExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, alignment:
        usize, size: usize, handleTypeToExport: ur_exp_external_mem_type_t, ppMem: *mut *mut c_void);
    urMemoryExportFreeExportableMemoryExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pMem: *mut
        c_void);
    urMemoryExportExportMemoryHandleExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t,
        handleTypeToExport: ur_exp_external_mem_type_t, pMem: *mut c_void, pMemHandleRet: *mut c_void);
}
