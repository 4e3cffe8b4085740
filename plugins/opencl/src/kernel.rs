//! Kernels and their arguments.

use core::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use pi_core::*;
use pi_plugin::api::{Arg, KernelApi};
use pi_plugin::{Error, Info, New, Result, cold_error};

use crate::OpenCl;
use crate::sys::{self, Context, Device, Kernel, Mem, Program, Rooted, Sampler, Wrap, cl};

/// Refuses an index that no kernel has (SPIR-V allows 255 parameters): Intel's CPU runtime ends the process over some.
#[inline(always)]
fn check_index(index: pi_uint32) -> Result<()> {
    const MOST: pi_uint32 = 1 << 16;
    if index < MOST { Ok(()) } else { Err(no_such_index(index)) }
}

#[inline(always)]
fn no_such_index(index: pi_uint32) -> Error {
    cold_error(move || {
        Error::new(PI_ERROR_INVALID_ARG_INDEX, format!("arg_index is {index}: no kernel has as many"))
    })
}

impl KernelApi for OpenCl {
    #[inline(always)]
    fn piKernelCreate(program: &Program, name: &CStr) -> Result<New<Kernel>> {
        cl().clCreateKernel(program.cl(), name.as_ptr())
            .map_err(|error| cold_error(move || error.context(format!("kernel {name:?}"))))?
            .wrap()
    }

    #[inline(always)]
    fn piKernelSetArg(kernel: &Kernel, index: pi_uint32, arg: Arg<'_>) -> Result<()> {
        check_index(index)?;
        let (size, value) = arg.raw_parts();
        cl().clSetKernelArg(kernel.cl(), index, size, value)
    }

    #[inline(always)]
    fn piextKernelSetArgPointer(kernel: &Kernel, index: pi_uint32, pointer: *const c_void) -> Result<()> {
        check_index(index)?;
        let driver = kernel.driver()?;
        if driver.has_usm() {
            return driver.ext.clSetKernelArgMemPointerINTEL(kernel.cl(), index, pointer);
        }
        cl().clSetKernelArgSVMPointer(kernel.cl(), index, pointer)
    }

    #[inline(always)]
    fn piextKernelSetArgMemObj(
        kernel: &Kernel,
        index: pi_uint32,
        _access: Option<pi_mem_access_flag>,
        mem: Option<&Mem>,
    ) -> Result<()> {
        check_index(index)?;
        let mem: sys::cl_mem = mem.map_or(null_mut(), Mem::cl);
        cl().clSetKernelArg(kernel.cl(), index, size_of_val(&mem), (&raw const mem).cast())
    }

    fn piextKernelSetArgSampler(kernel: &Kernel, index: pi_uint32, sampler: &Sampler) -> Result<()> {
        check_index(index)?;
        let sampler = sampler.cl();
        cl().clSetKernelArg(kernel.cl(), index, size_of_val(&sampler), (&raw const sampler).cast())
    }

    #[inline(always)]
    fn piKernelGetInfo(kernel: &Kernel, name: pi_kernel_info, mut info: Info<'_>) -> Result<()> {
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetKernelInfo(kernel.cl(), name, size, value, size_ret)
    }

    #[inline(always)]
    fn piKernelGetGroupInfo(
        kernel: &Kernel,
        device: &Device,
        name: pi_kernel_group_info,
        mut info: Info<'_>,
    ) -> Result<()> {
        if name == PI_KERNEL_GROUP_INFO_NUM_REGS {
            let none = || Error::invalid_value("param_name: OpenCL does not tell the number of registers");
            return Err(cold_error(none));
        }
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetKernelWorkGroupInfo(kernel.cl(), device.cl(), name, size, value, size_ret)
    }

