//! Buffers.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use opencl_sys::*;
use sycl_pi_core::*;

use super::{Bench, case, nothing, ok};
use crate::objects::BYTES;

pub(super) fn add(bench: &mut Bench) {
    let objects = bench.objects;
    let (context, buffer) = (objects.context, objects.buffer);
    case!(bench, "buffer create + release",
    [piMemBufferCreate piMemRelease] {
        let mut m = null_mut(); ok(piMemBufferCreate(context.cast(), PI_MEM_FLAGS_ACCESS_RW, BYTES, null_mut(), &mut m, null())); ok(piMemRelease(m))
    },
    [clCreateBuffer clReleaseMemObject] {
        let mut code = 0; let m = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, null_mut(), &mut code); ok(code); ok(clReleaseMemObject(m))
    });
    case!(bench, "sub-buffer create + release",
    [piMemBufferPartition piMemRelease] {
        let (mut m, mut region) = (null_mut(), pi_buffer_region_struct { origin: 1024, size: 256 });
        ok(piMemBufferPartition(buffer.cast(), PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION, (&raw mut region).cast(), &mut m)); ok(piMemRelease(m))
    },
    [clCreateSubBuffer clReleaseMemObject] {
        let (mut code, region) = (0, [1024_usize, 256]);
        let m = clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, region.as_ptr().cast::<c_void>(), &mut code); ok(code); ok(clReleaseMemObject(m))
    });
    case!(bench, "buffer retain + release",
        [piMemRetain piMemRelease] { ok(piMemRetain(buffer.cast())); ok(piMemRelease(buffer.cast())) },
        [clRetainMemObject clReleaseMemObject] { ok(clRetainMemObject(buffer)); ok(clReleaseMemObject(buffer)) });
    case!(bench, "buffer info (size)",
        [piMemGetInfo] { let mut v = 0_usize; ok(piMemGetInfo(buffer.cast(), PI_MEM_SIZE, 8, (&raw mut v).cast(), null_mut())) },
        [clGetMemObjectInfo] { let mut v = 0_usize; ok(clGetMemObjectInfo(buffer, CL_MEM_SIZE, 8, (&raw mut v).cast(), null_mut())) });
    case!(bench, "buffer native handle",
        [piextMemGetNativeHandle] { let mut h = 0; ok(piextMemGetNativeHandle(buffer.cast(), null_mut(), &mut h)) },
        [] { let mut h = 0; ok(nothing(buffer, &mut h)) });
    case!(bench, "buffer native handle (until 14.39)",
        [piextMemGetNativeHandle_until_14_39] { let mut h = 0; ok(piextMemGetNativeHandle_until_14_39(buffer.cast(), &mut h)) },
        [] { let mut h = 0; ok(nothing(buffer, &mut h)) });
}
