//! Device memory that other processes may open, and the program's host memory that becomes USM. The backends' own tests
//! open such memory in a second process.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_ur_core::*;

use super::features::need;
use super::handles::calls;
use crate::case::{Case, case};
use crate::env::{Env, bytes_of};
use crate::outcome::{Verdict, check, same, same_code};
use crate::values::ur_name;

pub(super) const CASES: &[Case] = &[
    case("UR-45", "urIPCGetMemHandleExp", names_of_memory),
    case("UR-46", "urUSMHostAllocRegisterExp", registered_memory),
];

fn names_of_memory(f: &Env) -> Verdict {
    need(f, "urIPCGetMemHandleExp")?;
    let (calls, context, device) = (calls(f)?, f.context()?.cast(), f.device.cast());
    let (memory, mut size, mut opened) = (f.on_device(4096)?, 0, null_mut());
    let mut names = [null_mut(); 2];
    // SAFETY: live handles, memory of the case's own, and room for the results.
    unsafe {
        for (name, place) in names.iter_mut().zip([0, 64]) {
            let address = memory.ptr.byte_add(place);
            let code = calls.urIPCGetMemHandleExp(context, address, name, &mut size);
            same_code("urIPCGetMemHandleExp", UR_RESULT_SUCCESS, code)?;
            check("a name", !name.is_null() && size > 0, "bytes", size)?;
        }
        let code = calls.urIPCOpenMemHandleExp(context, device, names[0], size - 1, &mut opened);
        check("a byte less", code != UR_RESULT_SUCCESS, "an error", ur_name(code))?;
        let code = calls.urIPCCloseMemHandleExp(context, memory.ptr);
        check("memory that was not opened", code != UR_RESULT_SUCCESS, "an error", ur_name(code))?;
        for name in names {
            let put = || calls.urIPCPutMemHandleExp(context, name);
            same_code("urIPCPutMemHandleExp", UR_RESULT_SUCCESS, put())?;
            same_code("the second time", UR_RESULT_ERROR_INVALID_VALUE, put())?;
        }
    }
    Ok(())
}

/// A page of host memory.
#[repr(C, align(4096))]
struct Page([i32; 1024]);

fn registered_memory(f: &Env) -> Verdict {
    need(f, "urUSMHostAllocRegisterExp")?;
    let (calls, context) = (calls(f)?, f.context()?.cast());
    let mut pages = Box::new([Page([0; 1024]), Page([0; 1024])]);
    let (start, size) = ((&raw mut *pages).cast::<c_void>(), size_of_val(&*pages));
    let (usm, kind) = (f.context()?, PI_MEM_ALLOC_TYPE);
    let kind =
        || -> Verdict<pi_usm_type> { Ok(get!(f, piextUSMGetMemAllocInfo(usm, start, kind) as pi_usm_type)) };
    // SAFETY: live handles, and memory that lives until it is unregistered.
    unsafe {
        let register = || calls.urUSMHostAllocRegisterExp(context, start, size, null());
        let unregister = || calls.urUSMHostAllocUnregisterExp(context, start);
        same_code("urUSMHostAllocRegisterExp", UR_RESULT_SUCCESS, register())?;
        let again = register();
        check("the second time", again != UR_RESULT_SUCCESS, "an error", again)?;
        let freed = calls.urUSMFree(context, start);
        check("urUSMFree", freed != UR_RESULT_SUCCESS, "an error", freed)?;
        same("type", PI_MEM_TYPE_HOST, kind()?)?;
        let kernel = f.kernel(c"fill_index")?;
        f.set_pointer(*kernel, 0, start.byte_add(4096))?;
        f.launch(*kernel, 1024)?;
        same_code("urUSMHostAllocUnregisterExp", UR_RESULT_SUCCESS, unregister())?;
        let again = unregister();
        check("the second time", again != UR_RESULT_SUCCESS, "an error", again)?;
        same("type afterwards", PI_MEM_TYPE_UNKNOWN, kind()?)?;
    }
    let numbers: Vec<i32> = (0..1024).collect();
    same("what the kernel wrote", bytes_of(&numbers), bytes_of(&pages[1].0))?;
    same("what it did not write", vec![0; 4096], bytes_of(&pages[0].0))
}
