//! `piextProgramSetSpecializationConstant`.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{BASIC, Env, Owned, SPEC_SCALAR};
use crate::outcome::{Failure, OPERATION, PROGRAM, VALUE, Verdict, codes, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("SPC-01", "piextProgramSetSpecializationConstant", one_value),
    case("SPC-02", "piextProgramSetSpecializationConstant", defaults),
    case("SPC-03", "piextProgramSetSpecializationConstant", any_order),
    case("SPC-04", "piextProgramSetSpecializationConstant", last_wins),
    case("SPC-05", "piextProgramSetSpecializationConstant", of_cuda),
    case("SPC-06", "piextProgramSetSpecializationConstant", unknown_id),
    case("SPC-07", "piextProgramSetSpecializationConstant", wrong_size),
    case("SPC-08", "piextProgramSetSpecializationConstant", null_value),
    case("SPC-09", "piextProgramSetSpecializationConstant", copied),
    case("SPC-10", "piextProgramSetSpecializationConstant", sizes),
    case("SPC-11", "piextProgramSetSpecializationConstant", after_build),
    case("SPC-12", "piextProgramSetSpecializationConstant", null_program),
    case("SPC-13", "piextProgramSetSpecializationConstant", not_in_the_driver),
];

/// The output of the kernel of `spec_scalar.cpp` with its default values.
const DEFAULTS: [f64; 7] = [42.0, 1.5, 2.25, 1.0, 99.0, -7.0, 0x7788 as f64];

fn program(f: &Env) -> Verdict<Owned<'_, pi_program>> {
    if f.backend == Backend::Cuda {
        return Err(Failure::skip(skip::OTHER_BACKEND));
    }
    f.need_spirv()?;
    if f.fact::<u64>(PI_DEVICE_INFO_DOUBLE_FP_CONFIG).unwrap_or(0) == 0 {
        return Err(Failure::skip(skip::NO_FP64));
    }
    f.create(&SPEC_SCALAR)
}

fn set<T: Copy>(f: &Env, program: pi_program, id: u32, value: T) -> Verdict {
    let place: *const c_void = (&raw const value).cast();
    ok!(f, piextProgramSetSpecializationConstant(program, id, size_of::<T>(), place));
    Ok(())
}

/// Builds and runs the kernel, and returns its output.
fn run(f: &Env, program: pi_program) -> Verdict<[f64; 7]> {
    f.build(program, c"")?;
    let (kernel, out) = (f.kernel_of(program, c"_ZTS10SpecScalar")?, f.shared(7 * 8)?);
    f.set_pointer(*kernel, 0, out.ptr)?;
    f.launch(*kernel, 1)?;
    let bytes = f.take(out.ptr, 7 * 8)?;
    let mut values = [0.0; 7];
    for (value, word) in values.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *value = f64::from_ne_bytes(*word);
    }
    Ok(values)
}

fn one_value(f: &Env) -> Verdict {
    let program = program(f)?;
    set(f, *program, 0, 7_i32)?;
    same("what the kernel sees", [7.0, 1.5, 2.25, 1.0, 99.0, -7.0, DEFAULTS[6]], run(f, *program)?)
}

fn defaults(f: &Env) -> Verdict {
    same("what the kernel sees", DEFAULTS, run(f, *program(f)?)?)
}

fn any_order(f: &Env) -> Verdict {
    let program = program(f)?;
    set(f, *program, 5, 12_i16)?;
    set(f, *program, 0, -1_i32)?;
    set(f, *program, 2, 0.5_f64)?;
    set(f, *program, 1, 8.0_f32)?;
    same("what the kernel sees", [-1.0, 8.0, 0.5, 1.0, 99.0, 12.0, DEFAULTS[6]], run(f, *program)?)
}

fn last_wins(f: &Env) -> Verdict {
    let program = program(f)?;
    set(f, *program, 0, 1_i32)?;
    set(f, *program, 0, 2_i32)?;
    same("what the kernel sees", 2.0, run(f, *program)?[0])
}

fn of_cuda(f: &Env) -> Verdict {
    f.only(Backend::Cuda)?;
    let value = 1_i32;
    let place = (&raw const value).cast();
    refused!(f, piextProgramSetSpecializationConstant(f.program()?, 0, 4, place), OPERATION);
    Ok(())
}

