//! `piMemBufferCreate`: valid and invalid arguments.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{BUFFER_SIZE, CONTEXT, HOST_PTR, VALUE, Verdict, check, codes, same};

pub(super) const CASES: &[Case] = &[
    case("MEM-01", "piMemBufferCreate", plain),
    case("MEM-02", "piMemBufferCreate", size_0),
    case("MEM-03", "piMemBufferCreate", unknown_flags),
    case("MEM-04", "piMemBufferCreate", host_flag_without_pointer),
    case("MEM-05", "piMemBufferCreate", pointer_without_host_flag),
    case("MEM-10", "piMemBufferCreate", nulls),
    case("MEM-17", "piMemBufferCreate", too_large),
];

const RW: pi_mem_flags = PI_MEM_FLAGS_ACCESS_RW;

fn plain(f: &Env) -> Verdict {
    for size in [1, 3, 64, 1 << 20] {
        let buffer = f.blank(size)?;
        f.write_on(f.queue()?, *buffer, 0, &ramp(size))?;
        same("content", ramp(size), f.read(*buffer, size)?)?;
    }
    Ok(())
}

fn size_0(f: &Env) -> Verdict {
    let mut out = null_mut();
    refused!(f, piMemBufferCreate(f.context()?, RW, 0, null_mut(), &mut out, null()), BUFFER_SIZE);
    check("", out.is_null(), "no handle written", "one was")
}

fn unknown_flags(f: &Env) -> Verdict {
    let mut out = null_mut();
    refused!(f, piMemBufferCreate(f.context()?, 1 << 40, 64, null_mut(), &mut out, null()), VALUE);
    Ok(())
}

fn host_flag_without_pointer(f: &Env) -> Verdict {
    let mut out = null_mut();
    for flag in [PI_MEM_FLAGS_HOST_PTR_USE, PI_MEM_FLAGS_HOST_PTR_COPY] {
        refused!(f, piMemBufferCreate(f.context()?, RW | flag, 64, null_mut(), &mut out, null()), HOST_PTR);
    }
    check("", out.is_null(), "no handle written", "one was")
}

fn pointer_without_host_flag(f: &Env) -> Verdict {
    let (mut host, mut out) = ([0_u8; 64], null_mut());
    let start: *mut c_void = host.as_mut_ptr().cast();
    refused!(f, piMemBufferCreate(f.context()?, RW, 64, start, &mut out, null()), HOST_PTR);
    if f.backend == Backend::OpenCl {
        let flags = RW | PI_MEM_FLAGS_HOST_PTR_ALLOC;
        refused!(f, piMemBufferCreate(f.context()?, flags, 64, start, &mut out, null()), HOST_PTR);
    }
    check("", out.is_null(), "no handle written", "one was")
}

fn nulls(f: &Env) -> Verdict {
    let mut out = null_mut();
    refused!(f, piMemBufferCreate(null_mut(), RW, 64, null_mut(), &mut out, null()), CONTEXT);
    refused!(f, piMemBufferCreate(f.context()?, RW, 64, null_mut(), null_mut(), null()), VALUE);
    Ok(())
}

fn too_large(f: &Env) -> Verdict {
    let most = f.fact::<u64>(PI_DEVICE_INFO_GLOBAL_MEM_SIZE)? as usize;
    let mut out = null_mut();
    let codes = codes(
        &[
            PI_ERROR_OUT_OF_RESOURCES,
            PI_ERROR_MEM_OBJECT_ALLOCATION_FAILURE,
            PI_ERROR_INVALID_BUFFER_SIZE,
            PI_ERROR_OUT_OF_HOST_MEMORY,
        ],
        &[PI_ERROR_INVALID_VALUE],
    );
    let size = most.saturating_mul(16);
    refused!(f, piMemBufferCreate(f.context()?, RW, size, null_mut(), &mut out, null()), codes);
    Ok(())
}
