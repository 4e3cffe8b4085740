//! The choice among device binaries.

use std::ffi::{CStr, c_void};

use sycl_pi_backend::{Error, Result, cold_case};
use sycl_pi_backend::types::*;

use crate::sys::{self, Device, Rooted, cl};

/// The first image compiled ahead of time for this kind of device; with none, the **last** SPIR-V image.
///
/// Only the target's name is compared. Called per image and device as a yes-or-no question, so it must stay cheap.
#[inline(always)]
pub(crate) fn select_binary(device: &Device, binaries: &[&pi_device_binary_struct]) -> Result<u32> {
    // Without other images there is nothing that depends on the device. One of a driver that was not asked last, or not at all
    // after tear-down, is asked all the same.
    if device.known_driver().is_some() && binaries.iter().all(|binary| sys::is_spirv(binary)) {
        return Ok(binaries.len() as u32 - 1);
    }
    cold_case(move || choose(device, binaries))
}

/// As [`select_binary`], whatever the images.
fn choose(device: &Device, binaries: &[&pi_device_binary_struct]) -> Result<u32> {
    let mut device_type: sys::cl_device_type = 0;
    let (size, room) = (size_of_val(&device_type), (&raw mut device_type).cast::<c_void>());
    cl().clGetDeviceInfo(device.cl(), sys::CL_DEVICE_TYPE, size, room, std::ptr::null_mut())?;
    let ahead_of_time = match device_type & !sys::CL_DEVICE_TYPE_DEFAULT {
        sys::CL_DEVICE_TYPE_CPU => __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_X86_64,
        sys::CL_DEVICE_TYPE_GPU => __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_GEN,
        sys::CL_DEVICE_TYPE_ACCELERATOR => __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_FPGA,
        // Other devices take SPIR-V only.
        _ => c"",
    };
    let mut spirv = None;
    for (index, binary) in binaries.iter().enumerate() {
        if sys::is_spirv(binary) {
            spirv = Some(index);
        } else if !ahead_of_time.is_empty() && sys::is_for(binary, ahead_of_time) {
            return Ok(index as u32);
        }
    }
    match spirv {
        Some(index) => Ok(index as u32),
        None => Err(none(ahead_of_time, binaries)),
    }
}

fn none(ahead_of_time: &CStr, binaries: &[&pi_device_binary_struct]) -> Error {
    let offered: Vec<&CStr> = binaries.iter().map(|binary| sys::target_spec(binary)).collect();
    let takes = if ahead_of_time.is_empty() { String::new() } else { format!("{ahead_of_time:?} or ") };
    let text = format!(
        "no image for this device: it takes {takes}\"spir64\", the {} offered are for {offered:?}",
        offered.len()
    );
    Error::new(ErrorCode::INVALID_BINARY, text)
}
