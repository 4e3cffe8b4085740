//! `piProgramGetBuildInfo`.

use std::ptr::null_mut;

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{BASIC, Env};
use crate::outcome::{DEVICE, PROGRAM, Verdict, same};

pub(super) const CASES: &[Case] =
    &[case("PRG-35", "piProgramGetBuildInfo", facts), case("PRG-36", "piProgramGetBuildInfo", bad_questions)];

fn facts(f: &Env) -> Verdict {
    let program = f.create(&BASIC)?;
    let status = || -> Verdict<i32> {
        Ok(get!(f, piProgramGetBuildInfo(*program, f.device, PI_PROGRAM_BUILD_INFO_STATUS) as i32))
    };
    same("status before", PI_PROGRAM_BUILD_STATUS_NONE, status()?)?;
    f.build(*program, c"")?;
    same("status after", PI_PROGRAM_BUILD_STATUS_SUCCESS, status()?)?;
    let _ = text!(f, piProgramGetBuildInfo(*program, f.device, PI_PROGRAM_BUILD_INFO_OPTIONS));
    let _ = text!(f, piProgramGetBuildInfo(*program, f.device, PI_PROGRAM_BUILD_INFO_LOG));
    let kind = get!(f, piProgramGetBuildInfo(*program, f.device, PI_PROGRAM_BUILD_INFO_BINARY_TYPE) as u32);
    same("binary type", PI_PROGRAM_BINARY_TYPE_EXECUTABLE, kind)
}

fn bad_questions(f: &Env) -> Verdict {
    let program = f.program()?;
    bad_questions!(f, piProgramGetBuildInfo(program, f.device), PI_PROGRAM_BUILD_INFO_STATUS);
    let (name, mut size) = (PI_PROGRAM_BUILD_INFO_STATUS, 0);
    refused!(f, piProgramGetBuildInfo(null_mut(), f.device, name, 0, null_mut(), &mut size), PROGRAM);
    refused!(f, piProgramGetBuildInfo(program, null_mut(), name, 0, null_mut(), &mut size), DEVICE);
    Ok(())
}
