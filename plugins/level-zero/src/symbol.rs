//! Functions and variables, looked up in a program by the name of a symbol.

use core::ffi::{CStr, c_void};

use sycl_pi_backend::api::SymbolApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Dependencies, Error, Result};

use crate::objects::{CommandResources, DeviceHandle, EventHandle, ProgramHandle, QueueHandle};
use crate::submission::EngineKind;
use crate::submit::CommandRequest;
use crate::sys::{self, Address};
use crate::{LevelZero, copy};

/// Returns the address of a variable's bytes. Refuses bytes outside of the variable.
fn bytes_of(
    queue: &QueueHandle,
    program: &ProgramHandle,
    name: &CStr,
    offset: usize,
    count: usize,
) -> Result<Address> {
    if program.context.ze != queue.context.ze {
        return Err(Error::other_context("the program", "the queue"));
    }
    let module = program.module(&queue.device)?;
    let (size, start) = module.global(name).map_err(sys::named("variable", name))?;
    if count > size || offset > size - count {
        return Err(Error::outside(format_args!("the program's variable {name:?}"), offset, count, size));
    }
    Ok(start.add(offset))
}

fn request(program: &ProgramHandle, command: CommandType, blocking: bool) -> CommandRequest {
    CommandRequest::new(command, EngineKind::Copy)
        .blocking(blocking)
        .holding(CommandResources::other(program.share()))
}

impl SymbolApi for LevelZero {
    fn device_function_pointer(device: &DeviceHandle, program: &ProgramHandle, name: &CStr) -> Result<u64> {
        let module = program.module(device)?;
        module.function(name).map_err(|error| {
            if error.code() == ErrorCode::INVALID_PROGRAM_EXECUTABLE {
                return error;
            }
            let known = module.kernel_names().is_ok_and(|names| names.iter().any(|of| of == name.to_bytes()));
            let (code, what) = if known {
                (ErrorCode::FUNCTION_ADDRESS_IS_NOT_AVAILABLE, "the driver gives no address of this kernel")
            } else {
                (ErrorCode::INVALID_KERNEL_NAME, "the program has no such function")
            };
            Error::new(code, format!("{name:?}: {what} ({error})"))
        })
    }

    fn global_variable_pointer(
        device: &DeviceHandle,
        program: &ProgramHandle,
        name: &CStr,
    ) -> Result<(usize, *mut c_void)> {
        let (size, start) = program.module(device)?.global(name).map_err(sys::named("variable", name))?;
        Ok((size, start.get()))
    }

    fn enqueue_device_global_variable_read(
        queue: &QueueHandle,
        program: &ProgramHandle,
        name: &CStr,
        blocking: bool,
        count: usize,
        offset: usize,
        dst: *mut c_void,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        let start = bytes_of(queue, program, name, offset, count)?;
        let request = request(program, CommandType::DEVICE_GLOBAL_VARIABLE_READ, blocking);
        copy::linear(queue, request, Address::new(dst), start, count, dependencies)
    }

    fn enqueue_device_global_variable_write(
        queue: &QueueHandle,
        program: &ProgramHandle,
        name: &CStr,
        blocking: bool,
        count: usize,
        offset: usize,
        src: *const c_void,
        dependencies: Dependencies<'_, EventHandle>,
    ) -> Result<()> {
        let start = bytes_of(queue, program, name, offset, count)?;
        let request = request(program, CommandType::DEVICE_GLOBAL_VARIABLE_WRITE, blocking);
        copy::linear(queue, request, start, Address::new(src), count, dependencies)
    }
}
