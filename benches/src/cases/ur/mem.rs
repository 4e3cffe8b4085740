//! Buffers.

use std::ptr::{null, null_mut};

use opencl_sys::*;
use sycl_ur_core::*;

use super::{Bench, case, ok};
use crate::objects::BYTES;

pub(super) fn add(bench: &mut Bench) {
    let (context, buffer) = (bench.objects.context, bench.objects.buffer);
    case!(bench, h; "buffer create + release",
    [urMemBufferCreate urMemRelease] { let mut m = null_mut(); ok(urMemBufferCreate(h.context, UR_MEM_FLAG_READ_WRITE, BYTES, null(), &mut m)); ok(urMemRelease(m)) },
    [clCreateBuffer clReleaseMemObject] {
        let mut code = 0;
        let m = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, null_mut(), &mut code); ok(code); ok(clReleaseMemObject(m))
    });
    case!(bench, h; "buffer retain + release",
        [urMemRetain urMemRelease] { ok(urMemRetain(h.buffer)); ok(urMemRelease(h.buffer)) },
        [clRetainMemObject clReleaseMemObject] { ok(clRetainMemObject(buffer)); ok(clReleaseMemObject(buffer)) });
    case!(bench, h; "buffer info (size)",
        [urMemGetInfo] { let mut v = 0_usize; ok(urMemGetInfo(h.buffer, UR_MEM_INFO_SIZE, 8, (&raw mut v).cast(), null_mut())) },
        [clGetMemObjectInfo] { let mut v = 0_usize; ok(clGetMemObjectInfo(buffer, CL_MEM_SIZE, 8, (&raw mut v).cast(), null_mut())) });
}