    fn piKernelGetSubGroupInfo(
        kernel: &Kernel,
        device: &Device,
        name: pi_kernel_sub_group_info,
        input: &[u8],
        info: Info<'_>,
    ) -> Result<()> {
        let driver = kernel.driver()?;
        let ask = |input_size, input| {
            let mut answer = 0_usize;
            let (size, room) = (size_of_val(&answer), (&raw mut answer).cast());
            let (kernel, device, none) = (kernel.cl(), device.cl(), null_mut());
            if driver.version >= (2, 1) {
                cl().clGetKernelSubGroupInfo(kernel, device, name, input_size, input, size, room, none)?;
            } else {
                let ext = &driver.ext;
                ext.clGetKernelSubGroupInfoKHR(kernel, device, name, input_size, input, size, room, none)?;
            }
            Ok(answer)
        };
        let asked = if input.is_empty() { ask(0, null()) } else { ask(input.len(), input.as_ptr().cast()) };
        // OpenCL wants a work-group size for the first two; runtimes leave it out and mean "the largest". Some drivers
        // understand that, the others get to see it.
        let wants_input = [PI_KERNEL_MAX_SUB_GROUP_SIZE, PI_KERNEL_MAX_NUM_SUB_GROUPS].contains(&name);
        let answer = match asked {
            Ok(answer) if answer != 0 => answer,
            _ if wants_input && input.is_empty() => {
                let mut largest = [0_usize; 3];
                let (size, room) = (size_of_val(&largest), largest.as_mut_ptr().cast::<c_void>());
                let param = sys::CL_DEVICE_MAX_WORK_ITEM_SIZES;
                cl().clGetDeviceInfo(device.cl(), param, size, room, null_mut())?;
                ask(size, room)?
            }
            asked => asked?,
        };
        // OpenCL answers size_t, PI uint32_t.
        info.value(answer as pi_uint32)
    }

    fn piKernelRetain(kernel: &Kernel) -> Result<()> {
        cl().clRetainKernel(kernel.cl())
    }

    fn piKernelRelease(kernel: &Kernel) -> Result<()> {
        cl().clReleaseKernel(kernel.cl())
    }

    fn piKernelSetExecInfo(kernel: &Kernel, name: pi_kernel_exec_info, value: &[u8]) -> Result<()> {
        match name {
            PI_USM_INDIRECT_ACCESS => {
                if value.iter().any(|byte| *byte != 0) {
                    set_indirect_access(kernel)
                } else {
                    Ok(())
                }
            }
            PI_USM_PTRS => {
                let driver = kernel.driver()?;
                let name = if driver.has_usm() {
                    sys::CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL
                } else {
                    sys::CL_KERNEL_EXEC_INFO_SVM_PTRS
                };
                cl().clSetKernelExecInfo(kernel.cl(), name, value.len(), value.as_ptr().cast())
            }
            // A hint for devices whose cache can be divided.
            PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG => Ok(()),
            _ => Err(Error::invalid_value(format!("unknown value_name {name:#x}"))),
        }
    }

    fn piextKernelCreateWithNativeHandle(
        native: pi_native_handle,
        _: &Context,
        _: Option<&Program>,
        owned: bool,
    ) -> Result<New<Kernel>> {
        let kernel = sys::adopt::<Kernel>(native)?;
        if !owned {
            cl().clRetainKernel(kernel.cl())?;
        }
        kernel.cl().wrap()
    }

    fn piextKernelGetNativeHandle(kernel: &Kernel) -> Result<pi_native_handle> {
        Ok(kernel.cl().addr())
    }

    fn piextKernelSuggestMaxCooperativeGroupCount(_: &Kernel, _: usize, _: usize) -> Result<pi_uint32> {
        // Without a word from the driver, one group is the only number that is safe to run at once.
        Ok(1)
    }
}

/// The kernel may reach any USM block through pointers in memory. Runtimes ask for it after every creation.
fn set_indirect_access(kernel: &Kernel) -> Result<()> {
    let driver = kernel.driver()?;
    if !driver.has_usm() {
        // SVM: fine-grained system access is the nearest thing; coarse-grained drivers reach all blocks anyway.
        return Ok(());
    }
    let yes: sys::cl_bool = sys::CL_TRUE;
    let cl = cl();
    for name in [
        sys::CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
        sys::CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        sys::CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
    ] {
        // A kind of memory that this device lacks is no reason to refuse the kernel.
        let _ = cl.clSetKernelExecInfo(kernel.cl(), name, size_of_val(&yes), (&raw const yes).cast());
    }
    Ok(())
}
