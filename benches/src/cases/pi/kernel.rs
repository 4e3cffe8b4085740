//! Kernels and their arguments.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use opencl_sys::*;
use sycl_pi_core::*;

use super::{Bench, case, nothing, ok};

pub(super) fn add(bench: &mut Bench) {
    let objects = bench.objects;
    let (program, kernel, device, buffer, usm) =
        (objects.program, objects.kernel, objects.device, objects.buffer, objects.usm);
    case!(bench, "kernel create + release",
        [piKernelCreate piKernelRelease] { let mut k = null_mut(); ok(piKernelCreate(program.cast(), c"bench".as_ptr(), &mut k)); ok(piKernelRelease(k)) },
        [clCreateKernel clReleaseKernel] { let mut code = 0; let k = clCreateKernel(program, c"bench".as_ptr(), &mut code); ok(code); ok(clReleaseKernel(k)) });
    case!(bench, "kernel retain + release",
        [piKernelRetain piKernelRelease] { ok(piKernelRetain(kernel.cast())); ok(piKernelRelease(kernel.cast())) },
        [clRetainKernel clReleaseKernel] { ok(clRetainKernel(kernel)); ok(clReleaseKernel(kernel)) });
    case!(bench, "kernel set arg (value)",
        [piKernelSetArg] { let v = 7_i32; ok(piKernelSetArg(kernel.cast(), 1, 4, (&raw const v).cast())) },
        [clSetKernelArg] { let v = 7_i32; ok(clSetKernelArg(kernel, 1, 4, (&raw const v).cast())) });
    case!(bench, "kernel set arg (local memory)",
        [piKernelSetArg] ok(piKernelSetArg(kernel.cast(), 2, 64, null())),
        [clSetKernelArg] ok(clSetKernelArg(kernel, 2, 64, null())));
    case!(bench, "kernel set arg pointer",
        [piextKernelSetArgPointer] ok(piextKernelSetArgPointer(kernel.cast(), 0, 8, (&raw const usm).cast())),
        [clSetKernelArgMemPointerINTEL] ok(clSetKernelArgMemPointerINTEL(kernel, 0, usm)));
    case!(bench, "kernel set arg mem object",
        [piextKernelSetArgMemObj] {
            let (mem, access) = (buffer.cast(), pi_mem_obj_property { type_: PI_KERNEL_ARG_MEM_OBJ_ACCESS, pNext: null_mut(), mem_access: PI_ACCESS_READ_WRITE });
            ok(piextKernelSetArgMemObj(kernel.cast(), 3, &access, &mem))
        },
        [clSetKernelArg] ok(clSetKernelArg(kernel, 3, 8, (&raw const buffer).cast())));
    case!(bench, "kernel set arg mem object (until 12.27)",
        [piextKernelSetArgMemObj_until_12_27] { let mem = buffer.cast(); ok(piextKernelSetArgMemObj_until_12_27(kernel.cast(), 3, &mem)) },
        [clSetKernelArg] ok(clSetKernelArg(kernel, 3, 8, (&raw const buffer).cast())));
    case!(bench, "kernel exec info (indirect access)",
    [piKernelSetExecInfo] { let yes: pi_bool = 1; ok(piKernelSetExecInfo(kernel.cast(), PI_USM_INDIRECT_ACCESS, 4, (&raw const yes).cast())) },
    [clSetKernelExecInfo] {
        let yes: cl_bool = 1;
        for name in INDIRECT_ACCESS { ok(clSetKernelExecInfo(kernel, name, 4, (&raw const yes).cast())); }
    });
    case!(bench, "kernel info (number of arguments)",
        [piKernelGetInfo] { let mut v = 0_u32; ok(piKernelGetInfo(kernel.cast(), PI_KERNEL_INFO_NUM_ARGS, 4, (&raw mut v).cast(), null_mut())) },
        [clGetKernelInfo] { let mut v = 0_u32; ok(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, 4, (&raw mut v).cast(), null_mut())) });
    case!(bench, "kernel group info (work-group size)",
        [piKernelGetGroupInfo] { let mut v = 0_usize; ok(piKernelGetGroupInfo(kernel.cast(), device.cast(), PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE, 8, (&raw mut v).cast(), null_mut())) },
        [clGetKernelWorkGroupInfo] { let mut v = 0_usize; ok(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, 8, (&raw mut v).cast(), null_mut())) });
    case!(bench, "kernel sub-group info (maximal size)",
    [piKernelGetSubGroupInfo] { let mut v = 0_u32; ok(piKernelGetSubGroupInfo(kernel.cast(), device.cast(), PI_KERNEL_MAX_SUB_GROUP_SIZE, 0, null(), 4, (&raw mut v).cast(), null_mut())) },
    // A program without PI must find the input that PI omits.
    [clGetDeviceInfo clGetKernelSubGroupInfo] {
        let (mut sizes, mut v) = ([0_usize; 3], 0_usize);
        ok(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, 24, sizes.as_mut_ptr().cast(), null_mut()));
        ok(clGetKernelSubGroupInfo(kernel, device, PI_KERNEL_MAX_SUB_GROUP_SIZE, 24, sizes.as_ptr().cast::<c_void>(), 8, (&raw mut v).cast(), null_mut()))
    });
    case!(bench, "kernel native handle",
        [piextKernelGetNativeHandle] { let mut h = 0; ok(piextKernelGetNativeHandle(kernel.cast(), &mut h)) },
        [] { let mut h = 0; ok(nothing(kernel, &mut h)) });
}

/// cl_intel_unified_shared_memory: host, device, shared.
const INDIRECT_ACCESS: [cl_uint; 3] = [0x4200, 0x4201, 0x4202];
