//! Programs.

use std::ptr::null_mut;

use opencl_sys::*;
use sycl_pi_core::*;

use super::{Bench, case, nothing, ok};

pub(super) fn add(bench: &mut Bench) {
    let (program, device) = (bench.objects.program, bench.objects.device);
    case!(bench, "program retain + release",
        [piProgramRetain piProgramRelease] { ok(piProgramRetain(program.cast())); ok(piProgramRelease(program.cast())) },
        [clRetainProgram clReleaseProgram] { ok(clRetainProgram(program)); ok(clReleaseProgram(program)) });
    case!(bench, "program info (context)",
        [piProgramGetInfo] { let mut c = 0_usize; ok(piProgramGetInfo(program.cast(), PI_PROGRAM_INFO_CONTEXT, 8, (&raw mut c).cast(), null_mut())) },
        [clGetProgramInfo] { let mut c = 0_usize; ok(clGetProgramInfo(program, CL_PROGRAM_CONTEXT, 8, (&raw mut c).cast(), null_mut())) });
    case!(bench, "program build info (binary type)",
        [piProgramGetBuildInfo] { let mut v = 0_u32; ok(piProgramGetBuildInfo(program.cast(), device.cast(), PI_PROGRAM_BUILD_INFO_BINARY_TYPE, 4, (&raw mut v).cast(), null_mut())) },
        [clGetProgramBuildInfo] { let mut v = 0_u32; ok(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, 4, (&raw mut v).cast(), null_mut())) });
    case!(bench, "program native handle",
        [piextProgramGetNativeHandle] { let mut h = 0; ok(piextProgramGetNativeHandle(program.cast(), &mut h)) },
        [] { let mut h = 0; ok(nothing(program, &mut h)) });
}
