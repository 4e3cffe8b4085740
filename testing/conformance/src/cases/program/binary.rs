//! `piProgramCreateWithBinary`.

use std::ffi::c_char;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{BASIC, Env};
use crate::outcome::{Failure, SIZE, VALUE, Verdict, check, codes, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("PRG-06", "piProgramCreateWithBinary", own_output),
    case("PRG-07", "piProgramCreateWithBinary", one_per_device),
    case("PRG-08", "piProgramCreateWithBinary", an_empty_one),
    case("PRG-10", "piProgramCreateWithBinary", nulls),
    case("PRG-11", "piProgramCreateWithBinary", metadata_mismatch),
    case("PRG-15", "piProgramCreateWithBinary", foreign_target),
    case("PRG-19", "piProgramBuild", build_is_the_load),
    case("PRG-20", "piProgramCompile", not_compiled_again),
];

/// Returns the binary that most calls here use.
fn binary(f: &Env) -> Verdict<Vec<u8>> {
    f.binary(f.program()?)
}

fn run(f: &Env, program: pi_program) -> Verdict {
    let (kernel, buffer) = (f.kernel_of(program, c"fill_index")?, f.buffer(&[0_i32; 4])?);
    f.set_mem(*kernel, 0, *buffer)?;
    f.launch(*kernel, 4)?;
    same("what the kernel wrote", vec![0, 1, 2, 3], f.read::<i32>(*buffer, 4)?)
}

fn own_output(f: &Env) -> Verdict {
    let program = f.of_binary(&binary(f)?)?;
    f.build(*program, c"")?;
    run(f, *program)
}

/// Returns a binary for each of two devices.
fn binaries(f: &Env, context: pi_context, devices: &[pi_device]) -> Verdict<(Vec<u8>, Vec<u8>)> {
    if f.backend == Backend::Cuda {
        let image = f.cuda_image(&BASIC)?;
        return Ok((image.to_vec(), image.to_vec()));
    }
    let built = f.create_in(context, &BASIC)?;
    ok!(f, piProgramBuild(*built, 2, devices.as_ptr(), c"".as_ptr(), None, null_mut()));
    let [one, two] = get!(f, piProgramGetInfo(*built, PI_PROGRAM_INFO_BINARY_SIZES) as [usize; 2]);
    let (mut first, mut second) = (vec![0_u8; one], vec![0_u8; two]);
    let mut places = [first.as_mut_ptr(), second.as_mut_ptr()];
    let place = places.as_mut_ptr().cast();
    ok!(f, piProgramGetInfo(*built, PI_PROGRAM_INFO_BINARIES, 16, place, null_mut()));
    Ok((first, second))
}

fn one_per_device(f: &Env) -> Verdict {
    let pair = f.pair()?;
    let devices: Vec<pi_device> = pair.iter().take(2).map(|part| **part).collect();
    let context = f.context_of(&devices)?;
    let (first, second) = binaries(f, *context, &devices)?;
    let (lengths, starts) = ([first.len(), second.len()], [first.as_ptr(), second.as_ptr()]);
    let mut status = [-77; 2];
    let program: pi_program = made!(f, |out| piProgramCreateWithBinary(
        *context,
        2,
        devices.as_ptr(),
        lengths.as_ptr(),
        starts.as_ptr(),
        0,
        null(),
        status.as_mut_ptr(),
        out
    ));
    let program = f.own_program(program);
    same("status of each binary", [PI_SUCCESS; 2], status)?;
    ok!(f, piProgramBuild(*program, 2, devices.as_ptr(), c"".as_ptr(), None, null_mut()));
    let kernel = f.kernel_of(*program, c"fill_index")?;
    let buffer = f.buffer_in(*context, &[0_i32; 4])?;
    f.set_mem(*kernel, 0, *buffer)?;
    for device in devices {
        let queue = f.queue_in(*context, device, 0)?;
        let event = f.launch_on(*queue, *kernel, 4)?;
        f.wait(event)?;
        same("what the kernel wrote", vec![0, 1, 2, 3], f.read_on::<i32>(*queue, *buffer, 0, 4)?)?;
    }
    Ok(())
}

