//! Devices and contexts.

use std::ptr::null_mut;

use opencl_sys::*;
use sycl_ur_core::*;

use super::{Bench, case, nothing, ok};

pub(super) fn add(bench: &mut Bench) {
    let (device, context) = (bench.objects.device, bench.objects.context);
    case!(bench, h; "device info (type)",
        [urDeviceGetInfo] { let mut v = 0_u32; ok(urDeviceGetInfo(h.device, UR_DEVICE_INFO_TYPE, 4, (&raw mut v).cast(), null_mut())) },
        [clGetDeviceInfo] { let mut v = 0_u64; ok(clGetDeviceInfo(device, CL_DEVICE_TYPE, 8, (&raw mut v).cast(), null_mut())) });
    case!(bench, h; "device info (name)",
        [urDeviceGetInfo] { let mut t = [0_u8; 256]; ok(urDeviceGetInfo(h.device, UR_DEVICE_INFO_NAME, 256, t.as_mut_ptr().cast(), null_mut())) },
        [clGetDeviceInfo] { let mut t = [0_u8; 256]; ok(clGetDeviceInfo(device, CL_DEVICE_NAME, 256, t.as_mut_ptr().cast(), null_mut())) });
    case!(bench, h; "device info (size of the name)",
        [urDeviceGetInfo] { let mut size = 0; ok(urDeviceGetInfo(h.device, UR_DEVICE_INFO_NAME, 0, null_mut(), &mut size)) },
        [clGetDeviceInfo] { let mut size = 0; ok(clGetDeviceInfo(device, CL_DEVICE_NAME, 0, null_mut(), &mut size)) });
    case!(bench, h; "device info (maximal work-group size)",
        [urDeviceGetInfo] { let mut v = 0_usize; ok(urDeviceGetInfo(h.device, UR_DEVICE_INFO_MAX_WORK_GROUP_SIZE, 8, (&raw mut v).cast(), null_mut())) },
        [clGetDeviceInfo] { let mut v = 0_usize; ok(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, 8, (&raw mut v).cast(), null_mut())) });
    case!(bench, h; "device native handle",
        [urDeviceGetNativeHandle] { let mut n = 0; ok(urDeviceGetNativeHandle(h.device, &mut n)) },
        [] { let mut n = 0; ok(nothing(device, &mut n)) });
    case!(bench, h; "context retain + release",
        [urContextRetain urContextRelease] { ok(urContextRetain(h.context)); ok(urContextRelease(h.context)) },
        [clRetainContext clReleaseContext] { ok(clRetainContext(context)); ok(clReleaseContext(context)) });
    case!(bench, h; "context info (devices)",
        [urContextGetInfo] { let mut d = 0_usize; ok(urContextGetInfo(h.context, UR_CONTEXT_INFO_DEVICES, 8, (&raw mut d).cast(), null_mut())) },
        [clGetContextInfo] { let mut d = 0_usize; ok(clGetContextInfo(context, CL_CONTEXT_DEVICES, 8, (&raw mut d).cast(), null_mut())) });
    case!(bench, h; "context native handle",
        [urContextGetNativeHandle] { let mut n = 0; ok(urContextGetNativeHandle(h.context, &mut n)) },
        [] { let mut n = 0; ok(nothing(context, &mut n)) });
}
