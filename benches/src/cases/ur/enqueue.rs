//! Commands in a queue.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;

use super::handles::Handles;
use super::{Bench, case, ok};

const SMALL: usize = 64;
const ONE: [usize; 3] = [1; 3];
const ZERO: [usize; 3] = [0; 3];

pub(super) fn add(bench: &mut Bench) {
    launches(bench);
    buffers(bench);
    let queue = bench.objects.queue;
    case!(bench, h; system "marker + event release",
        [urEnqueueEventsWait urEventRelease] { let mut e = null_mut(); ok(urEnqueueEventsWait(h.queue, 0, null(), &mut e)); ok(urEventRelease(e)) },
        [clEnqueueMarkerWithWaitList clReleaseEvent] { let mut e = null_mut(); ok(clEnqueueMarkerWithWaitList(queue, 0, null(), &mut e)); ok(clReleaseEvent(e)) });
    case!(bench, h; system "barrier + event release",
        [urEnqueueEventsWaitWithBarrier urEventRelease] { let mut e = null_mut(); ok(urEnqueueEventsWaitWithBarrier(h.queue, 0, null(), &mut e)); ok(urEventRelease(e)) },
        [clEnqueueBarrierWithWaitList clReleaseEvent] { let mut e = null_mut(); ok(clEnqueueBarrierWithWaitList(queue, 0, null(), &mut e)); ok(clReleaseEvent(e)) });
}

/// The layouts of 2025.3 and of 2026 launch with different lists of properties, and only the later ones with arguments.
fn launches(bench: &mut Bench) {
    let objects = bench.objects;
    let (queue, kernel, event, buffer, usm) =
        (objects.queue, objects.kernel, objects.event, objects.buffer, objects.usm);
    case!(bench, h; system "launch + event release",
    [urEnqueueKernelLaunch_until_2025_3 urEventRelease] {
        let mut e = null_mut();
        ok(urEnqueueKernelLaunch_until_2025_3(h.queue, h.kernel, 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 0, null(), 0, null(), &mut e)); ok(urEventRelease(e))
    },
    [clEnqueueNDRangeKernel clReleaseEvent] {
        let mut e = null_mut();
        ok(clEnqueueNDRangeKernel(queue, kernel, 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 0, null(), &mut e)); ok(clReleaseEvent(e))
    });
    case!(bench, h; system "launch behind an event + event release",
    [urEnqueueKernelLaunch_until_2025_3 urEventRelease] {
        let (list, mut e) = ([h.event], null_mut());
        ok(urEnqueueKernelLaunch_until_2025_3(h.queue, h.kernel, 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 0, null(), 1, list.as_ptr(), &mut e)); ok(urEventRelease(e))
    },
    [clEnqueueNDRangeKernel clReleaseEvent] {
        let (list, mut e) = ([event], null_mut());
        ok(clEnqueueNDRangeKernel(queue, kernel, 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 1, list.as_ptr(), &mut e)); ok(clReleaseEvent(e))
    });
    case!(bench, h; system "launch + finish + event release",
    [urEnqueueKernelLaunch_until_2025_3 urQueueFinish urEventRelease] {
        let mut e = null_mut();
        ok(urEnqueueKernelLaunch_until_2025_3(h.queue, h.kernel, 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 0, null(), 0, null(), &mut e));
        ok(urQueueFinish(h.queue)); ok(urEventRelease(e))
    },
    [clEnqueueNDRangeKernel clFinish clReleaseEvent] {
        let mut e = null_mut();
        ok(clEnqueueNDRangeKernel(queue, kernel, 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 0, null(), &mut e));
        ok(clFinish(queue)); ok(clReleaseEvent(e))
    });
    case!(bench, h; system "launch with arguments + event release",
    [urEnqueueKernelLaunchWithArgsExp urEventRelease] {
        let (v, mut e) = (7_i32, null_mut());
        let list = arguments(h, usm, &v);
        ok(urEnqueueKernelLaunchWithArgsExp(h.queue, h.kernel, 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 4, list.as_ptr(), null(), 0, null(), &mut e)); ok(urEventRelease(e))
    },
    [clSetKernelArgMemPointerINTEL clSetKernelArg clEnqueueNDRangeKernel clReleaseEvent] {
        let (v, mut e) = (7_i32, null_mut());
        ok(clSetKernelArgMemPointerINTEL(kernel, 0, usm)); ok(clSetKernelArg(kernel, 1, 4, (&raw const v).cast()));
        ok(clSetKernelArg(kernel, 2, 64, null())); ok(clSetKernelArg(kernel, 3, 8, (&raw const buffer).cast()));
        ok(clEnqueueNDRangeKernel(queue, kernel, 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 0, null(), &mut e)); ok(clReleaseEvent(e))
    });
    case!(bench, h; system "launch with arguments + finish + event release",
    [urEnqueueKernelLaunchWithArgsExp urQueueFinish urEventRelease] {
        let (v, mut e) = (7_i32, null_mut());
        let list = arguments(h, usm, &v);
        ok(urEnqueueKernelLaunchWithArgsExp(h.queue, h.kernel, 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 4, list.as_ptr(), null(), 0, null(), &mut e));
        ok(urQueueFinish(h.queue)); ok(urEventRelease(e))
    },
    [clSetKernelArgMemPointerINTEL clSetKernelArg clEnqueueNDRangeKernel clFinish clReleaseEvent] {
        let (v, mut e) = (7_i32, null_mut());
        ok(clSetKernelArgMemPointerINTEL(kernel, 0, usm)); ok(clSetKernelArg(kernel, 1, 4, (&raw const v).cast()));
        ok(clSetKernelArg(kernel, 2, 64, null())); ok(clSetKernelArg(kernel, 3, 8, (&raw const buffer).cast()));
        ok(clEnqueueNDRangeKernel(queue, kernel, 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 0, null(), &mut e));
        ok(clFinish(queue)); ok(clReleaseEvent(e))
    });
}

