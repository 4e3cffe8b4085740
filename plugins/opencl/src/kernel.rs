//! Kernels and their arguments.

use core::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use sycl_pi_backend::api::{Arg, KernelApi};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, NdRange, New, Result};

use crate::OpenCl;
use crate::enqueue::required_size;
use crate::sys::{
    self, Context, Device, HasPlatform, Kernel, Mem, Program, Queried, Queue, Sampler, cl, create,
};
use crate::{local_args, refused, sub_groups};

/// More arguments than any kernel has, because SPIR-V allows 255. Intel's CPU runtime terminates the process on some
/// indices.
const TOO_MANY_ARGUMENTS: u32 = 1 << 16;

/// Refuses an index that no kernel has.
fn check_index(index: u32) -> Result<()> {
    if index < TOO_MANY_ARGUMENTS {
        return Ok(());
    }
    Err(Error::too_many_arguments(index as usize))
}

/// Sets an argument that is a handle, which may be null.
fn set_handle(kernel: &Kernel, index: u32, handle: *mut c_void) -> Result<()> {
    check_index(index)?;
    cl().clSetKernelArg(kernel.cl(), index, size_of_val(&handle), (&raw const handle).cast())?;
    local_args::note(kernel, index, None);
    Ok(())
}

impl KernelApi for OpenCl {
    fn kernel_create(program: &Program, name: &CStr) -> Result<New<Kernel>> {
        let kernel = create::<Kernel>(|code| cl().clCreateKernel(program.cl(), name.as_ptr(), code))
            .map_err(|error| {
                refused::reason(program, name).unwrap_or_else(|| error.context(format!("kernel {name:?}")))
            })?;
        local_args::forget(kernel.addr());
        Ok(kernel)
    }

    #[inline]
    fn kernel_set_arg(kernel: &Kernel, index: u32, arg: Arg<'_>) -> Result<()> {
        check_index(index)?;
        let (size, value) = arg.raw_parts();
        cl().clSetKernelArg(kernel.cl(), index, size, value)?;
        local_args::note(kernel, index, value.is_null().then_some(size));
        Ok(())
    }

    #[inline]
    fn kernel_set_arg_pointer(kernel: &Kernel, index: u32, pointer: *const c_void) -> Result<()> {
        check_index(index)?;
        let driver = kernel.driver()?;
        if driver.has_usm {
            driver.extensions.clSetKernelArgMemPointerINTEL(kernel.cl(), index, pointer)?;
        } else {
            driver.require_svm()?;
            cl().clSetKernelArgSVMPointer(kernel.cl(), index, pointer)?;
        }
        local_args::note(kernel, index, None);
        Ok(())
    }

    #[inline]
    fn kernel_set_arg_mem_obj(
        kernel: &Kernel,
        index: u32,
        _access: Option<MemAccess>,
        mem: Option<&Mem>,
    ) -> Result<()> {
        set_handle(kernel, index, mem.map_or(null_mut(), Mem::cl))
    }

    fn kernel_set_arg_sampler(kernel: &Kernel, index: u32, sampler: &Sampler) -> Result<()> {
        set_handle(kernel, index, sampler.cl())
    }

    fn kernel_info(kernel: &Kernel, name: KernelInfo, info: Info<'_>) -> Result<()> {
        kernel.answer(name.0, info)
    }

    fn kernel_group_info(
        kernel: &Kernel,
        device: &Device,
        name: KernelGroupInfo,
        mut info: Info<'_>,
    ) -> Result<()> {
        if name == KernelGroupInfo::NUM_REGS {
            return Err(Error::invalid_value("OpenCL does not report the number of registers of a kernel"));
        }
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetKernelWorkGroupInfo(kernel.cl(), device.cl(), name.0, size, value, size_ret)
    }

    fn kernel_sub_group_info(
        kernel: &Kernel,
        device: &Device,
        name: KernelSubGroupInfo,
        input: &[u8],
        info: Info<'_>,
    ) -> Result<()> {
        let output = info.output_of::<u32>()?;
        output.put(sub_groups::of_kernel(kernel, device, name, input)?);
        Ok(())
    }

    fn kernel_set_exec_info(kernel: &Kernel, name: KernelExecInfo, value: &[u8]) -> Result<()> {
        let driver = kernel.driver()?;
        match name {
            // With shared virtual memory, each launch tells the kernel what it may use.
            KernelExecInfo::USM_INDIRECT_ACCESS => {
                if driver.has_usm && value.iter().any(|byte| *byte != 0) {
                    allow_indirect_access(kernel);
                }
                Ok(())
            }
            KernelExecInfo::USM_PTRS => {
                let name = if driver.has_usm {
                    sys::CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL
                } else {
                    driver.require_svm()?;
                    sys::CL_KERNEL_EXEC_INFO_SVM_PTRS
                };
                cl().clSetKernelExecInfo(kernel.cl(), name, value.len(), value.as_ptr().cast())
            }
            // This is a hint for devices with a configurable cache.
            KernelExecInfo::CACHE_CONFIG => {
                let number = value.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes));
                let known = |config| KernelCacheConfig::ALL.iter().any(|(_, known)| *known == config);
                match number.map(KernelCacheConfig) {
                    Some(config) if known(config) => Ok(()),
                    _ => Err(Error::unknown_cache_config()),
                }
            }
            _ => Err(Error::invalid_value(format!("unknown value_name {name:#x}"))),
        }
    }

    fn kernel_create_with_native_handle(
        native: NativeHandle,
        _: &Context,
        _: Option<&Program>,
        owned: bool,
    ) -> Result<New<Kernel>> {
        sys::from_native(native, owned)
    }

    fn kernel_native_handle(kernel: &Kernel) -> Result<NativeHandle> {
        Ok(sys::native_handle(kernel))
    }

    fn kernel_suggest_local_work_size(
        kernel: &Kernel,
        queue: &Queue,
        range: NdRange<'_>,
    ) -> Result<[usize; 3]> {
        if let Some(required) = required_size(queue, kernel) {
            return Ok(required);
        }
        let extensions = &kernel.driver()?.extensions;
        let (queue, kernel, dims) = (queue.cl(), kernel.cl(), range.dims());
        let offset = range.offset.map_or(null(), <[usize]>::as_ptr);
        let mut local = [1; 3];
        let (global, room) = (range.global.as_ptr(), local.as_mut_ptr());
        if extensions.has("clGetKernelSuggestedLocalWorkSizeKHR") {
            extensions.clGetKernelSuggestedLocalWorkSizeKHR(queue, kernel, dims, offset, global, room)?;
        } else if extensions.has("clGetKernelSuggestedLocalWorkSizeINTEL") {
            extensions.clGetKernelSuggestedLocalWorkSizeINTEL(queue, kernel, dims, offset, global, room)?;
        } else {
            return Err(Error::unsupported(
                "the driver suggests no work-group sizes (no cl_khr_suggested_local_work_size)",
            ));
        }
        Ok(local)
    }

    fn kernel_suggest_max_cooperative_group_count(_: &Kernel, _: usize, _: usize) -> Result<u32> {
        // The driver does not report this, so one group is the only number that can safely run concurrently.
        Ok(1)
    }
}

/// Allows the kernel to access any USM allocation through pointers in memory.
fn allow_indirect_access(kernel: &Kernel) {
    let yes: sys::cl_bool = sys::CL_TRUE;
    for name in [
        sys::CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
        sys::CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        sys::CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
    ] {
        // If this device lacks a kind of memory, this is no reason to refuse the kernel.
        let _ = cl().clSetKernelExecInfo(kernel.cl(), name, size_of_val(&yes), (&raw const yes).cast());
    }
}
