//! Kernels.

use std::ptr::null_mut;

use crate::host::{newest, ok};

#[test]
fn a_kernel_that_was_compiled_for_a_size_is_suggested_that_size() {
    let host = newest();
    let il = testing_opencl::kernels::BASIC;
    let (mut program, mut fixed, mut any) = (null_mut(), null_mut(), null_mut());
    let (offset, global) = ([0_usize; 3], [64_usize, 6, 1]);
    let (mut of_fixed, mut of_any) = ([0_usize; 3], [0_usize; 3]);
    // SAFETY: live handles, a module of that length, places for what is made, and three numbers each.
    unsafe {
        let calls = host.calls;
        ok(calls.urProgramCreateWithIL(
            host.context,
            il.as_ptr().cast(),
            il.len(),
            std::ptr::null(),
            &mut program,
        ));
        ok(calls.urProgramBuild(host.context, program, std::ptr::null()));
        for (name, kernel, local) in
            [(c"fixed_size", &mut fixed, &mut of_fixed), (c"nothing", &mut any, &mut of_any)]
        {
            ok(calls.urKernelCreate(program, name.as_ptr(), kernel));
            let (start, size, room) = (offset.as_ptr(), global.as_ptr(), local.as_mut_ptr());
            ok(calls.urKernelGetSuggestedLocalWorkSize(*kernel, host.queue, 3, start, size, room));
            ok(calls.urKernelRelease(*kernel));
        }
        ok(calls.urProgramRelease(program));
    }
    assert_eq!(of_fixed, [4, 2, 1]);
    assert!(global.iter().zip(of_any).all(|(global, local)| local != 0 && global % local == 0), "{of_any:?}");
}
