//! Unified shared memory.

use std::ptr::{null, null_mut};

use sycl_ur_core::*;

use super::{Bench, case, ok};
use crate::objects::BYTES;

const SMALL: usize = 64;
/// cl_intel_unified_shared_memory.
const CL_MEM_ALLOC_TYPE_INTEL: u32 = 0x419a;

pub(super) fn add(bench: &mut Bench) {
    let objects = bench.objects;
    let (context, device, queue, usm, other) =
        (objects.context, objects.device, objects.queue, objects.usm, objects.other_usm);
    case!(bench, h; "USM host alloc + free",
        [urUSMHostAlloc urUSMFree] { let mut p = null_mut(); ok(urUSMHostAlloc(h.context, null(), null_mut(), BYTES, &mut p)); ok(urUSMFree(h.context, p)) },
        [clHostMemAllocINTEL clMemBlockingFreeINTEL] { let mut code = 0; let p = clHostMemAllocINTEL(context, null(), BYTES, 0, &mut code); ok(code); ok(clMemBlockingFreeINTEL(context, p)) });
    case!(bench, h; "USM device alloc + free",
        [urUSMDeviceAlloc urUSMFree] { let mut p = null_mut(); ok(urUSMDeviceAlloc(h.context, h.device, null(), null_mut(), BYTES, &mut p)); ok(urUSMFree(h.context, p)) },
        [clDeviceMemAllocINTEL clMemBlockingFreeINTEL] { let mut code = 0; let p = clDeviceMemAllocINTEL(context, device, null(), BYTES, 0, &mut code); ok(code); ok(clMemBlockingFreeINTEL(context, p)) });
    case!(bench, h; "USM shared alloc + free",
        [urUSMSharedAlloc urUSMFree] { let mut p = null_mut(); ok(urUSMSharedAlloc(h.context, h.device, null(), null_mut(), BYTES, &mut p)); ok(urUSMFree(h.context, p)) },
        [clSharedMemAllocINTEL clMemBlockingFreeINTEL] { let mut code = 0; let p = clSharedMemAllocINTEL(context, device, null(), BYTES, 0, &mut code); ok(code); ok(clMemBlockingFreeINTEL(context, p)) });
    case!(bench, h; "USM alloc info (type)",
        [urUSMGetMemAllocInfo] { let mut v = 0_u32; ok(urUSMGetMemAllocInfo(h.context, usm, UR_USM_ALLOC_INFO_TYPE, 4, (&raw mut v).cast(), null_mut())) },
        [clGetMemAllocInfoINTEL] { let mut v = 0_u32; ok(clGetMemAllocInfoINTEL(context, usm, CL_MEM_ALLOC_TYPE_INTEL, 4, (&raw mut v).cast(), null_mut())) });
    case!(bench, h; system "USM memcpy (64 bytes, blocking)",
        [urEnqueueUSMMemcpy] ok(urEnqueueUSMMemcpy(h.queue, 1, usm, other, SMALL, 0, null(), null_mut())),
        [clEnqueueMemcpyINTEL] ok(clEnqueueMemcpyINTEL(queue, 1, usm, other, SMALL, 0, null(), null_mut())));
    case!(bench, h; system "USM memcpy (64 bytes) + event release",
        [urEnqueueUSMMemcpy urEventRelease] { let mut e = null_mut(); ok(urEnqueueUSMMemcpy(h.queue, 0, usm, other, SMALL, 0, null(), &mut e)); ok(urEventRelease(e)) },
        [clEnqueueMemcpyINTEL clReleaseEvent] { let mut e = null_mut(); ok(clEnqueueMemcpyINTEL(queue, 0, usm, other, SMALL, 0, null(), &mut e)); ok(clReleaseEvent(e)) });
    case!(bench, h; system "USM fill (64 bytes) + event release",
    [urEnqueueUSMFill urEventRelease] {
        let (mut e, v) = (null_mut(), 7_u8);
        ok(urEnqueueUSMFill(h.queue, usm, 1, (&raw const v).cast(), SMALL, 0, null(), &mut e)); ok(urEventRelease(e))
    },
    [clEnqueueMemFillINTEL clReleaseEvent] {
        let (mut e, v) = (null_mut(), 7_u8);
        ok(clEnqueueMemFillINTEL(queue, usm, (&raw const v).cast(), 1, SMALL, 0, null(), &mut e)); ok(clReleaseEvent(e))
    });
}
