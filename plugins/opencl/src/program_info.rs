//! Queries of a program to the driver.

use std::ffi::CStr;
use std::ptr::null_mut;

use sycl_pi_backend::types::{ErrorCode, ProgramInfo};
use sycl_pi_backend::{Error, Info, New, Result};

use crate::sys::{self, Device, Kernel, Owned, Program, Queried, cl, create};

/// Answers a caller's query.
pub(crate) fn get(program: &Program, name: ProgramInfo, info: Info<'_>) -> Result<()> {
    match name {
        ProgramInfo::NUM_KERNELS | ProgramInfo::KERNEL_NAMES => require_built(program)?,
        ProgramInfo::BINARIES if !info.is_size_query() => return binaries(program, info),
        _ => {}
    }
    program.answer(name.0, info)
}

/// Returns the program's devices.
pub(crate) fn devices(program: &Program) -> Result<Vec<sys::cl_device_id>> {
    program.list(sys::CL_PROGRAM_DEVICES, null_mut())
}

/// Refuses devices that do not belong to the program.
pub(crate) fn check_devices(program: &Program, list: &[&Device]) -> Result<()> {
    if list.is_empty() {
        return Ok(());
    }
    let own = devices(program)?;
    if list.iter().all(|device| own.contains(&device.cl())) {
        return Ok(());
    }
    Err(Error::device_of_another_program())
}

/// Refuses a program that is not built. For an unbuilt program from a binary, Intel's CPU runtime reports that it is
/// built, and terminates the process on a query of its kernels. Only the creation of a kernel fails properly.
fn require_built(program: &Program) -> Result<()> {
    const NO_KERNEL: &CStr = c"no kernel has this name";
    let made: Result<New<Kernel>> =
        create(|code| cl().clCreateKernel(program.cl(), NO_KERNEL.as_ptr(), code));
    match made {
        Ok(kernel) => {
            drop(Owned::from(kernel));
            Ok(())
        }
        Err(error) if error.code() == ErrorCode::INVALID_PROGRAM_EXECUTABLE => {
            let text = "the program is built for no device: its kernels are not known";
            Err(Error::new(ErrorCode::INVALID_PROGRAM_EXECUTABLE, text))
        }
        Err(_) => Ok(()),
    }
}

/// Returns the names of a built program's kernels, joined with ';'.
pub(crate) fn kernel_names(program: &Program) -> Result<Vec<u8>> {
    require_built(program)?;
    let names = program.list(sys::CL_PROGRAM_KERNEL_NAMES, 0_u8);
    let mut names = names.map_err(|error| error.context("the program is not built"))?;
    names.retain(|byte| *byte != 0);
    Ok(names)
}

/// Fills the buffers whose addresses the caller left in its buffer. A null address means that the device is skipped.
/// OpenCL specifies this too, but drivers do not implement it.
fn binaries(program: &Program, mut info: Info<'_>) -> Result<()> {
    let mut places = info.addresses();
    let sizes = program.list(sys::CL_PROGRAM_BINARY_SIZES, 0_usize)?;
    // rusticl takes any number.
    if places.len() < sizes.len() {
        let text =
            format!("the buffer has {} addresses, and the program {} devices", places.len(), sizes.len());
        return Err(Error::invalid_value(text));
    }
    let mut unwanted: Vec<Vec<u8>> = sizes.iter().map(|size| vec![0; *size]).collect();
    for (place, unwanted) in places.iter_mut().zip(&mut unwanted) {
        if place.is_null() {
            *place = unwanted.as_mut_ptr();
        }
    }
    let (_, _, size_ret) = info.raw_parts();
    let (size, places) = (size_of_val(places.as_slice()), places.as_mut_ptr().cast());
    program.query(sys::CL_PROGRAM_BINARIES, size, places, size_ret)
}