/// Makes the call with one binary, with parts that can be wrong.
fn try_one(
    f: &Env,
    length: usize,
    start: *const u8,
    metadata: (usize, *const pi_device_binary_property),
    out: &mut pi_program,
) -> Verdict<Result<(), sycl_pi_loader::CallError>> {
    let (context, mut status) = (f.context()?, 0);
    Ok(call!(
        f,
        piProgramCreateWithBinary(
            context,
            1,
            &f.device,
            &length,
            &start,
            metadata.0,
            metadata.1,
            &mut status,
            out
        )
    ))
}

const CALL: &str = "piProgramCreateWithBinary";

fn an_empty_one(f: &Env) -> Verdict {
    let (binary, mut out) = (binary(f)?, null_mut());
    let null_one = try_one(f, binary.len(), null(), (0, null()), &mut out)?;
    crate::outcome::refusal(CALL, f.strict, null_one, VALUE)?;
    let no_length = try_one(f, 0, binary.as_ptr(), (0, null()), &mut out)?;
    crate::outcome::refusal(CALL, f.strict, no_length, VALUE)?;
    check("", out.is_null(), "no handle written", "one was")
}

fn nulls(f: &Env) -> Verdict {
    let (binary, context, mut out, mut status) = (binary(f)?, f.context()?, null_mut(), 0);
    let (length, start) = (binary.len(), binary.as_ptr());
    refused!(
        f,
        piProgramCreateWithBinary(context, 1, null(), &length, &start, 0, null(), &mut status, &mut out),
        VALUE
    );
    refused!(
        f,
        piProgramCreateWithBinary(context, 1, &f.device, &length, null(), 0, null(), &mut status, &mut out),
        VALUE
    );
    refused!(
        f,
        piProgramCreateWithBinary(context, 1, &f.device, &length, &start, 0, null(), &mut status, null_mut()),
        VALUE
    );
    Ok(())
}

fn metadata_mismatch(f: &Env) -> Verdict {
    let (binary, mut out) = (binary(f)?, null_mut());
    let missing = try_one(f, binary.len(), binary.as_ptr(), (1, null()), &mut out)?;
    crate::outcome::refusal(CALL, f.strict, missing, SIZE)?;
    // A list with count 0 is not an error here, because runtimes pass the address of an empty vector.
    let mut entry = _pi_device_binary_property_struct {
        Name: c"x@y".as_ptr().cast_mut().cast::<c_char>(),
        ValAddr: null_mut(),
        Type: PI_PROPERTY_TYPE_UINT32,
        ValSize: 0,
    };
    let list: [pi_device_binary_property; 1] = [&raw mut entry];
    let empty = try_one(f, binary.len(), binary.as_ptr(), (0, list.as_ptr()), &mut out)?;
    match empty {
        Ok(()) => drop(f.own_program(out)),
        Err(_) => drop(crate::outcome::refusal(CALL, f.strict, empty, SIZE)?),
    }
    Ok(())
}

/// Refused when the program is created or when it is built.
fn foreign_target(f: &Env) -> Verdict {
    let (bytes, mut out) = ([0x7f_u8, b'E', b'L', b'F', 9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0], null_mut());
    match try_one(f, bytes.len(), bytes.as_ptr(), (0, null()), &mut out)? {
        Err(error) => {
            let codes = codes(&[PI_ERROR_INVALID_BINARY], &[]);
            crate::outcome::refusal(CALL, f.strict, Err(error), codes).map(|_| ())
        }
        Ok(()) => {
            let program = f.own_program(out);
            let built = f.build(*program, c"");
            check("piProgramBuild", built.is_err(), "a refusal of a foreign binary", "PI_SUCCESS")
        }
    }
}

fn build_is_the_load(f: &Env) -> Verdict {
    let program = f.of_binary(&binary(f)?)?;
    f.build(*program, c"")?;
    f.kernel_of(*program, c"nothing").map(|_| ())
}

fn not_compiled_again(f: &Env) -> Verdict {
    if f.backend == Backend::Cuda {
        return Err(Failure::skip(skip::OTHER_BACKEND));
    }
    let program = f.of_binary(&binary(f)?)?;
    // Intel's driver only detects it in its compiler.
    let codes = codes(&[PI_ERROR_INVALID_OPERATION, PI_ERROR_COMPILE_PROGRAM_FAILURE], &[]);
    refused!(
        f,
        piProgramCompile(*program, 1, &f.device, c"".as_ptr(), 0, null(), null(), None, null_mut()),
        codes
    );
    Ok(())
}
