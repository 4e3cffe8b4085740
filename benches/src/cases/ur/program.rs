//! Programs.

use std::ptr::null_mut;

use opencl_sys::*;
use sycl_ur_core::*;

use super::{Bench, case, nothing, ok};

pub(super) fn add(bench: &mut Bench) {
    let program = bench.objects.program;
    case!(bench, h; "program retain + release",
        [urProgramRetain urProgramRelease] { ok(urProgramRetain(h.program)); ok(urProgramRelease(h.program)) },
        [clRetainProgram clReleaseProgram] { ok(clRetainProgram(program)); ok(clReleaseProgram(program)) });
    case!(bench, h; "program info (context)",
        [urProgramGetInfo] { let mut c = 0_usize; ok(urProgramGetInfo(h.program, UR_PROGRAM_INFO_CONTEXT, 8, (&raw mut c).cast(), null_mut())) },
        [clGetProgramInfo] { let mut c = 0_usize; ok(clGetProgramInfo(program, CL_PROGRAM_CONTEXT, 8, (&raw mut c).cast(), null_mut())) });
    case!(bench, h; "program info (number of devices)",
        [urProgramGetInfo] { let mut n = 0_u32; ok(urProgramGetInfo(h.program, UR_PROGRAM_INFO_NUM_DEVICES, 4, (&raw mut n).cast(), null_mut())) },
        [clGetProgramInfo] { let mut n = 0_u32; ok(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, 4, (&raw mut n).cast(), null_mut())) });
    case!(bench, h; "program native handle",
        [urProgramGetNativeHandle] { let mut n = 0; ok(urProgramGetNativeHandle(h.program, &mut n)) },
        [] { let mut n = 0; ok(nothing(program, &mut n)) });
}
