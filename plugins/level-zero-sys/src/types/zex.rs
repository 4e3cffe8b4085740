//! Functions of Intel's driver that `zeDriverGetExtensionFunctionAddress` finds by name.

use std::ffi::{CStr, c_void};

use super::enums::ze_result_t;
use super::handles::ze_driver_handle_t;

/// Name of [`zexDriverImportExternalPointer_t`].
pub const ZEX_DRIVER_IMPORT_EXTERNAL_POINTER: &CStr = c"zexDriverImportExternalPointer";
/// Name of [`zexDriverReleaseImportedPointer_t`].
pub const ZEX_DRIVER_RELEASE_IMPORTED_POINTER: &CStr = c"zexDriverReleaseImportedPointer";

/// Imports the program's own memory, given by its start and size, as host memory of the driver.
pub type zexDriverImportExternalPointer_t =
    unsafe extern "C" fn(hDriver: ze_driver_handle_t, ptr: *mut c_void, size: usize) -> ze_result_t;
/// Undoes such an import.
pub type zexDriverReleaseImportedPointer_t =
    unsafe extern "C" fn(hDriver: ze_driver_handle_t, ptr: *mut c_void) -> ze_result_t;
