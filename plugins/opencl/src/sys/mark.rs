//! Marks in a queue by the driver's own functions.
//!
//! `clEnqueueMarkerWithWaitList` enters the system. What comes back from there has lost the processor's predictions of
//! returns, so that each frame on the way out costs 13 to 28 ns (`benches/programs/frames.c`): more than all else that a
//! plugin does. PI's arguments and codes are OpenCL's, so the stub jumps there.

use opencl_sys::*;
use pi_core::pi_queue;
use pi_plugin::api::Mark;

use super::driver::asked_last;
use super::functions::Cl;

/// As [`Mark`], with OpenCL's types.
pub(super) type ClMark =
    unsafe extern "C" fn(cl_command_queue, cl_uint, *const cl_event, *mut cl_event) -> cl_int;

/// The driver's function for `piEnqueueEventsWait`, if the driver is the one that was asked last.
#[inline(always)]
pub(crate) fn marker(queue: pi_queue) -> Option<Mark> {
    mark(queue, Cl::marker)
}

/// The driver's function for `piEnqueueEventsWaitWithBarrier`, if the driver is the one that was asked last.
#[inline(always)]
pub(crate) fn barrier(queue: pi_queue) -> Option<Mark> {
    mark(queue, Cl::barrier)
}

#[inline(always)]
fn mark(queue: pi_queue, function: impl FnOnce(&Cl) -> ClMark) -> Option<Mark> {
    // Older drivers have other functions for it.
    let driver = asked_last(queue.cast()).filter(|driver| driver.version >= (1, 2))?;
    // SAFETY: handles of both are addresses of the same objects, the numbers have the same types.
    Some(unsafe { std::mem::transmute::<ClMark, Mark>(function(driver.cl())) })
}
