//! `piProgramCreate`, `piProgramRetain`, `piProgramRelease`.

use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{BASIC, Env};
use crate::outcome::{CONTEXT, Failure, PROGRAM, VALUE, Verdict, check, codes, same};

pub(super) const CASES: &[Case] = &[
    case("PRG-01", "piProgramCreate", from_spirv),
    case("PRG-02", "piProgramCreate", nulls),
    case("PRG-03", "piProgramCreate", empty),
    case("PRG-04", "piProgramCreate", junk),
    case("PRG-05", "piProgramCreate", no_context),
    case("PRG-37", "piProgramRetain", counted),
    case("PRG-38", "piProgramRelease", kernel_keeps_it),
];

fn il() -> (*const c_void, usize) {
    (BASIC.spirv.as_ptr().cast(), BASIC.spirv.len())
}

fn from_spirv(f: &Env) -> Verdict {
    let ((start, length), context) = (il(), f.context()?);
    if f.backend == Backend::Cuda && !f.takes_spirv() {
        // The build reports what is missing.
        let program = f.own_program(made!(f, |out| piProgramCreate(context, start, length, out)));
        let wanted = codes(&[PI_ERROR_BUILD_PROGRAM_FAILURE, PI_ERROR_COMPILER_NOT_AVAILABLE], &[]);
        refused!(f, piProgramBuild(*program, 1, &f.device, c"".as_ptr(), None, null_mut()), wanted);
        return Ok(());
    }
    f.need_spirv()?;
    let program = f.own_program(made!(f, |out| piProgramCreate(context, start, length, out)));
    same("reference count", 1, get!(f, piProgramGetInfo(*program, PI_PROGRAM_INFO_REFERENCE_COUNT) as u32))
}

fn nulls(f: &Env) -> Verdict {
    let ((start, length), context) = (il(), f.context()?);
    refused!(f, piProgramCreate(context, std::ptr::null(), length, &mut null_mut()), VALUE);
    refused!(f, piProgramCreate(context, start, length, null_mut()), VALUE);
    Ok(())
}

fn empty(f: &Env) -> Verdict {
    let (start, _) = il();
    refused!(f, piProgramCreate(f.context()?, start, 0, &mut null_mut()), crate::outcome::SIZE);
    Ok(())
}

/// Refused when the program is created or when it is built.
fn junk(f: &Env) -> Verdict {
    let truncated = BASIC.spirv.get(..BASIC.spirv.len() / 2).unwrap_or_default();
    for bytes in [b"this is no program at all, whatever its words are".as_slice(), &[0; 64], truncated] {
        let (context, mut program) = (f.context()?, null_mut());
        let made = call!(f, piProgramCreate(context, bytes.as_ptr().cast(), bytes.len(), &mut program));
        if made.is_err() {
            check("piProgramCreate", program.is_null(), "no handle after a refusal", "one was written")?;
            continue;
        }
        let program = f.own_program(program);
        match f.build(*program, c"") {
            Ok(()) => return Err(Failure::fail("piProgramBuild", "a refusal of junk", "PI_SUCCESS")),
            Err(Failure::Skip(reason)) => return Err(Failure::Skip(reason)),
            Err(Failure::Fail(_)) => {}
        }
    }
    Ok(())
}

fn no_context(f: &Env) -> Verdict {
    let (start, length) = il();
    refused!(f, piProgramCreate(null_mut(), start, length, &mut null_mut()), CONTEXT);
    Ok(())
}

fn counted(f: &Env) -> Verdict {
    let program = f.create(&BASIC)?;
    let count = || -> Verdict<u32> {
        Ok(get!(f, piProgramGetInfo(*program, PI_PROGRAM_INFO_REFERENCE_COUNT) as u32))
    };
    ok!(f, piProgramRetain(*program));
    same("reference count after retain", 2, count()?)?;
    ok!(f, piProgramRelease(*program));
    same("reference count after release", 1, count()?)?;
    refused!(f, piProgramRetain(null_mut()), PROGRAM);
    refused!(f, piProgramRelease(null_mut()), PROGRAM);
    Ok(())
}

fn kernel_keeps_it(f: &Env) -> Verdict {
    let program = f.built(&BASIC)?;
    let kernel = f.kernel_of(*program, c"fill_index")?;
    let handle = *program;
    drop(program);
    same("program", handle, get!(f, piKernelGetInfo(*kernel, PI_KERNEL_INFO_PROGRAM) as pi_program))?;
    let buffer = f.buffer(&[0_i32; 4])?;
    f.set_mem(*kernel, 0, *buffer)?;
    f.launch(*kernel, 4)?;
    same("what the kernel wrote", vec![0, 1, 2, 3], f.read::<i32>(*buffer, 4)?)
}
