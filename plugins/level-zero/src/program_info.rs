//! What programs tell of themselves.

use sycl_pi_backend::{Error, Info, Result};
use sycl_pi_core::*;

use crate::program::Source;
use crate::{Device, Program, context, device, handle, sys};

/// Answers `piProgramGetInfo`.
pub(crate) fn get(program: &Program, name: pi_program_info, mut info: Info<'_>) -> Result<()> {
    let devices = &program.context.devices;
    match name {
        PI_PROGRAM_INFO_REFERENCE_COUNT => info.value(program.reference_count()),
        PI_PROGRAM_INFO_CONTEXT => info.value(handle::<context::Body>(&program.context)),
        PI_PROGRAM_INFO_NUM_DEVICES => info.value(devices.len() as pi_uint32),
        PI_PROGRAM_INFO_DEVICES => {
            let handles: Vec<_> = devices.iter().map(|device| handle::<device::Body>(device)).collect();
            info.slice(&handles)
        }
        // As OpenCL: empty for what has no source text.
        PI_PROGRAM_INFO_SOURCE => info.str(""),
        PI_PROGRAM_INFO_BINARY_SIZES => {
            let sizes: Result<Vec<usize>> =
                devices.iter().map(|device| Ok(binary(program, device)?.len())).collect();
            info.slice(&sizes?)
        }
        PI_PROGRAM_INFO_BINARIES => {
            let (size, room, size_ret) = info.raw_parts();
            let needed = devices.len() * size_of::<*mut u8>();
            if !room.is_null() {
                if size < needed {
                    return Err(Error::invalid_value(format!(
                        "param_value_size is {size}, {needed} are needed: a pointer per device"
                    )));
                }
                for (device, slot) in devices.iter().zip(sys::binary_slots(room, devices.len())) {
                    let bytes = binary(program, device)?;
                    let from = sys::Address::new(bytes.as_ptr());
                    sys::copy_in(sys::Address::new(slot), from, bytes.len());
                }
            }
            sys::put_size(size_ret, needed);
            Ok(())
        }
        PI_PROGRAM_INFO_NUM_KERNELS => info.value(kernel_names(program)?.len()),
        PI_PROGRAM_INFO_KERNEL_NAMES => {
            let mut text = kernel_names(program)?.join(&b';');
            text.push(0);
            info.bytes(&text)
        }
        _ => Err(Error::invalid_value(format!("param_name: unknown program query {name:#x}"))),
    }
}

fn kernel_names(program: &Program) -> Result<Vec<Vec<u8>>> {
    match program.modules()?.first() {
        Some((_, module)) => module.kernel_names(),
        None => Ok(Vec::new()),
    }
}

/// The native binary for a device; empty where the program is not built for it.
fn binary(program: &Program, device: &Device) -> Result<Vec<u8>> {
    match program.module(device) {
        Ok(module) => module.binary(),
        Err(_) => match &program.source {
            Source::Binaries(list) => {
                let own = list.iter().find(|(of, _)| of.ze == device.ze);
                Ok(own.map(|(_, bytes)| bytes.to_vec()).unwrap_or_default())
            }
            _ => Ok(Vec::new()),
        },
    }
}

/// Answers `piProgramGetBuildInfo`.
pub(crate) fn get_build(
    program: &Program,
    device: &Device,
    name: pi_program_build_info,
    info: Info<'_>,
) -> Result<()> {
    let state = program.state.lock();
    let root = device.root().ze;
    let build = state.builds.iter().find(|build| build.device == device.ze || build.device == root);
    match name {
        PI_PROGRAM_BUILD_INFO_STATUS => info.value(match build {
            Some(build) if build.module.is_some() => PI_PROGRAM_BUILD_STATUS_SUCCESS,
            Some(_) => PI_PROGRAM_BUILD_STATUS_ERROR,
            None if state.compiled => PI_PROGRAM_BUILD_STATUS_SUCCESS,
            None => PI_PROGRAM_BUILD_STATUS_NONE,
        }),
        PI_PROGRAM_BUILD_INFO_OPTIONS => info.str(&state.options),
        PI_PROGRAM_BUILD_INFO_LOG => info.str(build.map_or("", |build| &build.log)),
        PI_PROGRAM_BUILD_INFO_BINARY_TYPE => info.value(match build {
            Some(build) if build.module.is_some() => PI_PROGRAM_BINARY_TYPE_EXECUTABLE,
            None if state.compiled => PI_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
            _ => PI_PROGRAM_BINARY_TYPE_NONE,
        }),
        _ => Err(Error::invalid_value(format!("param_name: unknown build query {name:#x}"))),
    }
}
