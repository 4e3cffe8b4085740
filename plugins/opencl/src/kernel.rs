//! Kernels and their arguments.

use core::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use sycl_pi_backend::api::{Arg, KernelApi};
use sycl_pi_backend::{Error, Info, New, Result, Output, cold_case, cold_error};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::sys::{self, Context, Device, Driver, Kernel, Mem, Program, Rooted, Sampler, Wrap, cl};

/// Refuses an index that no kernel has.
#[inline(always)]
fn check_index(index: u32) -> Result<()> {
    if index < sys::TOO_MANY_ARGUMENTS { Ok(()) } else { Err(no_such_index(index)) }
}

#[inline(always)]
fn no_such_index(index: u32) -> Error {
    cold_error(move || {
        Error::new(ErrorCode::INVALID_ARG_INDEX, format!("arg_index is {index}: no kernel has as many"))
    })
}

impl KernelApi for OpenCl {
    #[inline(always)]
    fn kernel_create(program: &Program, name: &CStr) -> Result<New<Kernel>> {
        cl().clCreateKernel(program.cl(), name.as_ptr())
            .map_err(|error| cold_error(move || error.context(format!("kernel {name:?}"))))?
            .wrap()
    }

    #[inline(always)]
    fn kernel_set_arg(kernel: &Kernel, index: u32, arg: Arg<'_>) -> Result<()> {
        check_index(index)?;
        let (size, value) = arg.raw_parts();
        cl().clSetKernelArg(kernel.cl(), index, size, value)
    }

    #[inline(always)]
    fn kernel_set_arg_pointer(kernel: &Kernel, index: u32, pointer: *const c_void) -> Result<()> {
        check_index(index)?;
        match kernel.known_driver() {
            Some(driver) => set_pointer(driver, kernel, index, pointer),
            None => cold_case(move || set_pointer(kernel.driver()?, kernel, index, pointer)),
        }
    }

    #[inline(always)]
    fn kernel_set_arg_mem_obj(
        kernel: &Kernel,
        index: u32,
        _access: Option<MemAccess>,
        mem: Option<&Mem>,
    ) -> Result<()> {
        check_index(index)?;
        let mem: sys::cl_mem = mem.map_or(null_mut(), Mem::cl);
        cl().clSetKernelArg(kernel.cl(), index, size_of_val(&mem), (&raw const mem).cast())
    }

    fn kernel_set_arg_sampler(kernel: &Kernel, index: u32, sampler: &Sampler) -> Result<()> {
        check_index(index)?;
        let sampler = sampler.cl();
        cl().clSetKernelArg(kernel.cl(), index, size_of_val(&sampler), (&raw const sampler).cast())
    }

    #[inline(always)]
    fn kernel_info(kernel: &Kernel, name: KernelInfo, mut info: Info<'_>) -> Result<()> {
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetKernelInfo(kernel.cl(), name, size, value, size_ret)
    }

    #[inline(always)]
    fn kernel_group_info(
        kernel: &Kernel,
        device: &Device,
        name: KernelGroupInfo,
        mut info: Info<'_>,
    ) -> Result<()> {
        if name == KernelGroupInfo::NUM_REGS {
            let none = || Error::invalid_value("param_name: OpenCL does not tell the number of registers");
            return Err(cold_error(none));
        }
        let (size, value, size_ret) = info.raw_parts();
        cl().clGetKernelWorkGroupInfo(kernel.cl(), device.cl(), name, size, value, size_ret)
    }

    #[inline(always)]
    fn kernel_sub_group_info(
        kernel: &Kernel,
        device: &Device,
        name: KernelSubGroupInfo,
        input: &[u8],
        info: Info<'_>,
    ) -> Result<()> {
        let Some(driver) = kernel.known_driver().filter(|driver| driver.version >= (2, 1)) else {
            return cold_case(move || old_sub_group_info(kernel, device, name, input, info));
        };
        // OpenCL answers size_t, PI uint32_t.
        let room = info.output_of::<u32>()?;
        if !input.is_empty() {
            return ask_sub_groups(driver, kernel, device, name, input)
                .map(|answer| room.put(answer as u32));
        }
        match ask_sub_groups(driver, kernel, device, name, &[]) {
            Ok(answer) if answer != 0 => {
                room.put(answer as u32);
                Ok(())
            }
            asked => cold_case(move || sub_group_info_of_largest(kernel, device, name, room, asked)),
        }
    }

    fn kernel_retain(kernel: &Kernel) -> Result<()> {
        cl().clRetainKernel(kernel.cl())
    }

    fn kernel_release(kernel: &Kernel) -> Result<()> {
        cl().clReleaseKernel(kernel.cl())
    }

    #[inline(always)]
    fn kernel_set_exec_info(kernel: &Kernel, name: KernelExecInfo, value: &[u8]) -> Result<()> {
        match kernel.known_driver() {
            // Runtimes ask for it after every creation.
            Some(driver) if name == KernelExecInfo::USM_INDIRECT_ACCESS => set_indirect_access(driver, kernel, value),
            _ => cold_case(move || set_exec_info(kernel, name, value)),
        }
    }