fn refuse(f: &Env, id: u32, size: usize, value: *const c_void, codes: crate::outcome::Codes) -> Verdict {
    let program = program(f)?;
    if f.backend == Backend::LevelZero {
        // Checked when the program is built, if at all. A value that does not match a constant is not an error of
        // this call.
        ok!(f, piextProgramSetSpecializationConstant(*program, id, size, value));
        return Ok(());
    }
    refused!(f, piextProgramSetSpecializationConstant(*program, id, size, value), codes);
    Ok(())
}

/// OpenCL's own code for it does not belong to the interface.
const UNKNOWN_ID: crate::outcome::Codes =
    codes(&[PI_ERROR_INVALID_VALUE, -71], &[PI_ERROR_UNKNOWN, PI_ERROR_PLUGIN_SPECIFIC_ERROR]);

fn unknown_id(f: &Env) -> Verdict {
    let value = 1_i32;
    refuse(f, 12345, 4, (&raw const value).cast(), UNKNOWN_ID)
}

fn wrong_size(f: &Env) -> Verdict {
    let value = [0_u64; 8];
    refuse(f, 0, 3, value.as_ptr().cast(), VALUE)?;
    refuse(f, 0, 8, value.as_ptr().cast(), VALUE)?;
    refuse(f, 0, 64, value.as_ptr().cast(), VALUE)?;
    // A bool has one byte.
    refuse(f, 3, 4, value.as_ptr().cast(), VALUE)
}

fn null_value(f: &Env) -> Verdict {
    refused!(f, piextProgramSetSpecializationConstant(*program(f)?, 0, 4, null()), VALUE);
    Ok(())
}

fn copied(f: &Env) -> Verdict {
    let program = program(f)?;
    let mut value = Box::new(5_i32);
    let place: *const c_void = (&raw const *value).cast();
    ok!(f, piextProgramSetSpecializationConstant(*program, 0, 4, place));
    *value = 6;
    drop(value);
    same("what the kernel sees", 5.0, run(f, *program)?[0])
}

fn sizes(f: &Env) -> Verdict {
    let program = program(f)?;
    set(f, *program, 0, 1_i32)?;
    set(f, *program, 1, 2.0_f32)?;
    set(f, *program, 2, 3.0_f64)?;
    set(f, *program, 3, 0_u8)?;
    set(f, *program, 4, 5_u8)?;
    set(f, *program, 5, 6_i16)?;
    set(f, *program, 6, 0x7_0000_0007_u64)?;
    same("what the kernel sees", [1.0, 2.0, 3.0, 0.0, 5.0, 6.0, 7.0], run(f, *program)?)
}

/// No effect on what is already built. It is refused or kept for the next build.
fn after_build(f: &Env) -> Verdict {
    let program = program(f)?;
    same("what the kernel sees", DEFAULTS, run(f, *program)?)?;
    let value = 3_i32;
    let _ = call!(f, piextProgramSetSpecializationConstant(*program, 0, 4, (&raw const value).cast()));
    let (kernel, out) = (f.kernel_of(*program, c"_ZTS10SpecScalar")?, f.shared(7 * 8)?);
    f.set_pointer(*kernel, 0, out.ptr)?;
    f.launch(*kernel, 1)?;
    same("what the kernel sees then", 42.0_f64.to_ne_bytes().to_vec(), f.take(out.ptr, 8)?)
}

fn null_program(f: &Env) -> Verdict {
    let value = 1_i32;
    let place: *const c_void = (&raw const value).cast();
    refused!(f, piextProgramSetSpecializationConstant(null_mut(), 0, 4, place), PROGRAM);
    Ok(())
}

/// If a driver does not support SPIR-V, there is nothing to specialize. The call is refused, even if the driver has
/// the function.
fn not_in_the_driver(f: &Env) -> Verdict {
    if f.takes_spirv() {
        return Err(Failure::skip(skip::ALL_SUPPORTED));
    }
    let (program, value) = (f.create(&BASIC)?, 1_i32);
    let codes = codes(
        &[
            PI_ERROR_INVALID_OPERATION,
            PI_ERROR_INVALID_PROGRAM,
            PI_ERROR_INVALID_VALUE,
            PI_ERROR_UNSUPPORTED_FEATURE,
        ],
        &[],
    );
    refused!(f, piextProgramSetSpecializationConstant(*program, 0, 4, (&raw const value).cast()), codes);
    Ok(())
}
