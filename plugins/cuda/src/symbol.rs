//! What is found in a program by a symbol's name: functions, variables, host pipes.

use core::ffi::{CStr, c_void};

use sycl_pi_backend::api::SymbolApi;
use sycl_pi_backend::{Counted, Error, Dependencies, Result};
use sycl_pi_backend::types::*;

use crate::Cuda;
use crate::copy::check_range;
use crate::device::Device;
use crate::event::Event;
use crate::program::Program;
use crate::queue::Queue;
use crate::submit::{Lane, submit};
use crate::sys::cuda;

/// The address of `count` bytes at `offset` of a variable.
#[inline(always)]
fn find(queue: &Counted<Queue>, program: &Program, name: &CStr, offset: usize, count: usize) -> Result<u64> {
    if !std::ptr::eq(&*program.context, &*queue.context) {
        return Err(Error::new(ErrorCode::INVALID_PROGRAM, "program is of another context than the queue"));
    }
    let module = program.module(queue.index)?;
    let (address, size) = module.variable(name, &program.declared)?;
    check_range(offset, count, size, "the variable")?;
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
        let _current = program.context.places[index].enter()?;
        let mut function = std::ptr::null_mut();
        // A host's handle, not an address on the device: CUDA gives none. Shipped plugins hand out the same.
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
        let index = program.context.index_of(device)?;
        let module = program.module(index)?;
        let _current = program.context.places[index].enter()?;
        let (address, size) = module.variable(name, &program.declared)?;
        Ok((size, std::ptr::with_exposed_provenance_mut(address as usize)))
    }

    #[inline(always)]
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
        let command = CommandType::DEVICE_GLOBAL_VARIABLE_READ;
        submit(queue, Lane::Copy, command, dependencies, blocking, |stream| {
            let from = find(queue, program, name, offset, count)?;
            if count == 0 {
                Ok(())
            } else {
                cuda()?.cuMemcpyAsync(dst.expose_provenance() as u64, from, count, stream)
            }
        })
    }

    #[inline(always)]
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
        let command = CommandType::DEVICE_GLOBAL_VARIABLE_WRITE;
        submit(queue, Lane::Copy, command, dependencies, blocking, |stream| {
            let to = find(queue, program, name, offset, count)?;
            if count == 0 {
                Ok(())
            } else {
                cuda()?.cuMemcpyAsync(to, src.expose_provenance() as u64, count, stream)
            }
        })
    }

    fn enqueue_read_host_pipe(
        _: &Counted<Queue>,
        _: &Counted<Program>,
        pipe: &CStr,
        _: bool,
        _: *mut c_void,
        _: usize,
        _: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        Err(Error::unsupported(format!("host pipe {pipe:?}: CUDA has no host pipes")))
    }

    fn enqueue_write_host_pipe(
        _: &Counted<Queue>,
        _: &Counted<Program>,
        pipe: &CStr,
        _: bool,
        _: *mut c_void,
        _: usize,
        _: Dependencies<'_, Counted<Event>>,
    ) -> Result<()> {
        Err(Error::unsupported(format!("host pipe {pipe:?}: CUDA has no host pipes")))
    }
}
