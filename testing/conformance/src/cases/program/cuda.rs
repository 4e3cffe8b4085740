//! `piProgramCreateWithBinary` and similar calls with CUDA's images: text, and metadata next to the code.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use super::link::{link, run_linked};
use crate::case::{Case, case};
use crate::env::{BASIC, CALLEE, CALLS, DG_SCOPE, DeviceCode, Env, Owned, Property};
use crate::outcome::{Failure, Verdict, check, codes, refusal, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("PRG-09", "piProgramCreateWithBinary", without_lengths),
    case("PRG-12", "piProgramCreateWithBinary", required_size),
    case("PRG-13", "piProgramCreateWithBinary", required_size_of_no_dimension),
    case("PRG-14", "piProgramCreateWithBinary", variable_by_its_mapping),
    case("PRG-28", "piProgramLink", compiled_and_linked),
];

/// PTX is text: without a length it ends with its NUL.
fn without_lengths(f: &Env) -> Verdict {
    f.only(Backend::Cuda)?;
    if skip::is_through_ur() {
        return Err(Failure::skip(skip::NO_COUNTERPART));
    }
    if DeviceCode::of(f)? != DeviceCode::Ptx {
        return Err(Failure::skip(skip::NO_PTX));
    }
    let (context, start, mut status) = (f.context()?, f.cuda_image(&BASIC)?.as_ptr(), -77);
    let program = made!(f, |out| piProgramCreateWithBinary(
        context,
        1,
        &f.device,
        null(),
        &start,
        0,
        null(),
        &mut status,
        out
    ));
    let program = f.own_program(program);
    f.build(*program, c"")?;
    f.kernel_of(*program, c"nothing").map(drop)
}

/// Creates a program of the basic kernels, with metadata that one of them requires a work-group size.
fn requiring<'e>(f: &'e Env, kernel: &CStr, size: &[u32]) -> Verdict<Owned<'e, pi_program>> {
    f.only(Backend::Cuda)?;
    let mut property = Property::required_size(kernel, size);
    f.of_image(f.context()?, f.cuda_image(&BASIC)?, &[property.raw()])
}

fn required_size(f: &Env) -> Verdict {
    for (given, reported) in
        [(&[4_u32, 2, 1][..], [4_usize, 2, 1]), (&[8, 2], [8, 2, 1]), (&[16], [16, 1, 1])]
    {
        let program = requiring(f, c"nothing", given)?;
        f.build(*program, c"")?;
        let kernel = f.kernel_of(*program, c"nothing")?;
        let size = get!(
            f,
            piKernelGetGroupInfo(*kernel, f.device, PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE)
                as [usize; 3]
        );
        same("compile work-group size", reported, size)?;
    }
    Ok(())
}

fn required_size_of_no_dimension(f: &Env) -> Verdict {
    for size in [&[][..], &[2, 2, 2, 2]] {
        let (code, got) = match requiring(f, c"nothing", size) {
            Err(Failure::Skip(reason)) => return Err(Failure::Skip(reason)),
            Err(Failure::Fail(fail)) => (fail.code, fail.got),
            Ok(_) => (None, "PI_SUCCESS".to_owned()),
        };
        let refused = code == Some(PI_ERROR_INVALID_WORK_GROUP_SIZE);
        check("piProgramCreateWithBinary", refused, "PI_ERROR_INVALID_WORK_GROUP_SIZE", got)?;
    }
    Ok(())
}

fn variable_by_its_mapping(f: &Env) -> Verdict {
    f.only(Backend::Cuda)?;
    f.since(Version::V12_27)?;
    let mut property = Property::mapping(c"name of the host", c"_Z6Scoped");
    let program = f.of_image(f.context()?, f.cuda_image(&DG_SCOPE)?, &[property.raw()])?;
    f.build(*program, c"")?;
    let (queue, from) = (f.queue()?, [7_u8; 16]);
    ok!(
        f,
        piextEnqueueDeviceGlobalVariableWrite(
            queue,
            *program,
            c"name of the host".as_ptr(),
            PI_TRUE,
            16,
            0,
            from.as_ptr().cast(),
            0,
            null(),
            null_mut()
        )
    );
    let mut bytes = [0_u8; 16];
    ok!(
        f,
        piextEnqueueDeviceGlobalVariableRead(
            queue,
            *program,
            c"_Z6Scoped".as_ptr(),
            PI_TRUE,
            16,
            0,
            bytes.as_mut_ptr().cast(),
            0,
            null(),
            null_mut()
        )
    );
    same("the variable by its symbol", from, bytes)
}

/// Compiled like a build, and linked by the driver. There are no specialization constants.
fn compiled_and_linked(f: &Env) -> Verdict {
    f.only(Backend::Cuda)?;
    if DeviceCode::of(f)? != DeviceCode::Ptx {
        return Err(Failure::skip(skip::NO_PTX));
    }
    let (calls, callee) = (f.create(&CALLS)?, f.create(&CALLEE)?);
    for program in [&calls, &callee] {
        let options = c"".as_ptr();
        ok!(f, piProgramCompile(**program, 1, &f.device, options, 0, null(), null(), None, null_mut()));
    }
    let mut linked = null_mut();
    link(f, &[*calls, *callee], c"", &mut linked)??;
    let linked = f.own_program(linked);
    run_linked(f, *linked)?;
    let constant = 1_u32;
    let result = call!(f, piextProgramSetSpecializationConstant(*linked, 0, 4, (&raw const constant).cast()));
    let codes = codes(&[PI_ERROR_INVALID_OPERATION, PI_ERROR_UNSUPPORTED_FEATURE], &[]);
    refusal("piextProgramSetSpecializationConstant", f.strict, result, codes).map(drop)
}
