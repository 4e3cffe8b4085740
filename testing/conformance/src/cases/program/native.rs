//! Native handles of programs.

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{UNSUPPORTED, Verdict, same};

pub(super) const CASES: &[Case] = &[case("NAT-12", "piextProgramCreateWithNativeHandle", round_trip)];

fn round_trip(f: &Env) -> Verdict {
    let (program, context) = (f.program()?, f.context()?);
    let native: pi_native_handle = made!(f, |out| piextProgramGetNativeHandle(program, out));
    if f.backend == Backend::Cuda {
        let mut out = std::ptr::null_mut();
        refused!(f, piextProgramCreateWithNativeHandle(native, context, 0, &mut out), UNSUPPORTED);
        return Ok(());
    }
    let again: pi_program = made!(f, |out| piextProgramCreateWithNativeHandle(native, context, 0, out));
    let again = f.own_program(again);
    let status = get!(f, piProgramGetBuildInfo(*again, f.device, PI_PROGRAM_BUILD_INFO_STATUS) as i32);
    same("build status", PI_PROGRAM_BUILD_STATUS_SUCCESS, status)?;
    let kernel = f.kernel_of(*again, c"nothing")?;
    f.launch(*kernel, 1)
}