/// The kernel's four arguments: a pointer, a number, local memory, a buffer.
#[inline(always)]
fn arguments(h: &Handles, usm: *mut c_void, number: &i32) -> [ur_exp_kernel_arg_properties_t; 4] {
    let argument = |index, type_, size, value| ur_exp_kernel_arg_properties_t {
        stype: UR_STRUCTURE_TYPE_EXP_KERNEL_ARG_PROPERTIES,
        pNext: null_mut(),
        type_,
        index,
        size,
        value,
    };
    let pointer = ur_exp_kernel_arg_value_t { pointer: usm };
    let number = ur_exp_kernel_arg_value_t { value: (&raw const *number).cast() };
    let local = ur_exp_kernel_arg_value_t { value: null() };
    let tuple = ur_exp_kernel_arg_mem_obj_tuple_t { hMem: h.buffer, flags: UR_MEM_FLAG_READ_WRITE };
    let buffer = ur_exp_kernel_arg_value_t { memObjTuple: tuple };
    [
        argument(0, UR_EXP_KERNEL_ARG_TYPE_POINTER, size_of::<usize>(), pointer),
        argument(1, UR_EXP_KERNEL_ARG_TYPE_VALUE, 4, number),
        argument(2, UR_EXP_KERNEL_ARG_TYPE_LOCAL, 64, local),
        argument(3, UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ, size_of::<usize>(), buffer),
    ]
}

fn buffers(bench: &mut Bench) {
    let objects = bench.objects;
    let (queue, buffer, other) = (objects.queue, objects.buffer, objects.other_buffer);
    let host: &'static mut [u8; SMALL] = Box::leak(Box::new([0; SMALL]));
    let host: *mut c_void = host.as_mut_ptr().cast();
    case!(bench, h; system "buffer read (64 bytes, blocking)",
        [urEnqueueMemBufferRead] ok(urEnqueueMemBufferRead(h.queue, h.buffer, 1, 0, SMALL, host, 0, null(), null_mut())),
        [clEnqueueReadBuffer] ok(clEnqueueReadBuffer(queue, buffer, 1, 0, SMALL, host, 0, null(), null_mut())));
    case!(bench, h; system "buffer write (64 bytes, blocking)",
        [urEnqueueMemBufferWrite] ok(urEnqueueMemBufferWrite(h.queue, h.buffer, 1, 0, SMALL, host, 0, null(), null_mut())),
        [clEnqueueWriteBuffer] ok(clEnqueueWriteBuffer(queue, buffer, 1, 0, SMALL, host, 0, null(), null_mut())));
    case!(bench, h; system "buffer copy (64 bytes) + event release",
        [urEnqueueMemBufferCopy urEventRelease] { let mut e = null_mut(); ok(urEnqueueMemBufferCopy(h.queue, h.buffer, h.other_buffer, 0, 0, SMALL, 0, null(), &mut e)); ok(urEventRelease(e)) },
        [clEnqueueCopyBuffer clReleaseEvent] { let mut e = null_mut(); ok(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, SMALL, 0, null(), &mut e)); ok(clReleaseEvent(e)) });
    case!(bench, h; system "buffer fill (64 bytes) + event release",
    [urEnqueueMemBufferFill urEventRelease] {
        let (mut e, v) = (null_mut(), 7_u32);
        ok(urEnqueueMemBufferFill(h.queue, h.buffer, (&raw const v).cast(), 4, 0, SMALL, 0, null(), &mut e)); ok(urEventRelease(e))
    },
    [clEnqueueFillBuffer clReleaseEvent] {
        let (mut e, v) = (null_mut(), 7_u32);
        ok(clEnqueueFillBuffer(queue, buffer, (&raw const v).cast(), 4, 0, SMALL, 0, null(), &mut e)); ok(clReleaseEvent(e))
    });
}
