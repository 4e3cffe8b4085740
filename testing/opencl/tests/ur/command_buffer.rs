//! Command buffers.

use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_ur_host::structures;

use crate::host::{Host, newest, ok, path, with_setters};

const COUNT: usize = 256;

/// Creates an empty command buffer.
fn create(host: Host, updatable: bool, in_order: bool) -> ur_exp_command_buffer_handle_t {
    let desc = ur_exp_command_buffer_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC,
        pNext: null(),
        isUpdatable: updatable.into(),
        isInOrder: in_order.into(),
        enableProfiling: 0,
    };
    let mut buffer = null_mut();
    // SAFETY: live handles, and room for the command buffer.
    ok(unsafe { host.calls.urCommandBufferCreateExp(host.context, host.device, &desc, &mut buffer) });
    buffer
}

/// Appends a fill of a buffer with a number, with addresses for its event and its handle.
fn append_fill(
    host: Host,
    commands: ur_exp_command_buffer_handle_t,
    buffer: ur_mem_handle_t,
    number: u32,
    (event, command): (*mut ur_event_handle_t, *mut ur_exp_command_buffer_command_handle_t),
) -> ur_result_t {
    let pattern = (&raw const number).cast();
    // SAFETY: live handles, addresses that are null or valid, and a pattern that is copied by the call.
    unsafe {
        host.calls.urCommandBufferAppendMemBufferFillExp(
            commands,
            buffer,
            pattern,
            4,
            0,
            COUNT * 4,
            0,
            null(),
            0,
            null(),
            null_mut(),
            event,
            command,
        )
    }
}

