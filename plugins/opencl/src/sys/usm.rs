//! USM allocations of cl_intel_unified_shared_memory. The calls are serialized if the driver requires it.

use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};

use opencl_sys::*;
use sycl_pi_backend::types::{ErrorCode, UsmType};
use sycl_pi_backend::{Error, Info, Result};
use sycl_pi_host_process::outside;

use super::driver::Driver;
use super::error::create_raw;
use super::handles::{Context, Device};
use super::late_free::{free_late, note_block};
use super::serialize::lock_usm;

impl Driver {
    /// Allocates one kind of memory. `properties` is null or a list that ends with 0.
    #[inline]
    pub(crate) fn usm_alloc(
        &self,
        context: &Context,
        (kind, device): (UsmType, Option<&Device>),
        properties: *const cl_bitfield,
        size: usize,
        alignment: u32,
    ) -> Result<NonNull<c_void>> {
        let (extensions, cl_context, device) =
            (&self.extensions, context.cl(), device.map_or(null_mut(), Device::cl));
        let guard = lock_usm(self);
        let memory = create_raw(|code| match kind {
            UsmType::HOST => extensions.clHostMemAllocINTEL(cl_context, properties, size, alignment, code),
            UsmType::DEVICE => {
                extensions.clDeviceMemAllocINTEL(cl_context, device, properties, size, alignment, code)
            }
            _ => extensions.clSharedMemAllocINTEL(cl_context, device, properties, size, alignment, code),
        })?;
        drop(guard);
        let Some(memory) = NonNull::new(memory) else {
            let text = "the driver reported success but gave no memory";
            return Err(Error::new(ErrorCode::OUT_OF_RESOURCES, text));
        };
        if self.frees_late() {
            note_block(context);
        }
        // PoCL takes every alignment and keeps those of its types.
        if alignment != 0 && !memory.addr().get().is_multiple_of(alignment as usize) {
            self.usm_free(context, memory)?;
            let text =
                format!("alignment {alignment}: the driver allocated memory that is not aligned to it");
            return Err(Error::invalid_value(text));
        }
        Ok(memory)
    }

    /// Frees an allocation once no command uses it any more.
    pub(crate) fn usm_free(&self, context: &Context, block: NonNull<c_void>) -> Result<()> {
        if self.frees_late() {
            return free_late(context, block);
        }
        // This waits for commands that use the allocation.
        outside(|| {
            let _guard = lock_usm(self);
            self.extensions.clMemBlockingFreeINTEL(context.cl(), block.as_ptr())
        })
    }

    /// Answers a query about the allocation that contains an address.
    pub(crate) fn usm_info(
        &self,
        context: &Context,
        address: *const c_void,
        name: cl_uint,
        mut info: Info<'_>,
    ) -> Result<()> {
        let (size, value, size_ret) = info.raw_parts();
        let _guard = lock_usm(self);
        self.extensions.clGetMemAllocInfoINTEL(context.cl(), address, name, size, value, size_ret)
    }
}
