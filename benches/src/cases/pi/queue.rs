//! Queues.

use std::ptr::null_mut;

use opencl_sys::*;
use sycl_pi_core::*;

use super::{Bench, case, nothing, ok};

pub(super) fn add(bench: &mut Bench) {
    let objects = bench.objects;
    let (context, device, queue) = (objects.context, objects.device, objects.queue);
    case!(bench, system "queue create + release",
    [piQueueCreate piQueueRelease] { let mut q = null_mut(); ok(piQueueCreate(context.cast(), device.cast(), 0, &mut q)); ok(piQueueRelease(q)) },
    [clCreateCommandQueueWithProperties clReleaseCommandQueue] {
        let (list, mut code) = ([u64::from(CL_QUEUE_PROPERTIES), 0, 0], 0);
        let q = clCreateCommandQueueWithProperties(context, device, list.as_ptr(), &mut code); ok(code); ok(clReleaseCommandQueue(q))
    });
    case!(bench, system "queue create (property list) + release",
    [piextQueueCreate piQueueRelease] {
        let (mut list, mut q) = ([PI_QUEUE_FLAGS, PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0], null_mut());
        ok(piextQueueCreate(context.cast(), device.cast(), list.as_mut_ptr(), &mut q)); ok(piQueueRelease(q))
    },
    [clCreateCommandQueueWithProperties clReleaseCommandQueue] {
        let (list, mut code) = ([u64::from(CL_QUEUE_PROPERTIES), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0], 0);
        let q = clCreateCommandQueueWithProperties(context, device, list.as_ptr(), &mut code); ok(code); ok(clReleaseCommandQueue(q))
    });
    case!(bench, "queue retain + release",
        [piQueueRetain piQueueRelease] { ok(piQueueRetain(queue.cast())); ok(piQueueRelease(queue.cast())) },
        [clRetainCommandQueue clReleaseCommandQueue] { ok(clRetainCommandQueue(queue)); ok(clReleaseCommandQueue(queue)) });
    case!(bench, "queue info (context)",
        [piQueueGetInfo] { let mut c = 0_usize; ok(piQueueGetInfo(queue.cast(), PI_QUEUE_INFO_CONTEXT, 8, (&raw mut c).cast(), null_mut())) },
        [clGetCommandQueueInfo] { let mut c = 0_usize; ok(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, 8, (&raw mut c).cast(), null_mut())) });
    case!(bench, "queue flush (idle)",
        [piQueueFlush] ok(piQueueFlush(queue.cast())),
        [clFlush] ok(clFlush(queue)));
    case!(bench, system "queue finish (idle)",
        [piQueueFinish] ok(piQueueFinish(queue.cast())),
        [clFinish] ok(clFinish(queue)));
    case!(bench, "queue native handle",
        [piextQueueGetNativeHandle] { let (mut h, mut kind) = (0, 0); ok(piextQueueGetNativeHandle(queue.cast(), &mut h, &mut kind)) },
        [] { let mut h = 0; ok(nothing(queue, &mut h)) });
    case!(bench, "queue native handle (until 12.27)",
        [piextQueueGetNativeHandle_until_12_27] { let mut h = 0; ok(piextQueueGetNativeHandle_until_12_27(queue.cast(), &mut h)) },
        [] { let mut h = 0; ok(nothing(queue, &mut h)) });
}
