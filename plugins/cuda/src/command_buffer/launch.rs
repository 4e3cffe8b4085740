//! Recorded launches: the content of a graph node, stored so that it can be updated.

use std::ptr::null_mut;

use sycl_pi_backend::api::{Arg, LaunchUpdate, NewArg};
use sycl_pi_backend::{Counted, NdRange, OwnedRange, Result, Shared};

use crate::Cuda;
use crate::device::device_context::DeviceContext;
use crate::kernel::Kernel;
use crate::kernel::kernel_args::KernelArgs;
use crate::launch::CheckedLaunch;
use crate::memory::buffer_use::BufferUse;
use crate::sys::CUDA_KERNEL_NODE_PARAMS_v2;

/// A kernel, its arguments and its index space.
pub(super) struct RecordedLaunch {
    kernel: Shared<Kernel>,
    args: KernelArgs,
    range: OwnedRange,
}

/// A launch for the driver, which reads the arguments from where they are stored.
pub(super) struct LaunchParameters<'a> {
    launch: CheckedLaunch,
    args: &'a mut KernelArgs,
}

impl RecordedLaunch {
    /// Captures the kernel with its current arguments.
    pub(super) fn new(kernel: &Counted<Kernel>, range: &NdRange<'_>) -> Self {
        Self { kernel: kernel.share(), args: kernel.args.lock().clone(), range: OwnedRange::new(*range) }
    }

    /// Returns the memory objects that it uses.
    pub(super) fn buffer_uses(&self) -> Vec<BufferUse<'_>> {
        self.args.buffer_uses()
    }

    /// Returns the launch with an update applied.
    pub(super) fn updated(&self, update: &LaunchUpdate<'_, Cuda>) -> Result<Self> {
        let range = update.range.unwrap_or_else(|| self.range.view());
        let mut updated = match update.kernel {
            Some(kernel) => Self::new(kernel, &range),
            None => {
                let (kernel, args) = (self.kernel.clone(), self.args.clone());
                Self { kernel, args, range: OwnedRange::new(range) }
            }
        };
        let args = &mut updated.args;
        for (index, arg) in update.args {
            match arg {
                NewArg::Plain(Arg::Value(bytes)) => args.set(*index, bytes)?,
                NewArg::Plain(Arg::Local(size)) => args.set_local(*index, *size)?,
                NewArg::Pointer(pointer) => args.set_pointer(*index, *pointer)?,
                NewArg::Mem(access, mem) => args.set_mem(*index, *access, *mem)?,
            }
        }
        Ok(updated)
    }

    /// Returns the launch on the context's device with the given index, or `None` if there is nothing to run.
    pub(super) fn parameters(
        &mut self,
        index: usize,
        device_context: &DeviceContext,
    ) -> Result<Option<LaunchParameters<'_>>> {
        let launch =
            CheckedLaunch::new(&self.kernel, &mut self.args, index, device_context, &self.range.view())?;
        Ok(launch.map(|launch| LaunchParameters { launch, args: &mut self.args }))
    }
}

impl LaunchParameters<'_> {
    /// Returns the parameters of a node. The addresses are valid as long as this value.
    pub(super) fn of_node(&mut self) -> CUDA_KERNEL_NODE_PARAMS_v2 {
        let launch = &mut self.launch;
        let ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]) = (launch.grid.groups, launch.grid.local);
        CUDA_KERNEL_NODE_PARAMS_v2 {
            func: launch.function,
            gridDimX: grid_x,
            gridDimY: grid_y,
            gridDimZ: grid_z,
            blockDimX: block_x,
            blockDimY: block_y,
            blockDimZ: block_z,
            sharedMemBytes: launch.local_memory,
            kernelParams: launch.params(self.args),
            extra: null_mut(),
            kern: null_mut(),
            ctx: null_mut(),
        }
    }
}
