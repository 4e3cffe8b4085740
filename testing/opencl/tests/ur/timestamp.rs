//! Timestamps.

use std::ptr::{null, null_mut};

use sycl_ur_core::*;

use crate::host::{newest, ok};

#[test]
fn a_blocking_timestamp_is_behind_the_commands_before_it() {
    const LARGE: usize = 64 << 20;
    let host = newest();
    let calls = host.calls;
    let flags = UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | UR_QUEUE_FLAG_PROFILING_ENABLE;
    let (queue, mut memory) = (host.queue_with(flags), null_mut());
    let (mut filled, mut stamped) = (null_mut(), null_mut());
    // SAFETY: live handles, memory of this size, and room for the results.
    unsafe {
        ok(calls.urUSMHostAlloc(host.context, null(), null_mut(), LARGE, &mut memory));
        let pattern = [7_u8];
        let pattern = pattern.as_ptr().cast();
        ok(calls.urEnqueueUSMFill(queue, memory, 1, pattern, LARGE, 0, null(), &mut filled));
        ok(calls.urEnqueueTimestampRecordingExp(queue, 1, 1, &filled, &mut stamped));
        let (mut status, query) = (u32::MAX, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS);
        let room = (&raw mut status).cast();
        ok(calls.urEventGetInfo(filled, query, size_of_val(&status), room, null_mut()));
        assert_eq!(status, UR_EVENT_STATUS_COMPLETE);
        ok(calls.urEventRelease(filled));
        ok(calls.urEventRelease(stamped));
        ok(calls.urUSMFree(host.context, memory));
        ok(calls.urQueueRelease(queue));
    }
}

/// No command here starts others that it would be behind.
#[test]
fn a_command_is_complete_when_it_ends() {
    const LARGE: usize = 16 << 20;
    let host = newest();
    let (calls, queue) = (host.calls, host.queue_with(UR_QUEUE_FLAG_PROFILING_ENABLE));
    let (memory, pattern, mut event) = (host.memory(0, LARGE / 4), [7_u8], null_mut());
    // SAFETY: live handles, and memory of this size.
    unsafe {
        let pattern = pattern.as_ptr().cast();
        ok(calls.urEnqueueUSMFill(queue, memory, 1, pattern, LARGE, 0, null(), &mut event));
        ok(calls.urEventWait(1, &event));
    }
    let [queued, submitted, start, end, complete] = [
        UR_PROFILING_INFO_COMMAND_QUEUED,
        UR_PROFILING_INFO_COMMAND_SUBMIT,
        UR_PROFILING_INFO_COMMAND_START,
        UR_PROFILING_INFO_COMMAND_END,
        UR_PROFILING_INFO_COMMAND_COMPLETE,
    ]
    .map(|name| {
        let mut time = 0_u64;
        let room = (&raw mut time).cast();
        // SAFETY: a live event, and room for the time.
        ok(unsafe { calls.urEventGetProfilingInfo(event, name, 8, room, null_mut()) });
        time
    });
    assert!(queued <= submitted && submitted <= start && start < end, "{queued} {submitted} {start} {end}");
    assert_eq!(complete, end);
    // SAFETY: live handles, released once.
    unsafe {
        ok(calls.urEventRelease(event));
        ok(calls.urUSMFree(host.context, memory));
        ok(calls.urQueueRelease(queue));
    }
}
