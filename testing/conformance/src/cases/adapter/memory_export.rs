//! Memory that other interfaces can import.

use std::ffi::{c_int, c_void};
use std::os::fd::{FromRawFd, OwnedFd};
use std::ptr::null_mut;

use sycl_ur_core::*;

use super::features::need;
use super::handles::calls;
use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{Verdict, check, same, same_code};
use crate::values::{InWords, UrResult};

pub(super) const CASES: &[Case] = &[case("UR-48", "urMemoryExportAllocExportableMemoryExp", exportable)];

const SIZE: usize = 256;

/// It is device memory, has a file descriptor, and is freed once.
fn exportable(f: &Env) -> Verdict {
    need(f, "urMemoryExportAllocExportableMemoryExp")?;
    let (calls, context, device) = (calls(f)?, f.context()?.cast(), f.device.cast());
    let (kind, mut start, mut usm_type): (_, *mut c_void, u32) =
        (UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD, null_mut(), 0);
    // SAFETY: live handles, and room for the results.
    unsafe {
        let code = calls.urMemoryExportAllocExportableMemoryExp(context, device, 64, SIZE, kind, &mut start);
        same_code("urMemoryExportAllocExportableMemoryExp", UR_RESULT_SUCCESS, code)?;
        let place = (&raw mut usm_type).cast();
        let code = calls.urUSMGetMemAllocInfo(context, start, UR_USM_ALLOC_INFO_TYPE, 4, place, null_mut());
        same(
            "code and type of the memory",
            (UrResult(UR_RESULT_SUCCESS), UR_USM_TYPE_DEVICE),
            (UrResult(code), usm_type),
        )?;
    }
    f.put(start, &ramp(SIZE))?;
    same("bytes", ramp(SIZE), f.take(start, SIZE)?)?;
    let mut descriptors: [c_int; 2] = [-1; 2];
    for descriptor in &mut descriptors {
        let place = std::ptr::from_mut(descriptor).cast();
        // SAFETY: live handles, and room for a number.
        let code = unsafe { calls.urMemoryExportExportMemoryHandleExp(context, device, kind, start, place) };
        same_code("urMemoryExportExportMemoryHandleExp", UR_RESULT_SUCCESS, code)?;
    }
    let [one, two] = descriptors;
    check("", one >= 0 && two >= 0 && one != two, "a descriptor for each call", descriptors.in_words())?;
    for descriptor in descriptors {
        // SAFETY: new descriptors, which this case owns.
        drop(unsafe { OwnedFd::from_raw_fd(descriptor) });
    }
    // SAFETY: live handles. The adapter knows what it has freed.
    let free = || unsafe { calls.urMemoryExportFreeExportableMemoryExp(context, device, start) };
    same_code("urMemoryExportFreeExportableMemoryExp", UR_RESULT_SUCCESS, free())?;
    let again = free();
    check("a second free", again != UR_RESULT_SUCCESS, "an error", again)
}
