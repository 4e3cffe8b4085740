//! What is found in a program by a symbol's name: functions, variables.

use core::ffi::{CStr, c_void};

use sycl_pi_backend::api::SymbolApi;
use sycl_pi_backend::{Error, Dependencies, Result};
use sycl_pi_backend::types::*;

use crate::lane::{Ask, Held, Work};
use crate::sys::{self, Address};
use crate::{Device, Event, LevelZero, Program, Queue, copy};

/// Where the bytes of a variable are; refuses bytes that it has not.
fn bytes_of(queue: &Queue, program: &Program, name: &CStr, offset: usize, count: usize) -> Result<Address> {
    if program.context.ze != queue.lane.context.ze {
        return Err(Error::new(ErrorCode::INVALID_CONTEXT, "the program is of another context than the queue"));
    }
    let module = program.module(&queue.lane.device)?;
    let (size, start) = module.global(name).map_err(sys::named("variable", name))?;
    if count > size || offset > size - count {
        return Err(Error::invalid_value(format!(
            "count and offset: {count} bytes from byte {offset} on are out of range, variable {name:?} has {size}"
        )));
    }
    Ok(start.add(offset))
}

fn ask(program: &Program, command: CommandType, blocking: bool) -> Ask {
    Ask::new(command, Work::Copy).blocking(blocking).held(Held::other(program.share()))
}

impl SymbolApi for LevelZero {
    fn device_function_pointer(device: &Device, program: &Program, name: &CStr) -> Result<u64> {
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
        device: &Device,
        program: &Program,
        name: &CStr,
    ) -> Result<(usize, *mut c_void)> {
        let (size, start) = program.module(device)?.global(name).map_err(sys::named("variable", name))?;
        Ok((size, start.get()))
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
        let start = bytes_of(queue, program, name, offset, count)?;
        let ask = ask(program, CommandType::DEVICE_GLOBAL_VARIABLE_READ, blocking);
        copy::linear(queue, ask, Address::new(dst), start, count, dependencies)
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
        let start = bytes_of(queue, program, name, offset, count)?;
        let ask = ask(program, CommandType::DEVICE_GLOBAL_VARIABLE_WRITE, blocking);
        copy::linear(queue, ask, start, Address::new(src), count, dependencies)
    }

    fn enqueue_read_host_pipe(
        _: &Queue,
        _: &Program,
        _: &CStr,
        _: bool,
        _: *mut c_void,
        _: usize,
        _: Dependencies<'_, Event>,
    ) -> Result<()> {
        Err(Error::unsupported("Level Zero has no host pipes"))
    }

    fn enqueue_write_host_pipe(
        _: &Queue,
        _: &Program,
        _: &CStr,
        _: bool,
        _: *mut c_void,
        _: usize,
        _: Dependencies<'_, Event>,
    ) -> Result<()> {
        Err(Error::unsupported("Level Zero has no host pipes"))
    }
}
