//! Functions and variables of a program, by name.

use core::ffi::{CStr, c_void};

use sycl_pi_backend::api::SymbolApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Dependencies, Error, Result};

use crate::Cuda;
use crate::copy::enqueue_copy::enqueue_memcpy;
use crate::copy::{check_range, device_address};
use crate::device::device_object::Device;
use crate::event::event_object::Event;
use crate::program::Program;
use crate::queue::{Queue, StreamKind};
use crate::submit::CommandRequest;
use crate::sys::{CUdeviceptr, cuda};

/// Returns the address of `count` bytes at `offset` of a variable on the queue's device.
#[inline]
fn variable_range(
    queue: &Counted<Queue>,
    program: &Program,
    name: &CStr,
    offset: usize,
    count: usize,
) -> Result<CUdeviceptr> {
    if !std::ptr::eq(&*program.context, &*queue.context) {
        return Err(Error::other_context("the program", "the queue"));
    }
    let (address, size) = program.variable(queue.index, name)?;
    check_range(offset, count, size, format_args!("the program's variable {name:?}"))?;
    Ok(address + offset as u64)
}

impl SymbolApi for Cuda {
    fn device_function_pointer(
        device: &Counted<Device>,
        program: &Counted<Program>,
        name: &CStr,
    ) -> Result<u64> {
        let index = program.context.index_of(device)?;
        let module = program.module(index)?;
        let _current = program.context.devices[index].enter()?;
        let mut function = std::ptr::null_mut();
        // This is the host's handle, because CUDA has no device address for it. Shipped plugins return the same.
        cuda()?.cuModuleGetFunction(&mut function, module.raw.get(), name.as_ptr()).map_err(|error| {
            match error.code() {
                ErrorCode::INVALID_VALUE => error.with_code(ErrorCode::INVALID_KERNEL_NAME),
                _ => error.with_code(ErrorCode::FUNCTION_ADDRESS_IS_NOT_AVAILABLE),
            }
        })?;
        Ok(function.expose_provenance() as u64)
    }

    fn global_variable_pointer(
        device: &Counted<Device>,
        program: &Counted<Program>,
        name: &CStr,
    ) -> Result<(usize, *mut c_void)> {
        let (address, size) = program.variable(program.context.index_of(device)?, name)?;
        Ok((size, std::ptr::with_exposed_provenance_mut(address as usize)))
    }

    #[inline]
    fn enqueue_device_global_variable_read(
        queue: &Counted<Queue>,
        program: &Counted<Program>,
        name: &CStr,
        blocking: bool,
        count: usize,
        offset: usize,
        dst: *mut c_void,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let src = variable_range(queue, program, name, offset, count)?;
        let request = CommandRequest::new(CommandType::DEVICE_GLOBAL_VARIABLE_READ, StreamKind::Copy)
            .blocking(blocking);
        enqueue_memcpy(queue, request, device_address(dst), src, count, dependencies)
    }

    #[inline]
    fn enqueue_device_global_variable_write(
        queue: &Counted<Queue>,
        program: &Counted<Program>,
        name: &CStr,
        blocking: bool,
        count: usize,
        offset: usize,
        src: *const c_void,
        dependencies: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        let dst = variable_range(queue, program, name, offset, count)?;
        let request = CommandRequest::new(CommandType::DEVICE_GLOBAL_VARIABLE_WRITE, StreamKind::Copy)
            .blocking(blocking);
        enqueue_memcpy(queue, request, dst, device_address(src), count, dependencies)
    }
}