    fn kernel_create_with_native_handle(
        native: NativeHandle,
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

    fn kernel_native_handle(kernel: &Kernel) -> Result<NativeHandle> {
        Ok(kernel.cl().addr())
    }

    fn kernel_suggest_max_cooperative_group_count(_: &Kernel, _: usize, _: usize) -> Result<u32> {
        // Without a word from the driver, one group is the only number that is safe to run at once.
        Ok(1)
    }
}

/// A sub-group question to a driver of OpenCL 2.1.
#[inline(always)]
fn ask_sub_groups(
    driver: &Driver,
    kernel: &Kernel,
    device: &Device,
    name: KernelSubGroupInfo,
    input: &[u8],
) -> Result<usize> {
    let mut answer = 0_usize;
    let (input_size, input) = raw_input(input);
    let (size, room) = (size_of_val(&answer), (&raw mut answer).cast());
    let (kernel, device) = (kernel.cl(), device.cl());
    driver.cl().clGetKernelSubGroupInfo(kernel, device, name, input_size, input, size, room, null_mut())?;
    Ok(answer)
}

/// As C calls take it: no input is null.
#[inline(always)]
fn raw_input(input: &[u8]) -> (usize, *const c_void) {
    if input.is_empty() { (0, null()) } else { (input.len(), input.as_ptr().cast()) }
}

/// As [`ask_sub_groups`], whatever the driver.
fn ask_sub_groups_of_any(
    kernel: &Kernel,
    device: &Device,
    name: KernelSubGroupInfo,
    input: &[u8],
) -> Result<usize> {
    let driver = kernel.driver()?;
    if driver.version >= (2, 1) {
        return ask_sub_groups(driver, kernel, device, name, input);
    }
    let mut answer = 0_usize;
    let (input_size, input) = raw_input(input);
    let (size, room) = (size_of_val(&answer), (&raw mut answer).cast());
    let (kernel, device) = (kernel.cl(), device.cl());
    driver.ext.clGetKernelSubGroupInfoKHR(kernel, device, name, input_size, input, size, room, null_mut())?;
    Ok(answer)
}

/// The answer of a driver that was not asked last, or of one before OpenCL 2.1.
fn old_sub_group_info(
    kernel: &Kernel,
    device: &Device,
    name: KernelSubGroupInfo,
    input: &[u8],
    info: Info<'_>,
) -> Result<()> {
    let room = info.output_of()?;
    match ask_sub_groups_of_any(kernel, device, name, input) {
        asked if input.is_empty() && !matches!(asked, Ok(1..)) => {
            sub_group_info_of_largest(kernel, device, name, room, asked)
        }
        asked => asked.map(|answer| room.put(answer as u32)),
    }
}

/// OpenCL wants a work-group size for some questions; runtimes leave it out and mean "the largest". Some drivers understand
/// that, the others, which `asked` comes from, get to see it.
fn sub_group_info_of_largest(
    kernel: &Kernel,
    device: &Device,
    name: KernelSubGroupInfo,
    room: Output<'_, u32>,
    asked: Result<usize>,
) -> Result<()> {
    if ![KernelSubGroupInfo::MAX_SUB_GROUP_SIZE, KernelSubGroupInfo::MAX_NUM_SUB_GROUPS].contains(&name) {
        return asked.map(|answer| room.put(answer as u32));
    }
    let mut largest = [0_u8; 3 * size_of::<usize>()];
    let (size, start) = (largest.len(), largest.as_mut_ptr().cast::<c_void>());
    cl().clGetDeviceInfo(device.cl(), sys::CL_DEVICE_MAX_WORK_ITEM_SIZES, size, start, null_mut())?;
    ask_sub_groups_of_any(kernel, device, name, &largest).map(|answer| room.put(answer as u32))
}

/// An argument that is an address.
#[inline(always)]
fn set_pointer(driver: &Driver, kernel: &Kernel, index: u32, pointer: *const c_void) -> Result<()> {
    if driver.has_usm() {
        driver.ext.clSetKernelArgMemPointerINTEL(kernel.cl(), index, pointer)
    } else {
        driver.cl().clSetKernelArgSVMPointer(kernel.cl(), index, pointer)
    }
}

/// Whatever is to be said of a kernel's execution, to whatever driver.
fn set_exec_info(kernel: &Kernel, name: KernelExecInfo, value: &[u8]) -> Result<()> {
    match name {
        KernelExecInfo::USM_INDIRECT_ACCESS => set_indirect_access(kernel.driver()?, kernel, value),
        KernelExecInfo::USM_PTRS => {
            let driver = kernel.driver()?;
            let name = if driver.has_usm() {
                sys::CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL
            } else {
                sys::CL_KERNEL_EXEC_INFO_SVM_PTRS
            };
            driver.cl().clSetKernelExecInfo(kernel.cl(), name, value.len(), value.as_ptr().cast())
        }
        // A hint for devices whose cache can be divided.
        KernelExecInfo::CACHE_CONFIG => Ok(()),
        _ => Err(Error::invalid_value(format!("unknown value_name {name:#x}"))),
    }
}

/// The kernel may reach any USM block through pointers in memory, if a byte of `value` is set.
#[inline(always)]
fn set_indirect_access(driver: &Driver, kernel: &Kernel, value: &[u8]) -> Result<()> {
    if !driver.has_usm() || value.iter().all(|byte| *byte == 0) {
        // SVM: fine-grained system access is the nearest thing; coarse-grained drivers reach all blocks anyway.
        return Ok(());
    }
    let yes: sys::cl_bool = sys::CL_TRUE;
    for name in [
        sys::CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
        sys::CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        sys::CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
    ] {
        // A kind of memory that this device lacks is no reason to refuse the kernel.
        let _ =
            driver.cl().clSetKernelExecInfo(kernel.cl(), name, size_of_val(&yes), (&raw const yes).cast());
    }
    Ok(())
}
