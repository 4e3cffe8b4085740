//! Imported memory of the program, and the functions for it that are found by name.

use std::ffi::{c_char, c_void};

use level_zero_sys::*;

use crate::allocations;
use crate::caller::{text, write, write_if};
use crate::complaints::complain_here;
use crate::entry::driver_calls;
use crate::object::driver::check;

driver_calls! {
    fn zeDriverGetExtensionFunctionAddress(
        hDriver: ze_driver_handle_t,
        name: *const c_char,
        ppFunctionAddress: *mut *mut c_void,
    ) {
        check(hDriver)?;
        let found = match text(name).as_str() {
            "zexDriverImportExternalPointer" => zexDriverImportExternalPointer as *mut c_void,
            "zexDriverReleaseImportedPointer" => zexDriverReleaseImportedPointer as *mut c_void,
            "zexDriverGetHostPointerBaseAddress" => zexDriverGetHostPointerBaseAddress as *mut c_void,
            _ => std::ptr::null_mut(),
        };
        write(ppFunctionAddress, found)?;
        if found.is_null() { Err(ZE_RESULT_ERROR_INVALID_ARGUMENT) } else { Ok(()) }
    }

    fn zexDriverImportExternalPointer(hDriver: ze_driver_handle_t, ptr: *mut c_void, size: usize) {
        check(hDriver)?;
        if ptr.is_null() || size == 0 || allocations::find(ptr.addr()).is_some() {
            return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
        }
        allocations::import(ptr.expose_provenance(), size);
        Ok(())
    }

    fn zexDriverReleaseImportedPointer(hDriver: ze_driver_handle_t, ptr: *mut c_void) {
        check(hDriver)?;
        if allocations::release(ptr.addr()) {
            return Ok(());
        }
        complain_here("the memory was not imported".to_owned());
        Err(ZE_RESULT_ERROR_INVALID_ARGUMENT)
    }

    fn zexDriverGetHostPointerBaseAddress(
        hDriver: ze_driver_handle_t,
        ptr: *mut c_void,
        baseAddress: *mut *mut c_void,
    ) {
        check(hDriver)?;
        let (start, _) = allocations::find(ptr.addr())
            .filter(|(_, found)| found.kind == ZE_MEMORY_TYPE_HOST)
            .ok_or(ZE_RESULT_ERROR_INVALID_ARGUMENT)?;
        write_if(baseAddress, std::ptr::with_exposed_provenance_mut(start));
        Ok(())
    }
}
