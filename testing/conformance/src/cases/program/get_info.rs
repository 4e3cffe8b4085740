//! `piProgramGetInfo`.

use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{BASIC, DeviceCode, Env};
use crate::outcome::{UNBUILT, UNSUPPORTED, VALUE, Verdict, check, codes, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("PRG-30", "piProgramGetInfo", facts),
    case("PRG-31", "piProgramGetInfo", binary_sizes),
    case("PRG-32", "piProgramGetInfo", binaries),
    case("PRG-33", "piProgramGetInfo", source),
    case("PRG-34", "piProgramGetInfo", kernels),
];

fn facts(f: &Env) -> Verdict {
    let program = f.create(&BASIC)?;
    same(
        "context",
        f.context()?,
        get!(f, piProgramGetInfo(*program, PI_PROGRAM_INFO_CONTEXT) as pi_context),
    )?;
    same("number of devices", 1, get!(f, piProgramGetInfo(*program, PI_PROGRAM_INFO_NUM_DEVICES) as u32))?;
    same("device", f.device, get!(f, piProgramGetInfo(*program, PI_PROGRAM_INFO_DEVICES) as pi_device))?;
    same("reference count", 1, get!(f, piProgramGetInfo(*program, PI_PROGRAM_INFO_REFERENCE_COUNT) as u32))?;
    bad_questions!(f, piProgramGetInfo(*program), PI_PROGRAM_INFO_CONTEXT);
    Ok(())
}

fn binary_sizes(f: &Env) -> Verdict {
    let built = {
        let program = f.program()?;
        get!(f, piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES) as usize)
    };
    check("size after a build", built > 0, "more than 0", built)
}

fn binaries(f: &Env) -> Verdict {
    let program = f.program()?;
    let mut size = 0;
    ok!(f, piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, 0, null_mut(), &mut size));
    same("bytes for the addresses", 8, size)?;
    let binary = f.binary(program)?;
    check("binary", binary.iter().any(|byte| *byte != 0), "some bytes", "zeros")?;
    let mut skipped: [*mut u8; 1] = [null_mut()];
    let place = skipped.as_mut_ptr().cast();
    ok!(f, piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, 8, place, null_mut()));
    Ok(())
}

/// The interface has no query for the IL. The query for source returns nothing for SPIR-V.
fn source(f: &Env) -> Verdict {
    let program = f.create(&BASIC)?;
    match DeviceCode::of(f)? {
        DeviceCode::Ptx | DeviceCode::Host => {
            let mut size = 0;
            // An image is not source. Plugins that return it nevertheless return some of it.
            if call!(f, piProgramGetInfo(*program, PI_PROGRAM_INFO_SOURCE, 0, null_mut(), &mut size)).is_ok()
            {
                bytes!(f, piProgramGetInfo(*program, PI_PROGRAM_INFO_SOURCE));
            }
        }
        DeviceCode::SpirV => {
            let mut size = 0;
            if call!(f, piProgramGetInfo(*program, PI_PROGRAM_INFO_SOURCE, 0, null_mut(), &mut size)).is_ok()
            {
                let text = bytes!(f, piProgramGetInfo(*program, PI_PROGRAM_INFO_SOURCE));
                check(
                    "source of SPIR-V",
                    text.iter().all(|byte| *byte == 0),
                    "none",
                    format!("{} bytes", text.len()),
                )?;
            }
        }
        DeviceCode::OpenClC => {
            let text = text!(f, piProgramGetInfo(*program, PI_PROGRAM_INFO_SOURCE));
            check("source", text.contains("kernel void nothing"), "the source", text)?;
        }
    }
    Ok(())
}

fn kernels(f: &Env) -> Verdict {
    let unbuilt = f.create(&BASIC)?;
    let mut size = 0;
    refused!(f, piProgramGetInfo(*unbuilt, PI_PROGRAM_INFO_NUM_KERNELS, 0, null_mut(), &mut size), UNBUILT);
    let wanted = codes(&[PI_ERROR_INVALID_PROGRAM_EXECUTABLE], &[]);
    refused!(f, piProgramGetInfo(*unbuilt, PI_PROGRAM_INFO_KERNEL_NAMES, 0, null_mut(), &mut size), wanted);
    let program = f.program()?;
    if f.backend == Backend::Cuda {
        // Drivers before CUDA 12.4 cannot report it. In UR this is an unsupported enumeration.
        let (cannot, wanted) = if skip::is_through_ur() {
            (PI_ERROR_INVALID_VALUE, VALUE)
        } else {
            (PI_ERROR_INVALID_OPERATION, UNSUPPORTED)
        };
        let asked =
            call!(f, piProgramGetInfo(program, PI_PROGRAM_INFO_NUM_KERNELS, 0, null_mut(), &mut size));
        if asked.as_ref().is_err_and(|error| error.code() == Some(cannot)) {
            refused!(
                f,
                piProgramGetInfo(program, PI_PROGRAM_INFO_KERNEL_NAMES, 0, null_mut(), &mut size),
                wanted
            );
            return Ok(());
        }
    }
    let count = get!(f, piProgramGetInfo(program, PI_PROGRAM_INFO_NUM_KERNELS) as usize);
    let names = text!(f, piProgramGetInfo(program, PI_PROGRAM_INFO_KERNEL_NAMES));
    let names: Vec<&str> = names.split(';').collect();
    same("names", count, names.len())?;
    check(
        "",
        names.contains(&"nothing") && names.contains(&"fill_index"),
        "the kernels of basic.cl",
        names.join(";"),
    )
}
