//! `piKernelCreate`, `piKernelRetain`, `piKernelRelease`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{BASIC, Env};
use crate::outcome::{KERNEL, PROGRAM, UNBUILT, VALUE, Verdict, codes, same};

pub(super) const CASES: &[Case] = &[
    case("KRN-01", "piKernelCreate", known_name),
    case("KRN-02", "piKernelCreate", unknown_name),
    case("KRN-03", "piKernelCreate", nulls),
    case("KRN-04", "piKernelCreate", not_built),
    case("KRN-05", "piKernelRetain", counted),
    case("KRN-27", "piEnqueueKernelLaunch", without_arguments),
];

fn count(f: &Env, kernel: pi_kernel) -> Verdict<u32> {
    Ok(get!(f, piKernelGetInfo(kernel, PI_KERNEL_INFO_REFERENCE_COUNT) as u32))
}

fn known_name(f: &Env) -> Verdict {
    same("reference count", 1, count(f, *f.kernel(c"nothing")?)?)
}

fn unknown_name(f: &Env) -> Verdict {
    let codes = codes(&[PI_ERROR_INVALID_KERNEL_NAME], &[]);
    refused!(f, piKernelCreate(f.program()?, c"no_such_kernel".as_ptr(), &mut null_mut()), codes);
    refused!(f, piKernelCreate(f.program()?, c"".as_ptr(), &mut null_mut()), codes);
    Ok(())
}

fn nulls(f: &Env) -> Verdict {
    refused!(f, piKernelCreate(null_mut(), c"nothing".as_ptr(), &mut null_mut()), PROGRAM);
    refused!(f, piKernelCreate(f.program()?, null(), &mut null_mut()), VALUE);
    refused!(f, piKernelCreate(f.program()?, c"nothing".as_ptr(), null_mut()), VALUE);
    Ok(())
}

fn not_built(f: &Env) -> Verdict {
    let program = f.create(&BASIC)?;
    refused!(f, piKernelCreate(*program, c"nothing".as_ptr(), &mut null_mut()), UNBUILT);
    Ok(())
}

fn counted(f: &Env) -> Verdict {
    let kernel = f.kernel(c"nothing")?;
    ok!(f, piKernelRetain(*kernel));
    same("reference count after retain", 2, count(f, *kernel)?)?;
    ok!(f, piKernelRelease(*kernel));
    same("reference count after release", 1, count(f, *kernel)?)?;
    refused!(f, piKernelRetain(null_mut()), KERNEL);
    refused!(f, piKernelRelease(null_mut()), KERNEL);
    Ok(())
}

fn without_arguments(f: &Env) -> Verdict {
    f.launch(*f.kernel(c"nothing")?, 8)
}
