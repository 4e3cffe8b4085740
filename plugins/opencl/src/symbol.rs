//! Functions, variables and host pipes, looked up in a program by the name of a symbol.

use core::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;

use sycl_pi_backend::api::SymbolApi;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Dependencies, Error, Result};

use crate::OpenCl;
use crate::check::check_range;
use crate::program_info;
use crate::sys::{
    self, Device, Event, ExtensionFunctions, HasPlatform, Platform, Program, Queue, raw_dependencies,
};

/// `clEnqueueReadGlobalVariableINTEL` or `clEnqueueWriteGlobalVariableINTEL`. The two numbers are size and offset.
type VariableCommand = fn(
    &ExtensionFunctions,
    sys::cl_command_queue,
    sys::cl_program,
    *const c_char,
    sys::cl_bool,
    usize,
    usize,
    *mut c_void,
    u32,
    *const sys::cl_event,
    *mut sys::cl_event,
) -> Result<()>;

/// `clEnqueueReadHostPipeINTEL` or `clEnqueueWriteHostPipeINTEL`.
type PipeCommand = fn(
    &ExtensionFunctions,
    sys::cl_command_queue,
    sys::cl_program,
    *const c_char,
    sys::cl_bool,
    *mut c_void,
    usize,
    u32,
    *const sys::cl_event,
    *mut sys::cl_event,
) -> Result<()>;

impl SymbolApi for OpenCl {
    fn device_function_pointer(device: &Device, program: &Program, name: &CStr) -> Result<u64> {
        // Intel's CPU runtime throws a C++ exception for unknown names, which cannot be caught here.
        if !program_info::kernel_names(program)?
            .split(|byte| *byte == b';')
            .any(|kernel| kernel == name.to_bytes())
        {
            let text = format!("{name:?}: the program has no such function");
            return Err(Error::new(ErrorCode::INVALID_KERNEL_NAME, text));
        }
        // Intel's CPU runtime of 2023 terminates the process on a device that does not belong to the program.
        program_info::check_devices(program, &[device])?;
        let mut address = 0;
        let functions = &device.driver()?.extensions;
        let result =
            functions.clGetDeviceFunctionPointerINTEL(device.cl(), program.cl(), name.as_ptr(), &mut address);
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
        let functions = &device.driver()?.extensions;
        functions
            .clGetDeviceGlobalVariablePointerINTEL(
                device.cl(),
                program.cl(),
                name.as_ptr(),
                &mut size,
                &mut address,
            )
            .map_err(|error| without_variables(device.platform(), error))
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
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let command = ExtensionFunctions::clEnqueueReadGlobalVariableINTEL;
        enqueue_variable(command, (queue, program), name, blocking, (count, offset), dst, dependencies)
    }

    fn enqueue_device_global_variable_write(
        queue: &Queue,
        program: &Program,
        name: &CStr,
        blocking: bool,
        count: usize,
        offset: usize,
        src: *const c_void,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let (command, src) = (ExtensionFunctions::clEnqueueWriteGlobalVariableINTEL, src.cast_mut());
        enqueue_variable(command, (queue, program), name, blocking, (count, offset), src, dependencies)
    }

    fn enqueue_read_host_pipe(
        queue: &Queue,
        program: &Program,
        pipe: &CStr,
        blocking: bool,
        ptr: *mut c_void,
        size: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let command = ExtensionFunctions::clEnqueueReadHostPipeINTEL;
        enqueue_pipe(command, (queue, program), pipe, blocking, (ptr, size), dependencies)
    }

    fn enqueue_write_host_pipe(
        queue: &Queue,
        program: &Program,
        pipe: &CStr,
        blocking: bool,
        ptr: *mut c_void,
        size: usize,
        dependencies: Dependencies<'_, Event>,
    ) -> Result<()> {
        let command = ExtensionFunctions::clEnqueueWriteHostPipeINTEL;
        enqueue_pipe(command, (queue, program), pipe, blocking, (ptr, size), dependencies)
    }
}

/// Enqueues a transfer between a device variable and host memory.
fn enqueue_variable(
    command: VariableCommand,
    (queue, program): (&Queue, &Program),
    name: &CStr,
    blocking: bool,
    (count, offset): (usize, usize),
    ptr: *mut c_void,
    mut dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    check_range(offset, count)?;
    check_context(queue, program)?;
    let functions = &queue.driver()?.extensions;
    let (n, waits, event) = raw_dependencies(&mut dependencies);
    let (cl_queue, cl_program, symbol) = (queue.cl(), program.cl(), name.as_ptr());
    sys::blocking(queue, blocking, event, |blocking, event| {
        command(functions, cl_queue, cl_program, symbol, blocking, count, offset, ptr, n, waits, event)
    })
    .map_err(|error| without_variables(queue.context().and_then(|context| context.platform()), error))
    .map_err(|error| error.context(format!("variable {name:?}, bytes {offset}..{}", offset + count)))
}

/// Adds the driver's name and advice to the error of a function that the driver lacks.
#[cold]
fn without_variables(platform: Result<&Platform>, error: Error) -> Error {
    if error.code() != ErrorCode::UNSUPPORTED_FEATURE {
        return error;
    }
    let name = platform.and_then(Platform::name).unwrap_or_default();
    error.context(format!(
        "OpenCL platform {name} does not let the host access variables of programs (device_global); pass a buffer or USM \
         instead, or use a device of another platform"
    ))
}

/// Enqueues a transfer between a host pipe and host memory.
fn enqueue_pipe(
    command: PipeCommand,
    (queue, program): (&Queue, &Program),
    pipe: &CStr,
    blocking: bool,
    (ptr, size): (*mut c_void, usize),
    mut dependencies: Dependencies<'_, Event>,
) -> Result<()> {
    let functions = &queue.driver()?.extensions;
    let (n, waits, event) = raw_dependencies(&mut dependencies);
    let (cl_queue, cl_program, symbol) = (queue.cl(), program.cl(), pipe.as_ptr());
    sys::blocking(queue, blocking, event, |blocking, event| {
        command(functions, cl_queue, cl_program, symbol, blocking, ptr, size, n, waits, event)
    })
    .map_err(|error| error.context(format!("host pipe {pipe:?}")))
}

/// Refuses a program that belongs to another context than the queue, which Intel's CPU runtime does not check.
fn check_context(queue: &Queue, program: &Program) -> Result<()> {
    if queue.context()?.cl() == program.context()?.cl() {
        return Ok(());
    }
    Err(Error::other_context("the program", "the queue"))
}
