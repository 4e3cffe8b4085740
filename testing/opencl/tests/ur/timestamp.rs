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
