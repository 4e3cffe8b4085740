//! Program queries.

use std::ptr::null_mut;

use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, Result};

use crate::objects::{DeviceHandle, ProgramHandle, ProgramOrigin, raw_handle};
use crate::sys;

/// Answers a query about a program.
pub(crate) fn get(program: &ProgramHandle, name: ProgramInfo, info: Info<'_>) -> Result<()> {
    let devices = &program.context.devices;
    match name {
        ProgramInfo::REFERENCE_COUNT => info.value(program.reference_count()),
        ProgramInfo::CONTEXT => info.value(raw_handle(&program.context)),
        ProgramInfo::NUM_DEVICES => info.value(devices.len() as u32),
        ProgramInfo::DEVICES => {
            let handles: Vec<_> = devices.iter().map(|device| raw_handle(device)).collect();
            info.slice(&handles)
        }
        // As in OpenCL, the source is empty if there is none.
        ProgramInfo::SOURCE => info.str(""),
        ProgramInfo::IL => match &program.origin {
            ProgramOrigin::Il(il) => info.bytes(il),
            ProgramOrigin::Binaries(_) | ProgramOrigin::None => info.bytes(&[]),
        },
        ProgramInfo::BINARY_SIZES => {
            let sizes: Result<Vec<usize>> =
                devices.iter().map(|device| Ok(binary(program, device)?.len())).collect();
            info.slice(&sizes?)
        }
        ProgramInfo::BINARIES => {
            let mut addresses = info.addresses();
            if info.is_size_query() {
                addresses.resize(devices.len(), null_mut());
            } else if addresses.len() < devices.len() {
                return Err(Error::invalid_value(format!(
                    "the buffer has {} pointers; the program has {} devices, each needs one",
                    addresses.len(),
                    devices.len()
                )));
            } else {
                for (device, address) in devices.iter().zip(&addresses) {
                    let bytes = binary(program, device)?;
                    let from = sys::Address::new(bytes.as_ptr());
                    sys::copy_in(sys::Address::new(*address), from, bytes.len());
                }
            }
            // The pointers are unchanged; only their size is reported.
            info.slice(&addresses[..devices.len()])
        }
        ProgramInfo::NUM_KERNELS => info.value(kernel_names(program)?.len()),
        ProgramInfo::KERNEL_NAMES => {
            let mut text = kernel_names(program)?.join(&b';');
            text.push(0);
            info.bytes(&text)
        }
        _ => Err(Error::unknown_query("program", name)),
    }
}

fn kernel_names(program: &ProgramHandle) -> Result<Vec<Vec<u8>>> {
    match program.modules()?.first() {
        Some((_, module)) => module.kernel_names(),
        None => Ok(Vec::new()),
    }
}

/// Returns the native binary for a device, which is empty if the program is not built for it.
fn binary(program: &ProgramHandle, device: &DeviceHandle) -> Result<Vec<u8>> {
    match program.module(device) {
        Ok(module) => module.binary(),
        Err(_) => match &program.origin {
            ProgramOrigin::Binaries(list) => {
                let own = list.iter().find(|(of, _)| of.ze == device.ze);
                Ok(own.map(|(_, bytes)| bytes.to_vec()).unwrap_or_default())
            }
            _ => Ok(Vec::new()),
        },
    }
}

/// Answers a query about a build.
pub(crate) fn get_build(
    program: &ProgramHandle,
    device: &DeviceHandle,
    name: ProgramBuildInfo,
    info: Info<'_>,
) -> Result<()> {
    let builds = program.builds.lock();
    let root = device.root().ze;
    let build = builds.devices.iter().find(|build| build.device == device.ze || build.device == root);
    match name {
        ProgramBuildInfo::STATUS => info.value(match build {
            Some(build) if build.module.is_some() => ProgramBuildStatus::SUCCESS,
            Some(_) => ProgramBuildStatus::ERROR,
            None if builds.compiled => ProgramBuildStatus::SUCCESS,
            None => ProgramBuildStatus::NONE,
        }),
        ProgramBuildInfo::OPTIONS => info.str(&builds.options),
        ProgramBuildInfo::LOG => info.str(build.map_or("", |build| &build.log)),
        ProgramBuildInfo::BINARY_TYPE => info.value(match build {
            Some(build) if build.module.is_some() => ProgramBinaryType::EXECUTABLE,
            None if builds.compiled => ProgramBinaryType::COMPILED_OBJECT,
            _ => ProgramBinaryType::NONE,
        }),
        _ => Err(Error::unknown_query("build", name)),
    }
}
