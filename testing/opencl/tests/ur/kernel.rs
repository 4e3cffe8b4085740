//! Kernels.

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;

use crate::host::{Host, newest, ok, with_setters};

#[test]
fn a_kernel_that_was_compiled_for_a_size_is_suggested_that_size_and_spirv_is_refused_where_the_device_takes_none()
 {
    let host = newest();
    let il = testing_opencl::kernels::BASIC;
    let (mut program, mut length) = (null_mut(), 0);
    let (mut of_fixed, mut of_any) = ([0_usize; 3], [0_usize; 3]);
    // SAFETY: live handles, a module of that length, room for the new objects, and three numbers each.
    unsafe {
        let calls = host.calls;
        ok(calls.urDeviceGetInfo(host.device, UR_DEVICE_INFO_IL_VERSION, 0, null_mut(), &mut length));
        let (start, properties) = (il.as_ptr().cast(), null());
        let created = calls.urProgramCreateWithIL(host.context, start, il.len(), properties, &mut program);
        // An empty text means no versions of SPIR-V.
        if length <= 1 {
            assert!(!is_intel(host), "Intel's drivers take SPIR-V");
            assert_eq!((created, program), (UR_RESULT_ERROR_COMPILER_NOT_AVAILABLE, null_mut()));
            return;
        }
        ok(created);
        ok(calls.urProgramBuild(host.context, program, null()));
        ok(suggestion(host, program, c"fixed_size", &mut of_fixed));
        // The driver is queried for other kernels, but some lack the function.
        let asked = suggestion(host, program, c"nothing", &mut of_any);
        ok(calls.urProgramRelease(program));
        assert!([UR_RESULT_SUCCESS, UR_RESULT_ERROR_UNSUPPORTED_FEATURE].contains(&asked), "{asked}");
        if asked == UR_RESULT_SUCCESS {
            let divides = GLOBAL.iter().zip(of_any).all(|(global, local)| local != 0 && global % local == 0);
            assert!(divides, "{of_any:?}");
        }
    }
    assert_eq!(of_fixed, [4, 2, 1]);
}

/// An argument of local memory adds to the kernel's local memory, and leaves its private memory as it was.
#[test]
fn private_memory_of_a_kernel_is_not_its_local_memory() {
    const ADDED: usize = 4096;
    let (host, il) = (with_setters(), testing_opencl::kernels::BASIC);
    let calls = host.calls;
    let (mut program, mut kernel) = (null_mut(), null_mut());
    // SAFETY: live handles, a module of that length, and room for the new objects.
    unsafe {
        let start = il.as_ptr().cast();
        let created = calls.urProgramCreateWithIL(host.context, start, il.len(), null(), &mut program);
        if created == UR_RESULT_ERROR_COMPILER_NOT_AVAILABLE {
            return;
        }
        ok(created);
        ok(calls.urProgramBuild(host.context, program, null()));
        ok(calls.urKernelCreate(program, c"local_sum".as_ptr(), &mut kernel));
    }
    let sizes = || {
        [UR_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE, UR_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE].map(|name| {
            let mut bytes = usize::MAX;
            let room = (&raw mut bytes).cast();
            // SAFETY: live handles, and room for a number.
            ok(unsafe { calls.urKernelGetGroupInfo(kernel, host.device, name, 8, room, null_mut()) });
            bytes
        })
    };
    let [local_before, private_before] = sizes();
    // SAFETY: live handles, and an argument of local memory.
    ok(unsafe { calls.urKernelSetArgLocal(kernel, 1, ADDED, null()) });
    let [local, private] = sizes();
    assert!(local >= ADDED && local > local_before, "{local_before} bytes, then {local}");
    assert_eq!(private, private_before);
    // SAFETY: live handles, released once.
    unsafe {
        ok(calls.urKernelRelease(kernel));
        ok(calls.urProgramRelease(program));
    }
}

/// Returns whether the driver is Intel's, which accepts SPIR-V.
fn is_intel(host: Host) -> bool {
    let (mut platform, mut name): (ur_platform_handle_t, _) = (null_mut(), [0_u8; 64]);
    // SAFETY: live handles, and room for a handle and a text.
    unsafe {
        let (room, size) = ((&raw mut platform).cast(), size_of::<ur_platform_handle_t>());
        ok(host.calls.urDeviceGetInfo(host.device, UR_DEVICE_INFO_PLATFORM, size, room, null_mut()));
        let (room, size) = (name.as_mut_ptr().cast(), name.len());
        ok(host.calls.urPlatformGetInfo(platform, UR_PLATFORM_INFO_NAME, size, room, null_mut()));
    }
    name.starts_with(b"Intel(R) OpenCL")
}

const GLOBAL: [usize; 3] = [64, 6, 1];

/// Queries a kernel's work-group size.
///
/// # Safety
/// The program must be built.
unsafe fn suggestion(
    host: Host,
    program: ur_program_handle_t,
    name: &CStr,
    local: &mut [usize; 3],
) -> ur_result_t {
    let (mut kernel, offset) = (null_mut(), [0_usize; 3]);
    // SAFETY: live handles, room for the kernel, and three numbers each.
    unsafe {
        ok(host.calls.urKernelCreate(program, name.as_ptr(), &mut kernel));
        let (start, size, room) = (offset.as_ptr(), GLOBAL.as_ptr(), local.as_mut_ptr());
        let code = host.calls.urKernelGetSuggestedLocalWorkSize(kernel, host.queue, 3, start, size, room);
        ok(host.calls.urKernelRelease(kernel));
        code
    }
}
