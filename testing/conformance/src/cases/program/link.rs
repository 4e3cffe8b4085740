//! `piProgramCompile`, `piProgramLink`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{CALLEE, CALLS, Env, Module, Owned};
use crate::outcome::{Failure, SIZE, Verdict, check, code_name, codes, same};
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

fn compile_link_run(f: &Env) -> Verdict {
    let (calls, callee) = (compiled(f, &CALLS)?, compiled(f, &CALLEE)?);
    let (parts, context) = ([*calls, *callee], f.context()?);
    let linked: pi_program = made!(f, |out| piProgramLink(
        context,
        1,
        &f.device,
        c"".as_ptr(),
        2,
        parts.as_ptr(),
        None,
        null_mut(),
        out
    ));
    let linked = f.own_program(linked);
    let kind = get!(
        f,
        piProgramGetBuildInfo(*linked, f.device, PI_PROGRAM_BUILD_INFO_BINARY_TYPE) as pi_program_binary_type
    );
    same("binary type", PI_PROGRAM_BINARY_TYPE_EXECUTABLE, kind)?;
    let (kernel, buffer) = (f.kernel_of(*linked, c"calls")?, f.buffer(&[4_i32])?);
    f.set_mem(*kernel, 0, *buffer)?;
    f.launch(*kernel, 1)?;
    same("result", vec![41], f.read::<i32>(*buffer, 1)?)
}

fn none(f: &Env) -> Verdict {
    let (parts, mut out): ([pi_program; 1], pi_program) = ([f.program()?], std::ptr::dangling_mut());
    refused!(
        f,
        piProgramLink(
            f.context()?,
            1,
            &f.device,
            c"".as_ptr(),
            0,
            parts.as_ptr(),
            None,
            null_mut(),
            &mut out
        ),
        SIZE
    );
    check("", out.is_null(), "the out handle set to null", "it was not")
}

fn unresolved(f: &Env) -> Verdict {
    let calls = compiled(f, &CALLS)?;
    let (parts, context, mut out) = ([*calls], f.context()?, null_mut());
    let result = call!(
        f,
        piProgramLink(context, 1, &f.device, c"".as_ptr(), 1, parts.as_ptr(), None, null_mut(), &mut out)
    );
    let codes = codes(&[PI_ERROR_LINK_PROGRAM_FAILURE], &[PI_ERROR_BUILD_PROGRAM_FAILURE]);
    crate::outcome::refusal("piProgramLink", f.strict, result, codes)?;
    check("", !out.is_null(), "a program whose log can be read", "a null handle")?;
    let failed = f.own_program(out);
    let log = f.log(*failed)?;
    check("link log", log.contains("from_elsewhere") || !f.strict, "words that name the symbol", log)
}

fn options_of_level_zero(f: &Env) -> Verdict {
    f.only(Backend::LevelZero)?;
    let callee = compiled(f, &CALLEE)?;
    let (parts, mut out) = ([*callee], null_mut());
    let codes = codes(&[PI_ERROR_LINK_PROGRAM_FAILURE], &[]);
    refused!(
        f,
        piProgramLink(
            f.context()?,
            1,
            &f.device,
            c"-some-option".as_ptr(),
            1,
            parts.as_ptr(),
            None,
            null_mut(),
            &mut out
        ),
        codes
    );
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
    let (calls, untouched) = (compiled(f, &CALLS)?, f.create(&CALLEE)?);
    let (parts, mut out) = ([*calls, *untouched], null_mut());
    // Drivers of OpenCL before 3.0 have other words for it.
    let codes = codes(
        &[PI_ERROR_INVALID_OPERATION, PI_ERROR_INVALID_PROGRAM, PI_ERROR_LINK_PROGRAM_FAILURE],
        &[PI_ERROR_INVALID_VALUE],
    );
    refused!(
        f,
        piProgramLink(
            f.context()?,
            1,
            &f.device,
            c"".as_ptr(),
            2,
            parts.as_ptr(),
            None,
            null_mut(),
            &mut out
        ),
        codes
    );
    if !out.is_null() {
        drop(f.own_program(out));
    }
    Ok(())
}
