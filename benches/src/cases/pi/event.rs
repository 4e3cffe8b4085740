//! Events.

use std::ptr::null_mut;

use opencl_sys::*;
use sycl_pi_core::*;

use super::{Bench, case, nothing, ok};

pub(super) fn add(bench: &mut Bench) {
    let objects = bench.objects;
    let (context, event, timed) = (objects.context, objects.event, objects.timed_event);
    case!(bench, "event create + release",
    [piEventCreate piEventRelease] { let mut e = null_mut(); ok(piEventCreate(context.cast(), &mut e)); ok(piEventRelease(e)) },
    [clCreateUserEvent clSetUserEventStatus clReleaseEvent] {
        let mut code = 0; let e = clCreateUserEvent(context, &mut code); ok(code); ok(clSetUserEventStatus(e, CL_COMPLETE)); ok(clReleaseEvent(e))
    });
    case!(bench, "event retain + release",
        [piEventRetain piEventRelease] { ok(piEventRetain(event.cast())); ok(piEventRelease(event.cast())) },
        [clRetainEvent clReleaseEvent] { ok(clRetainEvent(event)); ok(clReleaseEvent(event)) });
    case!(bench, "event info (status)",
        [piEventGetInfo] { let mut s = 0_i32; ok(piEventGetInfo(event.cast(), PI_EVENT_INFO_COMMAND_EXECUTION_STATUS, 4, (&raw mut s).cast(), null_mut())) },
        [clGetEventInfo] { let mut s = 0_i32; ok(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 4, (&raw mut s).cast(), null_mut())) });
    case!(bench, "event profiling info (end)",
        [piEventGetProfilingInfo] { let mut t = 0_u64; ok(piEventGetProfilingInfo(timed.cast(), PI_PROFILING_INFO_COMMAND_END, 8, (&raw mut t).cast(), null_mut())) },
        [clGetEventProfilingInfo] { let mut t = 0_u64; ok(clGetEventProfilingInfo(timed, CL_PROFILING_COMMAND_END, 8, (&raw mut t).cast(), null_mut())) });
    case!(bench, "events wait (complete)",
        [piEventsWait] { let list = [event.cast()]; ok(piEventsWait(1, list.as_ptr())) },
        [clWaitForEvents] { let list = [event]; ok(clWaitForEvents(1, list.as_ptr())) });
    case!(bench, "event native handle",
        [piextEventGetNativeHandle] { let mut h = 0; ok(piextEventGetNativeHandle(event.cast(), &mut h)) },
        [] { let mut h = 0; ok(nothing(event, &mut h)) });
}
