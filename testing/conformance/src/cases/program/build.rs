//! `piProgramBuild`.

use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::cases::plugin::{Table, together};
use crate::env::{BASIC, CALLS, DeviceCode, Env};
use crate::outcome::{Failure, Verdict, check, codes, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("PRG-16", "piProgramBuild", with_options),
    case("PRG-17", "piProgramBuild", cannot_compile),
    case("PRG-18", "piProgramBuild", twice),
    case("PRG-21", "piProgramBuild", callbacks),
    case("PRG-22", "piProgramBuild", all_devices),
    case("PRG-42", "piProgramBuild", two_threads),
];

fn with_options(f: &Env) -> Verdict {
    let options = if f.backend == Backend::OpenCl { c"-cl-mad-enable" } else { c"" };
    for options in [c"", options] {
        let program = f.create(&BASIC)?;
        f.build(*program, options)?;
    }
    Ok(())
}

/// OpenCL C or PTX with an error, or SPIR-V that calls an undefined function.
fn cannot_compile(f: &Env) -> Verdict {
    let program = match DeviceCode::of(f)? {
        DeviceCode::OpenClC => f.source_in(f.context()?, "kernel void broken( { this is not C }")?,
        DeviceCode::SpirV => f.create(&CALLS)?,
        DeviceCode::Ptx | DeviceCode::Host => {
            let ptx = b".version 6.0\n.target sm_50\n.address_size 64\nthis is no PTX\n\0";
            f.of_image(f.context()?, ptx, &[])?
        }
    };
    let codes = codes(
        &[PI_ERROR_BUILD_PROGRAM_FAILURE, PI_ERROR_LINK_PROGRAM_FAILURE, PI_ERROR_COMPILE_PROGRAM_FAILURE],
        &[],
    );
    refused!(f, piProgramBuild(*program, 1, &f.device, c"".as_ptr(), None, null_mut()), codes);
    let log = f.log(*program)?;
    check("build log", !log.is_empty(), "some words", "none")
}

fn twice(f: &Env) -> Verdict {
    let program = f.built(&BASIC)?;
    // Whether it is built again, unchanged, or refused, it remains usable.
    if let Err(error) = call!(f, piProgramBuild(*program, 1, &f.device, c"".as_ptr(), None, null_mut())) {
        check(
            "",
            error.code() == Some(PI_ERROR_INVALID_OPERATION),
            "success or PI_ERROR_INVALID_OPERATION",
            crate::outcome::answer(error),
        )?;
    }
    let kernel = f.kernel_of(*program, c"nothing")?;
    if f.backend == Backend::OpenCl {
        let codes = codes(&[PI_ERROR_INVALID_OPERATION], &[]);
        refused!(f, piProgramBuild(*program, 1, &f.device, c"".as_ptr(), None, null_mut()), codes);
    }
    f.launch(*kernel, 1)
}

/// # Safety
/// `data` points to an `AtomicBool`.
unsafe extern "C" fn notified(_program: pi_program, data: *mut c_void) {
    // SAFETY: the case passes a flag that is never freed.
    unsafe { &*data.cast::<std::sync::atomic::AtomicBool>() }
        .store(true, std::sync::atomic::Ordering::SeqCst);
}

/// A callback is called, or the call is refused. Data without a callback is refused on OpenCL.
fn callbacks(f: &Env) -> Verdict {
    let flag: &'static std::sync::atomic::AtomicBool = Box::leak(Box::default());
    let data: *mut c_void = std::ptr::from_ref(flag).cast_mut().cast();
    let program = f.create(&BASIC)?;
    let options = c"".as_ptr();
    match call!(f, piProgramBuild(*program, 1, &f.device, options, Some(notified), data)) {
        Err(error) => {
            check(
                "",
                error.code() == Some(PI_ERROR_INVALID_VALUE),
                "success or PI_ERROR_INVALID_VALUE",
                crate::outcome::answer(error),
            )?;
        }
        Ok(()) => {
            let called = || flag.load(std::sync::atomic::Ordering::SeqCst);
            for _ in 0..2000 {
                if called() {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            check("", called(), "the callback called", "it was not")?;
        }
    }
    let other = f.create(&BASIC)?;
    refused!(f, piProgramBuild(*other, 1, &f.device, options, None, data), crate::outcome::VALUE);
    Ok(())
}

fn all_devices(f: &Env) -> Verdict {
    if f.backend != Backend::OpenCl {
        return Err(Failure::skip(skip::OTHER_BACKEND));
    }
    let program = f.create(&BASIC)?;
    ok!(f, piProgramBuild(*program, 0, std::ptr::null(), c"".as_ptr(), None, null_mut()));
    f.kernel_of(*program, c"nothing").map(|_| ())
}

fn two_threads(f: &Env) -> Verdict {
    let programs = [f.create(&BASIC)?, f.create(&BASIC)?];
    let (pi, device) = (f.pi, f.device as usize);
    let mine: Vec<usize> = programs.iter().map(|program| **program as usize).collect();
    together(2, |index| {
        let f = Table { pi };
        let (program, device) = (mine[index] as pi_program, device as pi_device);
        let built = call!(f, piProgramBuild(program, 1, &device, c"".as_ptr(), None, null_mut()));
        built.map_err(|error| error.to_string())
    })?;
    for program in &programs {
        let status = get!(
            f,
            piProgramGetBuildInfo(**program, f.device, PI_PROGRAM_BUILD_INFO_STATUS)
                as pi_program_build_status
        );
        same("build status", PI_PROGRAM_BUILD_STATUS_SUCCESS, status)?;
        let (kernel, buffer) = (f.kernel_of(**program, c"fill_index")?, f.buffer(&[-1_i32; 4])?);
        f.set_mem(*kernel, 0, *buffer)?;
        f.launch(*kernel, 4)?;
        same("what the kernel wrote", vec![0, 1, 2, 3], f.read::<i32>(*buffer, 4)?)?;
    }
    Ok(())
}
