//! Tests of timestamps of Unified Runtime in an out-of-order queue: after their wait list, or after everything
//! before them.

use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_ur_host::{Host, ok};

use super::bindless::file_descriptor;
use super::{Case, unified_runtime};
use crate::software::{calls, inject};

pub(crate) const CASES: &[Case] = &[
    ("ur_timestamps_are_behind_their_waits_or_behind_everything", out_of_order),
    ("ur_a_timestamp_that_cannot_be_recorded_is_an_error", not_recorded),
];

fn is_complete(host: Host, event: ur_event_handle_t) -> bool {
    let (mut status, name) = (u32::MAX, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS);
    // SAFETY: a live event, and room for its status.
    ok(unsafe { host.calls.urEventGetInfo(event, name, 4, (&raw mut status).cast(), null_mut()) });
    status == UR_EVENT_STATUS_COMPLETE
}

fn out_of_order() {
    let host = unified_runtime::newest();
    let (ur, context, device) = (host.calls, host.context, host.device);
    let properties = ur_queue_properties_t {
        stype: UR_STRUCTURE_TYPE_QUEUE_PROPERTIES,
        pNext: null_mut(),
        flags: UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE,
    };
    let (mut queue, mut semaphore, mut fd) = (null_mut(), null_mut(), file_descriptor(&[]));
    let mut desc = ur_exp_external_semaphore_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_EXTERNAL_SEMAPHORE_DESC,
        pNext: (&raw mut fd).cast(),
    };
    let [mut done, mut held, mut behind_done, mut behind_all, mut plain] = [null_mut(); 5];
    // SAFETY: live handles, and room for what is made.
    unsafe {
        ok(ur.urQueueCreate(context, device, &properties, &mut queue));
        let kind = UR_EXP_EXTERNAL_SEMAPHORE_TYPE_OPAQUE_FD;
        ok(ur.urBindlessImagesImportExternalSemaphoreExp(context, device, kind, &mut desc, &mut semaphore));
        ok(ur.urEnqueueEventsWait(queue, 0, null(), &mut done));
        ok(ur.urEventWait(1, &done));
        // Blocks one stream.
        ok(ur.urBindlessImagesWaitExternalSemaphoreExp(queue, semaphore, 0, 0, 0, null(), &mut held));
        ok(ur.urEnqueueTimestampRecordingExp(queue, 1, 1, &done, &mut behind_done));
        assert!(is_complete(host, behind_done), "it waits for what is complete alone");
        inject("");
        ok(ur.urEnqueueTimestampRecordingExp(queue, 0, 0, null(), &mut behind_all));
        assert_eq!(calls("cuStreamWaitEvent"), 1, "for the one stream with work");
        assert!(!is_complete(host, behind_all), "the other stream is held up");
        ok(ur.urBindlessImagesSignalExternalSemaphoreExp(host.queue, semaphore, 0, 0, 0, null(), &mut plain));
        let all = [held, behind_all, plain];
        ok(ur.urEventWait(3, all.as_ptr()));
        for event in [done, behind_done].into_iter().chain(all) {
            ok(ur.urEventRelease(event));
        }
        ok(ur.urBindlessImagesReleaseExternalSemaphoreExp(context, device, semaphore));
        ok(ur.urQueueRelease(queue));
    }
}

fn not_recorded() {
    let host = unified_runtime::newest();
    let (mut first, mut none) = (null_mut(), null_mut());
    // SAFETY: a live queue, and room for the events.
    unsafe {
        // The first one reads the device's clock.
        ok(host.calls.urEnqueueTimestampRecordingExp(host.queue, 1, 0, null(), &mut first));
        ok(host.calls.urEventRelease(first));
        inject("cuEventRecord:2:2");
        let told = host.calls.urEnqueueTimestampRecordingExp(host.queue, 0, 0, null(), &mut none);
        assert_eq!((told, calls("cuEventRecord")), (UR_RESULT_ERROR_OUT_OF_RESOURCES, 2));
        inject("");
    }
    assert!(none.is_null());
}
