//! Memory and events shared between processes.

use super::prelude::*;

absent! {
    urIPCGetMemHandleExp(hContext: ur_context_handle_t, pMem: *mut c_void, ppIPCMemHandleData: *mut *mut c_void,
        pIPCMemHandleDataSizeRet: *mut usize);
    urIPCPutMemHandleExp(hContext: ur_context_handle_t, pIPCMemHandleData: *mut c_void);
    urIPCOpenMemHandleExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pIPCMemHandleData: *mut c_void,
        ipcMemHandleDataSize: usize, ppMem: *mut *mut c_void);
    urIPCCloseMemHandleExp(hContext: ur_context_handle_t, pMem: *mut c_void);
    urIPCGetPhysMemHandleExp(hContext: ur_context_handle_t, hPhysMem: ur_physical_mem_handle_t,
        ppIPCPhysMemHandleData: *mut *mut c_void, pIPCPhysMemHandleDataSizeRet: *mut usize);
    urIPCPutPhysMemHandleExp(hContext: ur_context_handle_t, pIPCPhysMemHandleData: *const c_void);
    urIPCOpenPhysMemHandleExp(hContext: ur_context_handle_t, hDevice: ur_device_handle_t, pIPCPhysMemHandleData:
        *const c_void, ipcPhysMemHandleDataSize: usize, phPhysMem: *mut ur_physical_mem_handle_t);
    urIPCClosePhysMemHandleExp(hContext: ur_context_handle_t, hPhysMem: ur_physical_mem_handle_t);
    urIPCGetEventHandleExp(hEvent: ur_event_handle_t, ppIPCEventHandleData: *mut *mut c_void,
        pIPCEventHandleDataSizeRet: *mut usize);
    urIPCPutEventHandleExp(hContext: ur_context_handle_t, pIPCEventHandleData: *mut c_void);
    urIPCOpenEventHandleExp(hContext: ur_context_handle_t, pIPCEventHandleData: *const c_void, ipcEventHandleDataSize:
        usize, phEvent: *mut ur_event_handle_t);
}