#[test]
fn in_order_commands_need_no_sync_points() {
    let host = newest();
    let queue = host.queue_with(UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let (calls, commands, buffer) = (host.calls, create(host, false, true), host.buffer(COUNT));
    for number in 1..=3 {
        ok(append_fill(host, commands, buffer, number, (null_mut(), null_mut())));
    }
    // SAFETY: live handles.
    unsafe {
        ok(calls.urCommandBufferFinalizeExp(commands));
        ok(calls.urEnqueueCommandBufferExp(queue, commands, 0, null(), null_mut()));
        ok(calls.urQueueFinish(queue));
    }
    assert_eq!(host.read(buffer, COUNT), [3; COUNT]);
}

/// The third of these has its place at the end of the second, which takes long to get there.
#[test]
fn each_command_in_order_follows_the_one_before() {
    const LARGE: usize = 4 << 20;
    let host = newest();
    let queue = host.queue_with(UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    let (calls, commands, buffer) = (host.calls, create(host, false, true), host.buffer(LARGE));
    let end = 4 * (LARGE - COUNT);
    for (number, offset, size) in [(1_u32, 0, 4 * COUNT), (2, 0, 4 * LARGE), (3, end, 4 * COUNT)] {
        let pattern = (&raw const number).cast();
        // SAFETY: live handles, and a pattern that is copied by the call.
        ok(unsafe {
            calls.urCommandBufferAppendMemBufferFillExp(
                commands,
                buffer,
                pattern,
                4,
                offset,
                size,
                0,
                null(),
                0,
                null(),
                null_mut(),
                null_mut(),
                null_mut(),
            )
        });
    }
    // SAFETY: live handles.
    unsafe {
        ok(calls.urCommandBufferFinalizeExp(commands));
        ok(calls.urEnqueueCommandBufferExp(queue, commands, 0, null(), null_mut()));
        ok(calls.urQueueFinish(queue));
    }
    let found = host.read(buffer, LARGE);
    assert_eq!(found[..COUNT], [2; COUNT]);
    assert_eq!(found[LARGE - COUNT..], [3; COUNT]);
}

#[test]
fn the_descriptor_tells_what_the_command_buffer_was_created_with() {
    let host = newest();
    let commands = create(host, false, true);
    let mut desc = ur_exp_command_buffer_desc_t {
        stype: 0,
        pNext: null(),
        isUpdatable: 7,
        isInOrder: 7,
        enableProfiling: 7,
    };
    // SAFETY: a live handle, and room for the descriptor.
    ok(unsafe {
        host.calls.urCommandBufferGetInfoExp(
            commands,
            UR_EXP_COMMAND_BUFFER_INFO_DESCRIPTOR,
            size_of_val(&desc),
            (&raw mut desc).cast(),
            null_mut(),
        )
    });
    assert_eq!(desc.stype, UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC);
    assert_eq!((desc.isUpdatable, desc.isInOrder, desc.enableProfiling), (0, 1, 0));
}

#[test]
fn events_inside_a_command_buffer_are_unsupported() {
    let host = newest();
    let (commands, buffer) = (create(host, false, false), host.buffer(COUNT));
    let mut event = null_mut();
    let code = append_fill(host, commands, buffer, 0, (&mut event, null_mut()));
    assert_eq!(code, UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
}

#[test]
fn a_command_of_an_updatable_command_buffer_has_a_handle_until_the_buffer_goes() {
    let host = newest();
    let mut capabilities = 0_u32;
    // SAFETY: room for the flags.
    ok(unsafe {
        let query = UR_DEVICE_INFO_COMMAND_BUFFER_UPDATE_CAPABILITIES_EXP;
        host.calls.urDeviceGetInfo(host.device, query, 4, (&raw mut capabilities).cast(), null_mut())
    });
    // Arguments, sizes, offset and kernel can be changed. There are no events to be changed.
    let all = 2 * UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_EVENTS - 1;
    assert_eq!(capabilities, all & !UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_EVENTS);
    let (commands, buffer) = (create(host, true, false), host.buffer(COUNT));
    let (calls, mut command) = (host.calls, null_mut());
    ok(append_fill(host, commands, buffer, 0, (null_mut(), &mut command)));
    assert!(!command.is_null());
    // SAFETY: live handles, and a description that outlives the call.
    unsafe {
        ok(calls.urCommandBufferFinalizeExp(commands));
        let change =
            ur_exp_command_buffer_update_kernel_launch_desc_t { hCommand: command, ..structures::UPDATE };
        // A fill is not a launch.
        let invalid = UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_EXP;
        assert_eq!(calls.urCommandBufferUpdateKernelLaunchExp(commands, 1, &change), invalid);
        ok(calls.urCommandBufferReleaseExp(commands));
        let other = create(host, true, false);
        assert_eq!(calls.urCommandBufferUpdateKernelLaunchExp(other, 1, &change), invalid);
    }
}

#[test]
fn until_2025_1_a_caller_has_a_reference_to_a_command() {
    // SAFETY: the test names the file, and trusts it.
    let host = unsafe { Host::open(&path(), Layout::V2025_1) };
    let (commands, buffer) = (create(host, true, false), host.buffer(COUNT));
    let (calls, mut command, mut count) = (host.calls, null_mut(), 0_u32);
    ok(append_fill(host, commands, buffer, 0, (null_mut(), &mut command)));
    let query = UR_EXP_COMMAND_BUFFER_COMMAND_INFO_REFERENCE_COUNT;
    let room = (&raw mut count).cast();
    // SAFETY: live handles, and room for the count. Nothing uses the command after its last release.
    unsafe {
        ok(calls.urCommandBufferCommandGetInfoExp(command, query, 4, room, null_mut()));
        assert_eq!(count, 1);
        ok(calls.urCommandBufferReleaseExp(commands));
        ok(calls.urCommandBufferRetainCommandExp(command));
        ok(calls.urCommandBufferReleaseCommandExp(command));
        ok(calls.urCommandBufferReleaseCommandExp(command));
        let gone = UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_EXP;
        assert_eq!(calls.urCommandBufferReleaseCommandExp(command), gone);
    }
}

/// Returns the kernel `nothing` of a program in a context, or `None` if the driver takes no SPIR-V.
fn nothing(host: Host, context: ur_context_handle_t) -> Option<ur_kernel_handle_t> {
    let (calls, il) = (host.calls, testing_opencl::kernels::BASIC);
    let (mut program, mut kernel) = (null_mut(), null_mut());
    // SAFETY: live handles, a module of that length, and room for the new objects.
    unsafe {
        let start = il.as_ptr().cast();
        let created = calls.urProgramCreateWithIL(context, start, il.len(), null(), &mut program);
        if created == UR_RESULT_ERROR_COMPILER_NOT_AVAILABLE {
            return None;
        }
        ok(created);
        ok(calls.urProgramBuild(context, program, null()));
        ok(calls.urKernelCreate(program, c"nothing".as_ptr(), &mut kernel));
    }
    Some(kernel)
}

#[test]
fn a_recorded_launch_takes_no_kernel_of_another_context() {
    let host = with_setters();
    let (calls, commands, other) = (host.calls, create(host, true, false), host.another_context());
    let (Some(kernel), Some(foreign)) = (nothing(host, host.context), nothing(host, other)) else { return };
    let (offset, global, mut command) = (0, 1, null_mut());
    // SAFETY: live handles, and numbers that outlive the call.
    unsafe {
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
    let change = |kernel| {
        let desc = ur_exp_command_buffer_update_kernel_launch_desc_t {
            hCommand: command,
            hNewKernel: kernel,
            ..structures::UPDATE
        };
        // SAFETY: live handles, and a description that outlives the call.
        unsafe { calls.urCommandBufferUpdateKernelLaunchExp(commands, 1, &desc) }
    };
    assert_eq!(change(foreign), UR_RESULT_ERROR_INVALID_CONTEXT);
    assert_eq!(change(kernel), UR_RESULT_SUCCESS);
    // SAFETY: a live command buffer, released once.
    ok(unsafe { calls.urCommandBufferReleaseExp(commands) });
}

#[test]
fn a_recorded_launch_has_other_kernels_as_its_alternatives() {
    let host = with_setters();
    let (calls, commands) = (host.calls, create(host, true, false));
    let (Some(kernel), Some(other)) = (nothing(host, host.context), nothing(host, host.context)) else {
        return;
    };
    let (offset, global) = (0, 1);
    let append = |count: u32, list: *mut ur_kernel_handle_t| {
        let (no_local, no_points, no_events) = (null(), null(), null());
        let (point, event, command) = (null_mut(), null_mut(), null_mut());
        // SAFETY: live handles or null, and numbers that outlive the call.
        unsafe {
            calls.urCommandBufferAppendKernelLaunchExp(
                commands, kernel, 1, &offset, &global, no_local, count, list, 0, no_points, 0, no_events,
                point, event, command,
            )
        }
    };
    assert_eq!(append(2, [other, kernel].as_mut_ptr()), UR_RESULT_ERROR_INVALID_VALUE);
    assert_eq!(append(2, [other, null_mut()].as_mut_ptr()), UR_RESULT_ERROR_INVALID_NULL_HANDLE);
    assert_eq!(append(1, null_mut()), UR_RESULT_ERROR_INVALID_VALUE);
    assert_eq!(append(1, [other].as_mut_ptr()), UR_RESULT_SUCCESS);
    // SAFETY: a live command buffer, released once.
    ok(unsafe { calls.urCommandBufferReleaseExp(commands) });
}

#[test]
fn wrong_sync_points_are_refused_as_such() {
    let host = newest();
    let (calls, commands, buffer, number) =
        (host.calls, create(host, false, false), host.buffer(COUNT), 1_u32);
    let append = |count: u32, list: *const ur_exp_command_buffer_sync_point_t| {
        let (pattern, size) = ((&raw const number).cast(), COUNT * 4);
        let (point, event, command) = (null_mut(), null_mut(), null_mut());
        // SAFETY: live handles, and a pattern that is copied by the call.
        unsafe {
            calls.urCommandBufferAppendMemBufferFillExp(
                commands,
                buffer,
                pattern,
                4,
                0,
                size,
                count,
                list,
                0,
                null(),
                point,
                event,
                command,
            )
        }
    };
    let wrong = UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_SYNC_POINT_WAIT_LIST_EXP;
    assert_eq!([append(1, null()), append(1, [1].as_ptr())], [wrong; 2]);
    ok(append(0, null()));
    ok(append(1, [1].as_ptr()));
    assert_eq!(append(2, [1, 3].as_ptr()), wrong);
    // SAFETY: a live command buffer, released once.
    ok(unsafe { calls.urCommandBufferReleaseExp(commands) });
}
