//! Tests of recorded launches that are changed, which PI lacks.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_ur_host::{Host, ok, structures};

use super::Case;
use super::unified_runtime::host;
use crate::fixture::BASIC;

pub(crate) const CASES: &[Case] = &[
    ("ur_a_changed_launch_leaves_a_kernel_the_arguments_of_its_own", own_arguments),
    ("ur_a_changed_launch_has_all_arguments_of_its_kernel", all_arguments),
];

const COUNT: usize = 16;

/// A recorded launch of `add_value`, which adds a number to each number of a memory.
struct Recorded {
    host: Host,
    program: ur_program_handle_t,
    kernel: ur_kernel_handle_t,
    commands: ur_exp_command_buffer_handle_t,
    command: ur_exp_command_buffer_command_handle_t,
}

impl Recorded {
    fn new(host: Host, memory: *mut c_void, number: i32) -> Self {
        let (calls, mut program) = (host.calls, null_mut());
        let (mut kernel, mut commands, mut command) = (null_mut(), null_mut(), null_mut());
        let desc = structures::UPDATABLE;
        let (start, offset, global) = (BASIC.as_ptr().cast(), 0, COUNT);
        // SAFETY: live handles, a module of that length, and room for the new objects.
        unsafe {
            ok(calls.urProgramCreateWithIL(host.context, start, BASIC.len(), null(), &mut program));
            ok(calls.urProgramBuild(host.context, program, null()));
            ok(calls.urKernelCreate(program, c"add_value".as_ptr(), &mut kernel));
            set(host, kernel, memory, number);
            ok(calls.urCommandBufferCreateExp(host.context, host.device, &desc, &mut commands));
            ok(calls.urCommandBufferAppendKernelLaunchExp(
                commands,
                kernel,
                1,
                &offset,
                &global,
                null(),
                0,
                null_mut(),
                0,
                null(),
                0,
                null(),
                null_mut(),
                null_mut(),
                &mut command,
            ));
            ok(calls.urCommandBufferFinalizeExp(commands));
        }
        Self { host, program, kernel, commands, command }
    }

    /// Changes the number that the launch adds, and perhaps its kernel.
    fn change(&self, kernel: ur_kernel_handle_t, number: i32) -> ur_result_t {
        let value = ur_exp_command_buffer_update_value_arg_desc_t {
            stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_VALUE_ARG_DESC,
            pNext: null(),
            argIndex: 1,
            argSize: 4,
            pProperties: null(),
            pNewValueArg: (&raw const number).cast(),
        };
        let desc = ur_exp_command_buffer_update_kernel_launch_desc_t {
            hCommand: self.command,
            hNewKernel: kernel,
            numNewValueArgs: 1,
            pNewValueArgList: &value,
            ..structures::UPDATE
        };
        // SAFETY: live handles, and descriptions that outlive the call.
        unsafe { self.host.calls.urCommandBufferUpdateKernelLaunchExp(self.commands, 1, &desc) }
    }

    fn run(&self) {
        let (calls, queue) = (self.host.calls, self.host.queue);
        // SAFETY: live handles.
        unsafe {
            ok(calls.urEnqueueCommandBufferExp(queue, self.commands, 0, null(), null_mut()));
            ok(calls.urQueueFinish(queue));
        }
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        let calls = self.host.calls;
        // SAFETY: live handles, each released once.
        unsafe {
            calls.urCommandBufferReleaseExp(self.commands);
            calls.urKernelRelease(self.kernel);
            calls.urProgramRelease(self.program);
        }
    }
}

fn set(host: Host, kernel: ur_kernel_handle_t, memory: *mut c_void, number: i32) {
    // SAFETY: live handles, and a value of that size.
    unsafe {
        ok(host.calls.urKernelSetArgPointer(kernel, 0, null(), memory));
        ok(host.calls.urKernelSetArgValue(kernel, 1, 4, null(), (&raw const number).cast()));
    }
}

fn own_arguments() {
    let host = host();
    let (calls, recorded_on, own) = (host.calls, host.memory(0, COUNT), host.memory(0, COUNT));
    let recorded = Recorded::new(host, recorded_on, 3);
    set(host, recorded.kernel, own, 100);
    assert_eq!(recorded.change(null_mut(), 5), UR_RESULT_SUCCESS);
    recorded.run();
    let (offset, global, queue) = (0, COUNT, host.queue);
    // SAFETY: live handles.
    unsafe {
        ok(calls.urEnqueueKernelLaunch(
            queue,
            recorded.kernel,
            1,
            &offset,
            &global,
            null(),
            null(),
            0,
            null(),
            null_mut(),
        ));
        ok(calls.urQueueFinish(queue));
    }
    assert_eq!(host.numbers(recorded_on, COUNT), [5; COUNT]);
    assert_eq!(host.numbers(own, COUNT), [100; COUNT]);
    drop(recorded);
    for memory in [recorded_on, own] {
        // SAFETY: memory that nothing uses any more.
        ok(unsafe { calls.urUSMFree(host.context, memory) });
    }
}

/// The new kernel's first argument was never set.
fn all_arguments() {
    let host = host();
    let memory = host.memory(0, COUNT);
    let recorded = Recorded::new(host, memory, 3);
    let mut other = null_mut();
    // SAFETY: a live program, and room for the kernel.
    ok(unsafe { host.calls.urKernelCreate(recorded.program, c"mul_value".as_ptr(), &mut other) });
    assert_eq!(recorded.change(other, 2), UR_RESULT_ERROR_INVALID_KERNEL_ARGS);
    recorded.run();
    assert_eq!(host.numbers(memory, COUNT), [3; COUNT], "the launch is as it was");
    drop(recorded);
    // SAFETY: live objects, each released once.
    unsafe {
        ok(host.calls.urKernelRelease(other));
        ok(host.calls.urUSMFree(host.context, memory));
    }
}
