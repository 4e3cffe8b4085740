//! Queues.

use std::ptr::{null, null_mut};

use opencl_sys::*;
use sycl_ur_core::*;

use super::{Bench, case, nothing, ok};

pub(super) fn add(bench: &mut Bench) {
    let objects = bench.objects;
    let (context, device, queue) = (objects.context, objects.device, objects.queue);
    case!(bench, h; "queue create + release",
    [urQueueCreate urQueueRelease] { let mut q = null_mut(); ok(urQueueCreate(h.context, h.device, null(), &mut q)); ok(urQueueRelease(q)) },
    [clCreateCommandQueueWithProperties clReleaseCommandQueue] {
        let mut code = 0;
        let q = clCreateCommandQueueWithProperties(context, device, null(), &mut code); ok(code); ok(clReleaseCommandQueue(q))
    });
    case!(bench, h; "queue retain + release",
        [urQueueRetain urQueueRelease] { ok(urQueueRetain(h.queue)); ok(urQueueRelease(h.queue)) },
        [clRetainCommandQueue clReleaseCommandQueue] { ok(clRetainCommandQueue(queue)); ok(clReleaseCommandQueue(queue)) });
    case!(bench, h; "queue info (context)",
        [urQueueGetInfo] { let mut c = 0_usize; ok(urQueueGetInfo(h.queue, UR_QUEUE_INFO_CONTEXT, 8, (&raw mut c).cast(), null_mut())) },
        [clGetCommandQueueInfo] { let mut c = 0_usize; ok(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, 8, (&raw mut c).cast(), null_mut())) });
    case!(bench, h; system "queue finish (idle)",
        [urQueueFinish] ok(urQueueFinish(h.queue)),
        [clFinish] ok(clFinish(queue)));
    case!(bench, h; "queue native handle",
        [urQueueGetNativeHandle] { let mut n = 0; ok(urQueueGetNativeHandle(h.queue, null_mut(), &mut n)) },
        [] { let mut n = 0; ok(nothing(queue, &mut n)) });
}
