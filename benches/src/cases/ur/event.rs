//! Events.

use std::ptr::null_mut;

use opencl_sys::*;
use sycl_ur_core::*;

use super::{Bench, case, nothing, ok};

pub(super) fn add(bench: &mut Bench) {
    let (event, timed) = (bench.objects.event, bench.objects.timed_event);
    case!(bench, h; "event retain + release",
        [urEventRetain urEventRelease] { ok(urEventRetain(h.event)); ok(urEventRelease(h.event)) },
        [clRetainEvent clReleaseEvent] { ok(clRetainEvent(event)); ok(clReleaseEvent(event)) });
    case!(bench, h; "event info (status)",
        [urEventGetInfo] { let mut s = 0_u32; ok(urEventGetInfo(h.event, UR_EVENT_INFO_COMMAND_EXECUTION_STATUS, 4, (&raw mut s).cast(), null_mut())) },
        [clGetEventInfo] { let mut s = 0_i32; ok(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 4, (&raw mut s).cast(), null_mut())) });
    case!(bench, h; "event profiling info (end)",
        [urEventGetProfilingInfo] { let mut t = 0_u64; ok(urEventGetProfilingInfo(h.timed_event, UR_PROFILING_INFO_COMMAND_END, 8, (&raw mut t).cast(), null_mut())) },
        [clGetEventProfilingInfo] { let mut t = 0_u64; ok(clGetEventProfilingInfo(timed, CL_PROFILING_COMMAND_END, 8, (&raw mut t).cast(), null_mut())) });
    case!(bench, h; "event wait (complete)",
        [urEventWait] { let list = [h.event]; ok(urEventWait(1, list.as_ptr())) },
        [clWaitForEvents] { let list = [event]; ok(clWaitForEvents(1, list.as_ptr())) });
    case!(bench, h; "event native handle",
        [urEventGetNativeHandle] { let mut n = 0; ok(urEventGetNativeHandle(h.event, &mut n)) },
        [] { let mut n = 0; ok(nothing(event, &mut n)) });
}
