//! Unified shared memory.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use super::{Bench, case, ok};
use crate::objects::BYTES;

const SMALL: usize = 64;

pub(super) fn add(bench: &mut Bench) {
    let objects = bench.objects;
    let (context, device, queue, usm, other) =
        (objects.context, objects.device, objects.queue, objects.usm, objects.other_usm);
    case!(bench, "USM host alloc + free",
        [piextUSMHostAlloc piextUSMFree] { let mut p = null_mut(); ok(piextUSMHostAlloc(&mut p, context.cast(), null_mut(), BYTES, 0)); ok(piextUSMFree(context.cast(), p)) },
        [clHostMemAllocINTEL clMemBlockingFreeINTEL] { let mut code = 0; let p = clHostMemAllocINTEL(context, null(), BYTES, 0, &mut code); ok(code); ok(clMemBlockingFreeINTEL(context, p)) });
    case!(bench, "USM device alloc + free",
        [piextUSMDeviceAlloc piextUSMFree] { let mut p = null_mut(); ok(piextUSMDeviceAlloc(&mut p, context.cast(), device.cast(), null_mut(), BYTES, 0)); ok(piextUSMFree(context.cast(), p)) },
        [clDeviceMemAllocINTEL clMemBlockingFreeINTEL] { let mut code = 0; let p = clDeviceMemAllocINTEL(context, device, null(), BYTES, 0, &mut code); ok(code); ok(clMemBlockingFreeINTEL(context, p)) });
    case!(bench, "USM shared alloc + free",
        [piextUSMSharedAlloc piextUSMFree] { let mut p = null_mut(); ok(piextUSMSharedAlloc(&mut p, context.cast(), device.cast(), null_mut(), BYTES, 0)); ok(piextUSMFree(context.cast(), p)) },
        [clSharedMemAllocINTEL clMemBlockingFreeINTEL] { let mut code = 0; let p = clSharedMemAllocINTEL(context, device, null(), BYTES, 0, &mut code); ok(code); ok(clMemBlockingFreeINTEL(context, p)) });
    case!(bench, "USM alloc info (type)",
        [piextUSMGetMemAllocInfo] { let mut v = 0_u32; ok(piextUSMGetMemAllocInfo(context.cast(), usm, PI_MEM_ALLOC_TYPE, 4, (&raw mut v).cast(), null_mut())) },
        [clGetMemAllocInfoINTEL] { let mut v = 0_u32; ok(clGetMemAllocInfoINTEL(context, usm, CL_MEM_ALLOC_TYPE_INTEL, 4, (&raw mut v).cast(), null_mut())) });
    case!(bench, system "USM memcpy (64 bytes, blocking)",
        [piextUSMEnqueueMemcpy] ok(piextUSMEnqueueMemcpy(queue.cast(), 1, usm, other, SMALL, 0, null(), null_mut())),
        [clEnqueueMemcpyINTEL] ok(clEnqueueMemcpyINTEL(queue, 1, usm, other, SMALL, 0, null(), null_mut())));
    case!(bench, system "USM memcpy (64 bytes) + event release",
        [piextUSMEnqueueMemcpy piEventRelease] { let mut e = null_mut(); ok(piextUSMEnqueueMemcpy(queue.cast(), 0, usm, other, SMALL, 0, null(), &mut e)); ok(piEventRelease(e)) },
        [clEnqueueMemcpyINTEL clReleaseEvent] { let mut e = null_mut(); ok(clEnqueueMemcpyINTEL(queue, 0, usm, other, SMALL, 0, null(), &mut e)); ok(clReleaseEvent(e)) });
    case!(bench, system "USM memset (64 bytes) + event release",
    [piextUSMEnqueueMemset piEventRelease] { let mut e = null_mut(); ok(piextUSMEnqueueMemset(queue.cast(), usm, 7, SMALL, 0, null(), &mut e)); ok(piEventRelease(e)) },
    [clEnqueueMemFillINTEL clReleaseEvent] {
        let (mut e, value) = (null_mut(), 7_u8);
        ok(clEnqueueMemFillINTEL(queue, usm, (&raw const value).cast::<c_void>(), 1, SMALL, 0, null(), &mut e)); ok(clReleaseEvent(e))
    });
}

/// cl_intel_unified_shared_memory.
const CL_MEM_ALLOC_TYPE_INTEL: u32 = 0x419a;
