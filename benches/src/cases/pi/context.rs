//! Contexts.

use std::ptr::null_mut;

use opencl_sys::*;
use sycl_pi_core::*;

use super::{Bench, case, nothing, ok};

pub(super) fn add(bench: &mut Bench) {
    let context = bench.objects.context;
    case!(bench, "context retain + release",
        [piContextRetain piContextRelease] { ok(piContextRetain(context.cast())); ok(piContextRelease(context.cast())) },
        [clRetainContext clReleaseContext] { ok(clRetainContext(context)); ok(clReleaseContext(context)) });
    case!(bench, "context info (devices)",
        [piContextGetInfo] { let mut d = 0_usize; ok(piContextGetInfo(context.cast(), PI_CONTEXT_INFO_DEVICES, 8, (&raw mut d).cast(), null_mut())) },
        [clGetContextInfo] { let mut d = 0_usize; ok(clGetContextInfo(context, CL_CONTEXT_DEVICES, 8, (&raw mut d).cast(), null_mut())) });
    case!(bench, "context native handle",
        [piextContextGetNativeHandle] { let mut h = 0; ok(piextContextGetNativeHandle(context.cast(), &mut h)) },
        [] { let mut h = 0; ok(nothing(context, &mut h)) });
}
