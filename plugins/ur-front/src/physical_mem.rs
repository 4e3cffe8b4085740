//! Physical memory, which backs virtual memory.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use sycl_pi_backend::types::{ErrorCode, PhysicalMemHandle};
use sycl_pi_backend::{Backend, Blocks, CountedKind, Shared};
use sycl_ur_core::*;

use crate::handle::Reference;

/// Physical memory of a device.
pub(crate) struct PhysicalMem<B: Backend> {
    /// The backend's handle.
    pub memory: PhysicalMemHandle,
    /// Size in bytes.
    pub size: usize,
    /// The flags that it was created with.
    pub flags: ur_physical_mem_flags_t,
    /// The device's handle. Devices are never freed.
    pub device: usize,
    pub context: Shared<Reference<B::Context>>,
}

// SAFETY: each library has one backend, and therefore one such kind.
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
