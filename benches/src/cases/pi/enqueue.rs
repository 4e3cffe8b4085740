//! Commands in a queue.

use std::ptr::{null, null_mut};

use opencl_sys::*;
use sycl_pi_core::*;

use super::{Bench, case, ok};

const SMALL: usize = 64;
const ONE: [usize; 3] = [1; 3];
const ZERO: [usize; 3] = [0; 3];

pub(super) fn add(bench: &mut Bench) {
    let objects = bench.objects;
    let (queue, kernel, event) = (objects.queue, objects.kernel, objects.event);
    case!(bench, system "launch",
        [piEnqueueKernelLaunch] ok(piEnqueueKernelLaunch(queue.cast(), kernel.cast(), 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 0, null(), null_mut())),
        [clEnqueueNDRangeKernel] ok(clEnqueueNDRangeKernel(queue, kernel, 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 0, null(), null_mut())));
    case!(bench, system "launch behind an event + event release",
    [piEnqueueKernelLaunch piEventRelease] {
        let (list, mut e) = ([event.cast()], null_mut());
        ok(piEnqueueKernelLaunch(queue.cast(), kernel.cast(), 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 1, list.as_ptr(), &mut e)); ok(piEventRelease(e))
    },
    [clEnqueueNDRangeKernel clReleaseEvent] {
        let (list, mut e) = ([event], null_mut());
        ok(clEnqueueNDRangeKernel(queue, kernel, 1, ZERO.as_ptr(), ONE.as_ptr(), ONE.as_ptr(), 1, list.as_ptr(), &mut e)); ok(clReleaseEvent(e))
    });
    case!(bench, system "marker + event release",
        [piEnqueueEventsWait piEventRelease] { let mut e = null_mut(); ok(piEnqueueEventsWait(queue.cast(), 0, null(), &mut e)); ok(piEventRelease(e)) },
        [clEnqueueMarkerWithWaitList clReleaseEvent] { let mut e = null_mut(); ok(clEnqueueMarkerWithWaitList(queue, 0, null(), &mut e)); ok(clReleaseEvent(e)) });
    case!(bench, system "barrier + event release",
        [piEnqueueEventsWaitWithBarrier piEventRelease] { let mut e = null_mut(); ok(piEnqueueEventsWaitWithBarrier(queue.cast(), 0, null(), &mut e)); ok(piEventRelease(e)) },
        [clEnqueueBarrierWithWaitList clReleaseEvent] { let mut e = null_mut(); ok(clEnqueueBarrierWithWaitList(queue, 0, null(), &mut e)); ok(clReleaseEvent(e)) });
    buffers(bench);
}

fn buffers(bench: &mut Bench) {
    let objects = bench.objects;
    let (queue, buffer, other) = (objects.queue, objects.buffer, objects.other_buffer);
    let host: &'static mut [u8; SMALL] = Box::leak(Box::new([0; SMALL]));
    let host: *mut std::ffi::c_void = host.as_mut_ptr().cast();
    case!(bench, system "buffer read (64 bytes, blocking)",
        [piEnqueueMemBufferRead] ok(piEnqueueMemBufferRead(queue.cast(), buffer.cast(), 1, 0, SMALL, host, 0, null(), null_mut())),
        [clEnqueueReadBuffer] ok(clEnqueueReadBuffer(queue, buffer, 1, 0, SMALL, host, 0, null(), null_mut())));
    case!(bench, system "buffer write (64 bytes, blocking)",
        [piEnqueueMemBufferWrite] ok(piEnqueueMemBufferWrite(queue.cast(), buffer.cast(), 1, 0, SMALL, host, 0, null(), null_mut())),
        [clEnqueueWriteBuffer] ok(clEnqueueWriteBuffer(queue, buffer, 1, 0, SMALL, host, 0, null(), null_mut())));
    case!(bench, system "buffer copy (64 bytes)",
        [piEnqueueMemBufferCopy] ok(piEnqueueMemBufferCopy(queue.cast(), buffer.cast(), other.cast(), 0, 0, SMALL, 0, null(), null_mut())),
        [clEnqueueCopyBuffer] ok(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, SMALL, 0, null(), null_mut())));
    case!(bench, system "buffer fill (64 bytes)",
        [piEnqueueMemBufferFill] { let v = 7_u32; ok(piEnqueueMemBufferFill(queue.cast(), buffer.cast(), (&raw const v).cast(), 4, 0, SMALL, 0, null(), null_mut())) },
        [clEnqueueFillBuffer] { let v = 7_u32; ok(clEnqueueFillBuffer(queue, buffer, (&raw const v).cast(), 4, 0, SMALL, 0, null(), null_mut())) });
    case!(bench, system "buffer map (blocking) + unmap",
    [piEnqueueMemBufferMap piEnqueueMemUnmap] {
        let mut p = null_mut();
        ok(piEnqueueMemBufferMap(queue.cast(), buffer.cast(), 1, PI_MAP_READ, 0, SMALL, 0, null(), null_mut(), &mut p));
        ok(piEnqueueMemUnmap(queue.cast(), buffer.cast(), p, 0, null(), null_mut()))
    },
    [clEnqueueMapBuffer clEnqueueUnmapMemObject] {
        let mut code = 0;
        let p = clEnqueueMapBuffer(queue, buffer, 1, CL_MAP_READ, 0, SMALL, 0, null(), null_mut(), &mut code);
        ok(code);
        ok(clEnqueueUnmapMemObject(queue, buffer, p, 0, null(), null_mut()))
    });
}
