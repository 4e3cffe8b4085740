//! Unified shared memory of a driver that cannot stand two threads at it.
//!
//! Intel's CPU runtime of 2023.2.4 keeps a list of its blocks that `clMemBlockingFreeINTEL` changes under other threads' hands: two frees
//! at once, or a free and an allocation, end in "double free or corruption" or in `CL_INVALID_VALUE` for a live block
//! (`testing/robustness/programs/opencl_alone.c`).

use std::ffi::c_void;
use std::ptr::null_mut;
use std::time::Duration;

use opencl_sys::*;
use sycl_pi_backend::Result;
use sycl_pi_backend::types::{UsmType};

use super::driver::Driver;
use super::error::check;
use super::turns::Turns;
use super::{Context, Device};

static TURNS: Turns = Turns::new();

/// Runs a call that allocates, frees or asks for a block, if the driver needs no turns or this thread gets one without a word.
#[inline(always)]
pub(crate) fn as_owner<T>(driver: &Driver, call: impl FnOnce() -> Answer<T>) -> Option<Answer<T>> {
    if driver.needs_turns { TURNS.as_owner(call) } else { Some(call()) }
}

/// As [`as_owner`], in a turn that this thread may have to wait for.
pub(crate) fn in_turn<T>(driver: &Driver, call: impl FnOnce() -> Answer<T>) -> Answer<T> {
    /// For a free, which waits for commands that use the block: those may wait for this very thread.
    const PATIENCE: Duration = Duration::from_millis(100);
    let _turn = driver.needs_turns.then(|| TURNS.take_within(PATIENCE));
    call()
}

/// What the driver answered. Its code is looked at when the turn is over: a way to an error's text within the turn would have
/// to keep something.
#[must_use]
pub(crate) struct Answer<T> {
    call: &'static str,
    code: cl_int,
    value: T,
}

impl<T> Answer<T> {
    /// The value, or the driver's error.
    #[inline(always)]
    pub(crate) fn check(self) -> Result<T> {
        check(self.call, self.code).map(|()| self.value)
    }
}

impl Driver {
    /// A block of one kind of memory; the driver's answer, which may be null.
    #[inline(always)]
    pub(crate) fn usm_alloc<const KIND: UsmType>(
        &self,
        context: &Context,
        device: Option<&Device>,
        list: *const cl_bitfield,
        size: usize,
        alignment: u32,
    ) -> Answer<*mut c_void> {
        let (ext, context, device) = (&self.ext, context.cl(), device.map_or(null_mut(), Device::cl));
        let mut status = CL_SUCCESS;
        let code: *mut cl_int = &mut status;
        // SAFETY: live objects and a list that ends with 0 (see the module above).
        let (call, value) = unsafe {
            match KIND {
                UsmType::HOST => {
                    ("clHostMemAllocINTEL", (ext.clHostMemAllocINTEL)(context, list, size, alignment, code))
                }
                UsmType::DEVICE => (
                    "clDeviceMemAllocINTEL",
                    (ext.clDeviceMemAllocINTEL)(context, device, list, size, alignment, code),
                ),
                _ => (
                    "clSharedMemAllocINTEL",
                    (ext.clSharedMemAllocINTEL)(context, device, list, size, alignment, code),
                ),
            }
        };
        Answer { call, code: status, value }
    }

    /// Frees a block when no command uses it any more.
    #[inline(always)]
    pub(crate) fn usm_free(&self, context: &Context, ptr: *mut c_void) -> Answer<()> {
        // SAFETY: a live context (see the module above).
        let code = unsafe { (self.ext.clMemBlockingFreeINTEL)(context.cl(), ptr) };
        Answer { call: "clMemBlockingFreeINTEL", code, value: () }
    }

    /// What is known of the block that holds an address.
    #[inline(always)]
    pub(crate) fn usm_info(
        &self,
        context: &Context,
        ptr: *const c_void,
        name: cl_uint,
        (size, value, size_ret): (usize, *mut c_void, *mut usize),
    ) -> Answer<()> {
        // SAFETY: a live context and the caller's room (see the module above).
        let code =
            unsafe { (self.ext.clGetMemAllocInfoINTEL)(context.cl(), ptr, name, size, value, size_ret) };
        Answer { call: "clGetMemAllocInfoINTEL", code, value: () }
    }
}
