//! The kernels in the form that a device accepts.

use std::ptr::{null, null_mut};

use anyhow::{Context, Result, bail};
use sycl_pi_core::*;
use sycl_pi_loader::{Backend, Table};

const SPIRV: &[u8] = include_bytes!("../../kernels/basic.spv");
const PTX: &str = concat!(include_str!("../../kernels/cuda/basic.ptx"), "\0");
/// The form for the software CUDA driver.
const HOST_CODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/basic.so"));
const SOFTWARE: &str = "Software GPU";

/// Creates and builds a program for the devices of a context.
pub(crate) fn program(
    pi: &Table,
    backend: Backend,
    context: pi_context,
    devices: &[pi_device],
) -> Result<pi_program> {
    let mut program = null_mut();
    let count = devices.len() as u32;
    // SAFETY: live handles, lists of that many devices and images, and room for the program.
    unsafe {
        if backend == Backend::Cuda {
            let code = if name(pi, devices[0])? == SOFTWARE { HOST_CODE } else { PTX.as_bytes() };
            if code.is_empty() {
                bail!(
                    "the kernels for the software CUDA driver need a C compiler where this program is built"
                );
            }
            let (lengths, starts) = (vec![code.len(); devices.len()], vec![code.as_ptr(); devices.len()]);
            let mut status = vec![0; devices.len()];
            let (devices, lengths, starts) = (devices.as_ptr(), lengths.as_ptr(), starts.as_ptr());
            let status = status.as_mut_ptr();
            pi.piProgramCreateWithBinary(
                context,
                count,
                devices,
                lengths,
                starts,
                0,
                null(),
                status,
                &mut program,
            )?;
        } else {
            pi.piProgramCreate(context, SPIRV.as_ptr().cast(), SPIRV.len(), &mut program)?;
        }
        pi.piProgramBuild(program, count, devices.as_ptr(), c"".as_ptr(), None, null_mut())?;
    }
    Ok(program)
}

/// Returns a device's name.
pub(crate) fn name(pi: &Table, device: pi_device) -> Result<String> {
    // A buffer of exactly the right size, because vendors' plugins end the process over a larger one.
    let mut size = 0;
    // SAFETY: room for the size.
    unsafe { pi.piDeviceGetInfo(device, PI_DEVICE_INFO_NAME, 0, null_mut(), &mut size)? };
    let mut name = vec![0_u8; size];
    let room = name.as_mut_ptr().cast();
    // SAFETY: a buffer of that size.
    unsafe { pi.piDeviceGetInfo(device, PI_DEVICE_INFO_NAME, size, room, null_mut())? };
    let text = std::ffi::CStr::from_bytes_until_nul(&name).context("a device's name has no end")?;
    Ok(text.to_string_lossy().into_owned())
}
