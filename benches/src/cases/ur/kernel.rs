//! Kernels and their arguments.

use std::ptr::{null, null_mut};

use opencl_sys::*;
use sycl_ur_core::*;

use super::{Bench, case, nothing, ok};

pub(super) fn add(bench: &mut Bench) {
    let objects = bench.objects;
    let (program, kernel, device, buffer, usm) =
        (objects.program, objects.kernel, objects.device, objects.buffer, objects.usm);
    case!(bench, h; "kernel create + release",
        [urKernelCreate urKernelRelease] { let mut k = null_mut(); ok(urKernelCreate(h.program, c"bench".as_ptr(), &mut k)); ok(urKernelRelease(k)) },
        [clCreateKernel clReleaseKernel] { let mut code = 0; let k = clCreateKernel(program, c"bench".as_ptr(), &mut code); ok(code); ok(clReleaseKernel(k)) });
    case!(bench, h; "kernel retain + release",
        [urKernelRetain urKernelRelease] { ok(urKernelRetain(h.kernel)); ok(urKernelRelease(h.kernel)) },
        [clRetainKernel clReleaseKernel] { ok(clRetainKernel(kernel)); ok(clReleaseKernel(kernel)) });
    case!(bench, h; "kernel set arg (value)",
        [urKernelSetArgValue] { let v = 7_i32; ok(urKernelSetArgValue(h.kernel, 1, 4, null(), (&raw const v).cast())) },
        [clSetKernelArg] { let v = 7_i32; ok(clSetKernelArg(kernel, 1, 4, (&raw const v).cast())) });
    case!(bench, h; "kernel set arg (local memory)",
        [urKernelSetArgLocal] ok(urKernelSetArgLocal(h.kernel, 2, 64, null())),
        [clSetKernelArg] ok(clSetKernelArg(kernel, 2, 64, null())));
    case!(bench, h; "kernel set arg pointer",
        [urKernelSetArgPointer] ok(urKernelSetArgPointer(h.kernel, 0, null(), usm)),
        [clSetKernelArgMemPointerINTEL] ok(clSetKernelArgMemPointerINTEL(kernel, 0, usm)));
    case!(bench, h; "kernel set arg mem object",
        [urKernelSetArgMemObj] ok(urKernelSetArgMemObj(h.kernel, 3, null(), h.buffer)),
        [clSetKernelArg] ok(clSetKernelArg(kernel, 3, 8, (&raw const buffer).cast())));
    case!(bench, h; "kernel info (number of arguments)",
        [urKernelGetInfo] { let mut v = 0_u32; ok(urKernelGetInfo(h.kernel, UR_KERNEL_INFO_NUM_ARGS, 4, (&raw mut v).cast(), null_mut())) },
        [clGetKernelInfo] { let mut v = 0_u32; ok(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, 4, (&raw mut v).cast(), null_mut())) });
    case!(bench, h; "kernel group info (work-group size)",
        [urKernelGetGroupInfo] { let mut v = 0_usize; ok(urKernelGetGroupInfo(h.kernel, h.device, UR_KERNEL_GROUP_INFO_WORK_GROUP_SIZE, 8, (&raw mut v).cast(), null_mut())) },
        [clGetKernelWorkGroupInfo] { let mut v = 0_usize; ok(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, 8, (&raw mut v).cast(), null_mut())) });
    case!(bench, h; "kernel native handle",
        [urKernelGetNativeHandle] { let mut n = 0; ok(urKernelGetNativeHandle(h.kernel, &mut n)) },
        [] { let mut n = 0; ok(nothing(kernel, &mut n)) });
}
