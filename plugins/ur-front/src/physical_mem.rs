//! Physical memory, which virtual memory is backed with.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use sycl_pi_backend::types::{ErrorCode, PhysicalMemHandle};
use sycl_pi_backend::{Backend, Blocks, CountedKind, Shared};
use sycl_ur_core::*;

use crate::handle::Reference;

/// Physical memory of a device.
pub(crate) struct PhysicalMem<B: Backend> {
    /// As the backend names it.
    pub memory: PhysicalMemHandle,
    /// Bytes.
    pub size: usize,
    /// As it was created with.
    pub flags: ur_physical_mem_flags_t,
    /// The device's handle; devices stay.
    pub device: usize,
    pub context: Shared<Reference<B::Context>>,
}

// SAFETY: a library has one backend, and so one such kind.
unsafe impl<B: Backend> CountedKind for PhysicalMem<B> {
    type Raw = ur_physical_mem_handle_t_;
    const INVALID: ErrorCode = ErrorCode::INVALID_VALUE;
    const NAME: &'static str = "physical memory";

    fn blocks() -> &'static Blocks {
        static BLOCKS: Blocks = Blocks::new();
        &BLOCKS
    }
}

impl<B: Backend> Drop for PhysicalMem<B> {
    fn drop(&mut self) {
        if let Err(error) = B::physical_mem_destroy(&self.context, self.memory) {
            log::warn!("the driver does not release physical memory: {error}");
        }
    }
}
