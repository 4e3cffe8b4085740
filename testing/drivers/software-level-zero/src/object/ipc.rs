//! Memory that other processes use. As in Intel's driver, a handle begins with the number of a file of the
//! exporting process. The receiver replaces it with a number of the importing process.

use std::ffi::{c_char, c_int, c_void};

use level_zero_sys::*;

use crate::allocations::{self, Origin};
use crate::caller::write;
use crate::complaints::complain_here;
use crate::entry::driver_calls;
use crate::object::context::context;
use crate::object::device::device;
use crate::{faults, shared_pages};

fn handle(file: c_int) -> ze_ipc_mem_handle_t {
    let mut handle = ze_ipc_mem_handle_t::default();
    for (to, from) in handle.data.iter_mut().zip(file.to_ne_bytes()) {
        *to = from as c_char;
    }
    handle
}

fn file(handle: &ze_ipc_mem_handle_t) -> c_int {
    let [a, b, c, d, ..] = handle.data.map(|byte| byte as u8);
    c_int::from_ne_bytes([a, b, c, d])
}

driver_calls! {
    fn zeMemGetIpcHandle(
        hContext: ze_context_handle_t,
        ptr: *const c_void,
        pIpcHandle: *mut ze_ipc_mem_handle_t,
    ) {
        let context = context(hContext)?.handle;
        faults::alive()?;
        let of_device = |a: &allocations::Allocation| {
            a.context == context && a.kind == ZE_MEMORY_TYPE_DEVICE && matches!(a.origin, Origin::Allocated(_))
        };
        let found = allocations::find(ptr.addr()).filter(|(start, a)| *start == ptr.addr() && of_device(a));
        let Some((start, allocation)) = found else {
            complain_here("no device memory of the context starts here".to_owned());
            return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
        };
        write(pIpcHandle, handle(shared_pages::give_out(start, allocation.size)?))
    }

    fn zeMemPutIpcHandle(hContext: ze_context_handle_t, ipc: ze_ipc_mem_handle_t) {
        context(hContext)?;
        shared_pages::put_back(file(&ipc)).inspect_err(|_| {
            complain_here("the handle was not given out, or was put back already".to_owned());
        })
    }

    fn zeMemOpenIpcHandle(
        hContext: ze_context_handle_t,
        hDevice: ze_device_handle_t,
        ipc: ze_ipc_mem_handle_t,
        _flags: ze_ipc_memory_flags_t,
        pptr: *mut *mut c_void,
    ) {
        let (context, root) = (context(hContext)?.handle, device(hDevice)?.root);
        faults::alive()?;
        let (start, size) = shared_pages::open(file(&ipc))?;
        allocations::add_opened(start, size, context, hDevice, root);
        write(pptr, std::ptr::with_exposed_provenance_mut(start))
    }

    fn zeMemCloseIpcHandle(hContext: ze_context_handle_t, ptr: *const c_void) {
        context(hContext)?;
        let Some(size) = allocations::remove_opened(ptr.addr()) else {
            complain_here("no opened memory starts here".to_owned());
            return Err(ZE_RESULT_ERROR_INVALID_ARGUMENT);
        };
        shared_pages::close(ptr.addr(), size)
    }
}
