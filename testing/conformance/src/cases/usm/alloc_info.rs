//! `piextUSMGetMemAllocInfo`.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{Env, Usm};
use crate::outcome::{CONTEXT, VALUE, Verdict, check, same};

pub(super) const CASES: &[Case] = &[
    case("USM-14", "piextUSMGetMemAllocInfo", facts),
    case("USM-15", "piextUSMGetMemAllocInfo", ordinary_memory),
    case("USM-16", "piextUSMGetMemAllocInfo", bad_questions),
];

fn kind(f: &Env, ptr: *const c_void) -> Verdict<pi_usm_type> {
    let context = f.context()?;
    Ok(get!(f, piextUSMGetMemAllocInfo(context, ptr, PI_MEM_ALLOC_TYPE) as pi_usm_type))
}

/// Checks type, start, size and device, for the start address and for one inside.
fn look(f: &Env, usm: &Usm<'_>, expected: pi_usm_type) -> Verdict {
    let context = f.context()?;
    for offset in [0, 100, usm.size - 1] {
        let ptr: *const c_void = usm.ptr.wrapping_byte_add(offset);
        same("type", expected, kind(f, ptr)?)?;
        let base = get!(f, piextUSMGetMemAllocInfo(context, ptr, PI_MEM_ALLOC_BASE_PTR) as *mut c_void);
        same("start", usm.ptr, base)?;
        let size = get!(f, piextUSMGetMemAllocInfo(context, ptr, PI_MEM_ALLOC_SIZE) as usize);
        check("size", size >= usm.size, format!("at least {}", usm.size), size)?;
        if expected != PI_MEM_TYPE_HOST {
            let device = get!(f, piextUSMGetMemAllocInfo(context, ptr, PI_MEM_ALLOC_DEVICE) as pi_device);
            same("device", f.device, device)?;
        }
    }
    Ok(())
}

fn facts(f: &Env) -> Verdict {
    f.usm_of_each_kind(256)?.iter().try_for_each(|(kind, usm)| look(f, usm, *kind))
}

fn ordinary_memory(f: &Env) -> Verdict {
    f.need_usm(PI_DEVICE_INFO_USM_DEVICE_SUPPORT)?;
    let (heap, stack) = (vec![0_u8; 64], [0_u8; 64]);
    same("type of heap memory", PI_MEM_TYPE_UNKNOWN, kind(f, heap.as_ptr().cast())?)?;
    same("type of stack memory", PI_MEM_TYPE_UNKNOWN, kind(f, stack.as_ptr().cast())?)
}

fn bad_questions(f: &Env) -> Verdict {
    let (usm, context) = (f.on_device(64)?, f.context()?);
    let ptr: *const c_void = usm.ptr;
    bad_questions!(f, piextUSMGetMemAllocInfo(context, ptr), PI_MEM_ALLOC_TYPE);
    let (name, mut size) = (PI_MEM_ALLOC_TYPE, 0);
    refused!(f, piextUSMGetMemAllocInfo(null_mut(), ptr, name, 0, null_mut(), &mut size), CONTEXT);
    refused!(f, piextUSMGetMemAllocInfo(context, null(), name, 0, null_mut(), &mut size), VALUE);
    Ok(())
}
