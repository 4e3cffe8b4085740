//! What is found in a program by a symbol's name: functions, variables, host pipes.

use core::ffi::{CStr, c_void};
use std::ptr::null_mut;

use sycl_pi_backend::api::SymbolApi;
use sycl_pi_backend::{Error, Dependencies, Result};
use sycl_pi_backend::types::*;

use crate::OpenCl;
use crate::check::check_range;
use crate::enqueue::raw;
use crate::program::check_devices;
use crate::sys::{self, Device, Event, Program, Queue, Rooted, cl};

impl SymbolApi for OpenCl {
    fn device_function_pointer(device: &Device, program: &Program, name: &CStr) -> Result<u64> {
        // Intel's CPU runtime throws a C++ exception at names that it does not know: nothing could catch it here.
        if !kernel_names(program)?.split(|byte| *byte == b';').any(|kernel| kernel == name.to_bytes()) {
            let text = format!("{name:?}: the program has no such function");
            return Err(Error::new(ErrorCode::INVALID_KERNEL_NAME, text));
        }
        // Intel's CPU runtime of 2023 ends the process over another.
        check_devices(program, &[device])?;
        let driver = device.driver()?;
        let mut address = 0;
        let result = driver.ext.clGetDeviceFunctionPointerINTEL(
            device.cl(),
            program.cl(),
            name.as_ptr(),
            &mut address,
        );
        if result.is_ok() && address != 0 {
            return Ok(address);
        }
        let why = result.err().map(|error| format!(" ({error})")).unwrap_or_default();
        let text = format!("{name:?}: the driver gives no address of this kernel{why}");
        Err(Error::new(ErrorCode::FUNCTION_ADDRESS_IS_NOT_AVAILABLE, text))
    }

    fn global_variable_pointer(
        device: &Device,
        program: &Program,
        name: &CStr,
    ) -> Result<(usize, *mut c_void)> {
        let (mut size, mut address) = (0, null_mut());
        device
            .driver()?
            .ext
            .clGetDeviceGlobalVariablePointerINTEL(
                device.cl(),
                program.cl(),
                name.as_ptr(),
                &mut size,
                &mut address,
            )
            .map_err(|error| error.context(format!("variable {name:?}")))?;
        Ok((size, address))
    }

    fn enqueue_device_global_variable_read(
        queue: &Queue,
        program: &Program,
        name: &CStr,
        blocking: bool,
        count: usize,
        offset: usize,
        dst: *mut c_void,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_range(offset, count)?;
        check_context(queue, program)?;
        let (n, waits, event) = raw!(dependencies);
        let ext = &queue.driver()?.ext;
        let (queue, program) = (queue.cl(), program.cl());
        ext.clEnqueueReadGlobalVariableINTEL(
            queue,
            program,
            name.as_ptr(),
            blocking.into(),
            count,
            offset,
            dst,
            n,
            waits,
            event,
        )
        .map_err(|error| error.context(format!("variable {name:?}, bytes {offset}..{}", offset + count)))
    }

    fn enqueue_device_global_variable_write(
        queue: &Queue,
        program: &Program,
        name: &CStr,
        blocking: bool,
        count: usize,
        offset: usize,
        src: *const c_void,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        check_range(offset, count)?;
        check_context(queue, program)?;
        let (n, waits, event) = raw!(dependencies);
        let ext = &queue.driver()?.ext;
        let (queue, program) = (queue.cl(), program.cl());
        ext.clEnqueueWriteGlobalVariableINTEL(
            queue,
            program,
            name.as_ptr(),
            blocking.into(),
            count,
            offset,
            src,
            n,
            waits,
            event,
        )
        .map_err(|error| error.context(format!("variable {name:?}, bytes {offset}..{}", offset + count)))
    }

    fn enqueue_read_host_pipe(
        queue: &Queue,
        program: &Program,
        pipe: &CStr,
        blocking: bool,
        ptr: *mut c_void,
        size: usize,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let (n, waits, event) = raw!(dependencies);
        let ext = &queue.driver()?.ext;
        let (queue, program) = (queue.cl(), program.cl());
        ext.clEnqueueReadHostPipeINTEL(
            queue,
            program,
            pipe.as_ptr(),
            blocking.into(),
            ptr,
            size,
            n,
            waits,
            event,
        )
        .map_err(|error| error.context(format!("host pipe {pipe:?}")))
    }

    fn enqueue_write_host_pipe(
        queue: &Queue,
        program: &Program,
        pipe: &CStr,
        blocking: bool,
        ptr: *mut c_void,
        size: usize,
        mut dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let (n, waits, event) = raw!(dependencies);
        let ext = &queue.driver()?.ext;
        let (queue, program) = (queue.cl(), program.cl());
        ext.clEnqueueWriteHostPipeINTEL(
            queue,
            program,
            pipe.as_ptr(),
            blocking.into(),
            ptr,
            size,
            n,
            waits,
            event,
        )
        .map_err(|error| error.context(format!("host pipe {pipe:?}")))
    }
}

/// Refuses a program of another context than the queue's: Intel's CPU runtime does not look.
fn check_context(queue: &Queue, program: &Program) -> Result<()> {
    if queue.context()?.cl() == program.context()?.cl() {
        return Ok(());
    }
    Err(Error::new(ErrorCode::INVALID_CONTEXT, "the program is of another context than the queue"))
}

/// The names of a built program's kernels, joined with ';'.
fn kernel_names(program: &Program) -> Result<Vec<u8>> {
    crate::program::require_built(program)?;
    let cl = cl();
    let mut size = 0;
    let not_built = |error: Error| error.context("the program is not built");
    cl.clGetProgramInfo(program.cl(), sys::CL_PROGRAM_KERNEL_NAMES, 0, null_mut(), &mut size)
        .map_err(not_built)?;
    let mut names = vec![0_u8; size];
    cl.clGetProgramInfo(
        program.cl(),
        sys::CL_PROGRAM_KERNEL_NAMES,
        size,
        names.as_mut_ptr().cast(),
        null_mut(),
    )?;
    names.retain(|byte| *byte != 0);
    Ok(names)
}
