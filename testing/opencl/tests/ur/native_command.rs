//! Tests of commands on the host: native commands, host tasks, timestamps.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;

use crate::host::{newest, ok};

/// The arguments of a native command's call.
struct Seen {
    queue: ur_queue_handle_t,
    calls: u32,
}

/// # Safety
/// `data` must point to a [`Seen`] that nothing else uses during the call.
unsafe extern "C" fn native(queue: ur_queue_handle_t, data: *mut c_void) {
    // SAFETY: the data that the test passes.
    let seen = unsafe { &mut *data.cast::<Seen>() };
    *seen = Seen { queue, calls: seen.calls + 1 };
}

/// # Safety
/// `data` must point to a number that nothing else uses during the call.
unsafe extern "C" fn add_one(data: *mut c_void) {
    // SAFETY: the number that the test passes.
    unsafe { *data.cast::<u32>() += 1 };
}

#[test]
fn a_native_command_is_called_once_with_the_queue_before_the_call_returns() {
    let host = newest();
    assert!(host.has(UR_DEVICE_INFO_ENQUEUE_NATIVE_COMMAND_SUPPORT_EXP));
    let mut seen = Seen { queue: null_mut(), calls: 0 };
    let mut event = null_mut();
    // SAFETY: live handles, and data that outlives the commands.
    unsafe {
        let data = (&raw mut seen).cast();
        ok(host.calls.urEnqueueNativeCommandExp(
            host.queue,
            Some(native),
            data,
            0,
            null(),
            null(),
            0,
            null(),
            &mut event,
        ));
        ok(host.calls.urEventWait(1, &event));
    }
    assert_eq!((seen.queue, seen.calls), (host.queue, 1));
}

/// Commands that the caller's function adds to the driver's queue come after the wait list, and so does the event.
#[test]
fn a_native_command_is_behind_its_wait_list() {
    const LARGE: usize = 64 << 20;
    let host = newest();
    let (calls, other) = (host.calls, host.queue_with(0));
    let memory = host.memory(0, LARGE / 4);
    let mut seen = Seen { queue: null_mut(), calls: 0 };
    let (mut filled, mut event) = (null_mut(), null_mut());
    // SAFETY: live handles, memory of this size, and data that outlives the command.
    unsafe {
        // Each takes a while.
        for value in 0..4_u8 {
            let (pattern, out) =
                ((&raw const value).cast(), if value == 3 { &raw mut filled } else { null_mut() });
            ok(calls.urEnqueueUSMFill(other, memory, 1, pattern, LARGE, 0, null(), out));
        }
        let (data, function) = ((&raw mut seen).cast(), Some(native as _));
        ok(calls.urEnqueueNativeCommandExp(
            host.queue,
            function,
            data,
            0,
            null(),
            null(),
            1,
            &filled,
            &mut event,
        ));
        ok(calls.urEventWait(1, &event));
        let (mut status, query) = (u32::MAX, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS);
        let room = (&raw mut status).cast();
        ok(calls.urEventGetInfo(filled, query, size_of_val(&status), room, null_mut()));
        assert_eq!(status, UR_EVENT_STATUS_COMPLETE, "the last fill, when the command's event is complete");
        ok(calls.urUSMFree(host.context, memory));
    }
    assert_eq!(seen.calls, 1);
}

#[test]
fn a_native_command_for_other_objects_than_memory_is_not_called() {
    let host = newest();
    let mut seen = Seen { queue: null_mut(), calls: 0 };
    let data = (&raw mut seen).cast();
    let run = |memory: [ur_mem_handle_t; 2]| {
        let (function, list) = (Some(native as _), memory.as_ptr());
        // SAFETY: live handles, some of another kind, and data that outlives the command.
        unsafe {
            host.calls.urEnqueueNativeCommandExp(
                host.queue,
                function,
                data,
                2,
                list,
                null(),
                0,
                null(),
                null_mut(),
            )
        }
    };
    let buffer = host.buffer(1);
    assert_eq!(run([buffer, host.queue.cast()]), UR_RESULT_ERROR_INVALID_MEM_OBJECT);
    assert_eq!(seen.calls, 0);
    ok(run([buffer, buffer]));
    assert_eq!(seen.calls, 1);
}

#[test]
fn a_host_task_runs_once() {
    let host = newest();
    assert!(host.has(UR_DEVICE_INFO_ENQUEUE_HOST_TASK_SUPPORT_EXP));
    let mut count = 0_u32;
    let mut event = null_mut();
    // SAFETY: live handles, and data that outlives the task.
    unsafe {
        let data = (&raw mut count).cast();
        let task = Some(add_one as unsafe extern "C" fn(*mut c_void));
        ok(host.calls.urEnqueueHostTaskExp(host.queue, task, data, null(), 0, null(), &mut event));
        ok(host.calls.urEventWait(1, &event));
    }
    assert_eq!(count, 1);
}

#[test]
fn a_timestamp_has_times_in_a_queue_with_profiling_and_is_unsupported_elsewhere() {
    let host = newest();
    let queue = host.queue_with(UR_QUEUE_FLAG_PROFILING_ENABLE);
    let (mut event, mut time) = (null_mut(), 0_u64);
    // SAFETY: live handles, and room for the time.
    unsafe {
        let calls = host.calls;
        let code = calls.urEnqueueTimestampRecordingExp(host.queue, 1, 0, null(), &mut event);
        assert_eq!(code, UR_RESULT_ERROR_UNSUPPORTED_FEATURE);
        ok(calls.urEnqueueTimestampRecordingExp(queue, 1, 0, null(), &mut event));
        let room = (&raw mut time).cast();
        ok(calls.urEventGetProfilingInfo(event, UR_PROFILING_INFO_COMMAND_END, 8, room, null_mut()));
    }
    assert_ne!(time, 0);
}
