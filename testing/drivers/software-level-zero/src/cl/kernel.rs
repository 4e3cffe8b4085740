//! Kernels and their launches.

use std::ffi::CString;
use std::sync::Arc;

use opencl_sys::*;
use parking_lot::Mutex;

use super::image::{ClImage, ClSampler};
use super::program::Program;
use super::runtime::{ClQueue, runtime};

/// An argument's value when the launch was appended.
#[derive(Clone)]
pub(crate) enum Argument {
    /// An address that the device can access.
    Pointer(usize),
    /// Local memory of this size.
    Local(usize),
    /// A value.
    Value(Vec<u8>),
    /// An image.
    Image(Arc<ClImage>),
    /// A sampler.
    Sampler(Arc<ClSampler>),
}

/// A kernel object. One lock protects setting its arguments and enqueueing it.
pub(crate) struct ClKernel {
    kernel: Mutex<Raw>,
    /// Keeps the kernel's program alive.
    _program: Arc<Program>,
}

struct Raw(cl_kernel);

// SAFETY: only used under a lock.
unsafe impl Send for Raw {}

impl Drop for Raw {
    fn drop(&mut self) {
        if let Ok(runtime) = runtime() {
            runtime.functions.clReleaseKernel(self.0);
        }
    }
}

impl ClKernel {
    /// Creates the kernel of that name.
    pub(crate) fn new(program: &Arc<Program>, name: &str) -> Result<Self, cl_int> {
        let runtime = runtime().map_err(|_| CL_DEVICE_NOT_AVAILABLE)?;
        let name = CString::new(name).map_err(|_| CL_INVALID_KERNEL_NAME)?;
        let mut code = 0;
        let kernel = runtime.functions.clCreateKernel(program.raw(), name.as_ptr(), &mut code);
        if code != CL_SUCCESS {
            return Err(code);
        }
        Ok(Self { kernel: Mutex::new(Raw(kernel)), _program: program.clone() })
    }

    /// Returns a number of `clGetKernelWorkGroupInfo`.
    pub(crate) fn info(&self, what: u32) -> u64 {
        let mut value = 0_u64;
        if let Ok(runtime) = runtime() {
            let kernel = self.kernel.lock();
            runtime.functions.clGetKernelWorkGroupInfo(
                kernel.0,
                runtime.device,
                what,
                8,
                (&raw mut value).cast(),
                std::ptr::null_mut(),
            );
        }
        value
    }

    /// Returns the work-items of a sub-group in groups of `group` work-items, or `None` if the runtime does not
    /// report it.
    pub(crate) fn sub_group_size(&self, group: usize) -> Option<u32> {
        let runtime = runtime().ok()?;
        let (group, mut size) = ([group, 1, 1], 0_usize);
        let code = runtime.functions.clGetKernelSubGroupInfo(
            self.kernel.lock().0,
            runtime.device,
            CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
            size_of_val(&group),
            group.as_ptr().cast(),
            size_of_val(&size),
            (&raw mut size).cast(),
            std::ptr::null_mut(),
        );
        (code == CL_SUCCESS && size > 0).then_some(size as u32)
    }

    /// Executes the kernel and waits for it.
    pub(crate) fn run(
        &self,
        queue: &ClQueue,
        arguments: &[Argument],
        offset: [usize; 3],
        global: [usize; 3],
        local: [usize; 3],
    ) -> Result<(), cl_int> {
        let runtime = runtime().map_err(|_| CL_DEVICE_NOT_AVAILABLE)?;
        let check = |code: cl_int| if code == CL_SUCCESS { Ok(()) } else { Err(code) };
        let functions = &runtime.functions;
        {
            let kernel = self.kernel.lock();
            for (index, argument) in arguments.iter().enumerate() {
                let index = index as u32;
                check(match argument {
                    Argument::Pointer(address) => functions.clSetKernelArgSVMPointer(
                        kernel.0,
                        index,
                        std::ptr::without_provenance(*address),
                    ),
                    Argument::Local(size) => {
                        functions.clSetKernelArg(kernel.0, index, *size, std::ptr::null())
                    }
                    Argument::Value(bytes) => {
                        functions.clSetKernelArg(kernel.0, index, bytes.len(), bytes.as_ptr().cast())
                    }
                    Argument::Image(image) => {
                        functions.clSetKernelArg(kernel.0, index, 8, (&raw const image.0).cast())
                    }
                    Argument::Sampler(sampler) => {
                        functions.clSetKernelArg(kernel.0, index, 8, (&raw const sampler.0).cast())
                    }
                })?;
            }
            check(functions.clEnqueueNDRangeKernel(
                queue.0,
                kernel.0,
                3,
                offset.as_ptr(),
                global.as_ptr(),
                local.as_ptr(),
                0,
                std::ptr::null(),
                std::ptr::null_mut(),
            ))?;
        }
        check(queue.finish(runtime))
    }
}
