//! `piProgramCompile`, `piProgramLink`.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::{Backend, CallError};

use crate::case::{Case, case};
use crate::env::{CALLEE, CALLS, Env, Module, Owned};
use crate::outcome::{Codes, Failure, SIZE, Verdict, check, code_name, codes, refusal, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("PRG-23", "piProgramLink", compile_link_run),
    case("PRG-24", "piProgramLink", none),
    case("PRG-25", "piProgramLink", unresolved),
    case("PRG-26", "piProgramLink", options_of_level_zero),
    case("PRG-27", "piProgramBuild", build_unresolved),
    case("PRG-29", "piProgramLink", mixed_states),
];

fn compiled<'e>(f: &'e Env, module: &Module) -> Verdict<Owned<'e, pi_program>> {
    if f.fact::<pi_bool>(PI_DEVICE_INFO_LINKER_AVAILABLE).unwrap_or(1) == 0 {
        return Err(Failure::skip(skip::NO_LINKER));
    }
    let program = f.create(module)?;
    ok!(f, piProgramCompile(*program, 1, &f.device, c"".as_ptr(), 0, null(), null(), None, null_mut()));
    Ok(program)
}

/// Links programs for the device.
pub(super) fn link(
    f: &Env,
    parts: &[pi_program],
    options: &CStr,
    out: &mut pi_program,
) -> Verdict<Result<(), CallError>> {
    let (context, count, parts) = (f.context()?, parts.len() as u32, parts.as_ptr());
    Ok(call!(f, piProgramLink(context, 1, &f.device, options.as_ptr(), count, parts, None, null_mut(), out)))
}

fn refuse(f: &Env, parts: &[pi_program], options: &CStr, out: &mut pi_program, codes: Codes) -> Verdict {
    refusal("piProgramLink", f.strict, link(f, parts, options, out)?, codes).map(drop)
}

fn compile_link_run(f: &Env) -> Verdict {
    let (calls, callee) = (compiled(f, &CALLS)?, compiled(f, &CALLEE)?);
    let mut linked = null_mut();
    link(f, &[*calls, *callee], c"", &mut linked)??;
    let linked = f.own_program(linked);
    let kind = get!(
        f,
        piProgramGetBuildInfo(*linked, f.device, PI_PROGRAM_BUILD_INFO_BINARY_TYPE) as pi_program_binary_type
    );
    same("binary type", PI_PROGRAM_BINARY_TYPE_EXECUTABLE, kind)?;
    run_linked(f, *linked)
}

/// Runs the kernel of [`CALLS`], linked with [`CALLEE`].
pub(super) fn run_linked(f: &Env, linked: pi_program) -> Verdict {
    let (kernel, buffer) = (f.kernel_of(linked, c"calls")?, f.buffer(&[4_i32])?);
    f.set_mem(*kernel, 0, *buffer)?;
    f.launch(*kernel, 1)?;
    same("result", vec![41], f.read::<i32>(*buffer, 1)?)
}

fn none(f: &Env) -> Verdict {
    let mut out: pi_program = std::ptr::dangling_mut();
    refuse(f, &[], c"", &mut out, SIZE)?;
    check("", out.is_null(), "the out handle set to null", "it was not")?;
    twice(f)
}

/// A function that two programs of the list define, or one program that is in the list twice.
fn twice(f: &Env) -> Verdict {
    let (one, two) = (compiled(f, &CALLEE)?, compiled(f, &CALLEE)?);
    let codes = codes(&[PI_ERROR_LINK_PROGRAM_FAILURE], &[PI_ERROR_BUILD_PROGRAM_FAILURE]);
    for parts in [[*one, *one], [*one, *two]] {
        let mut out = null_mut();
        refuse(f, &parts, c"", &mut out, codes)?;
        if !out.is_null() {
            drop(f.own_program(out));
        }
    }
    Ok(())
}

fn unresolved(f: &Env) -> Verdict {
    let (calls, mut out) = (compiled(f, &CALLS)?, null_mut());
    let codes = codes(&[PI_ERROR_LINK_PROGRAM_FAILURE], &[PI_ERROR_BUILD_PROGRAM_FAILURE]);
    refuse(f, &[*calls], c"", &mut out, codes)?;
    check("", !out.is_null(), "a program whose log can be read", "a null handle")?;
    let failed = f.own_program(out);
    let log = f.log(*failed)?;
    check("link log", log.contains("from_elsewhere") || !f.strict, "words that name the symbol", log)
}

fn options_of_level_zero(f: &Env) -> Verdict {
    f.only(Backend::LevelZero)?;
    let (callee, mut out) = (compiled(f, &CALLEE)?, null_mut());
    let codes = codes(&[PI_ERROR_LINK_PROGRAM_FAILURE], &[]);
    refuse(f, &[*callee], c"-some-option", &mut out, codes)?;
    if !out.is_null() {
        drop(f.own_program(out));
    }
    Ok(())
}

fn build_unresolved(f: &Env) -> Verdict {
    let program = f.create(&CALLS)?;
    let built = call!(f, piProgramBuild(*program, 1, &f.device, c"".as_ptr(), None, null_mut()));
    let code = built.err().and_then(|error| error.code()).unwrap_or(PI_SUCCESS);
    let good = [PI_ERROR_BUILD_PROGRAM_FAILURE, PI_ERROR_LINK_PROGRAM_FAILURE].contains(&code);
    check("", good, "PI_ERROR_BUILD_PROGRAM_FAILURE or PI_ERROR_LINK_PROGRAM_FAILURE", code_name(code))
}

fn mixed_states(f: &Env) -> Verdict {
    let (calls, untouched, mut out) = (compiled(f, &CALLS)?, f.create(&CALLEE)?, null_mut());
    // OpenCL drivers before 3.0 return other codes for it.
    let codes = codes(
        &[PI_ERROR_INVALID_OPERATION, PI_ERROR_INVALID_PROGRAM, PI_ERROR_LINK_PROGRAM_FAILURE],
        &[PI_ERROR_INVALID_VALUE],
    );
    refuse(f, &[*calls, *untouched], c"", &mut out, codes)?;
    if !out.is_null() {
        drop(f.own_program(out));
    }
    Ok(())
}
