//! Selection among device binaries.

use std::ffi::CStr;

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

use crate::sys::{self, Device, Queried};

/// The target of SPIR-V for 64-bit devices.
const SPIRV: &CStr = c"spir64";

/// Selects the first image compiled ahead of time for this kind of device, or else the **last** SPIR-V image.
///
/// Only the target's name is compared. Runtimes call this for every image and device, so it must be cheap.
pub(crate) fn select_binary(device: &Device, targets: &[&CStr]) -> Result<u32> {
    // Without other images, the answer does not depend on the device.
    if !targets.is_empty() && targets.iter().all(|target| *target == SPIRV) {
        return Ok(targets.len() as u32 - 1);
    }
    let ahead_of_time = ahead_of_time_target(device)?;
    let find_first = |wanted: &CStr| targets.iter().position(|target| *target == wanted);
    let spirv = || targets.iter().rposition(|target| *target == SPIRV);
    match ahead_of_time.and_then(find_first).or_else(spirv) {
        Some(index) => Ok(index as u32),
        None => Err(no_image(ahead_of_time, targets)),
    }
}

/// Returns the target of images compiled for this kind of device. Other kinds accept only SPIR-V.
fn ahead_of_time_target(device: &Device) -> Result<Option<&'static CStr>> {
    let kind: sys::cl_device_type = device.value(sys::CL_DEVICE_TYPE, 0)?;
    Ok(match kind & !sys::CL_DEVICE_TYPE_DEFAULT {
        sys::CL_DEVICE_TYPE_CPU => Some(c"spir64_x86_64"),
        sys::CL_DEVICE_TYPE_GPU => Some(c"spir64_gen"),
        sys::CL_DEVICE_TYPE_ACCELERATOR => Some(c"spir64_fpga"),
        _ => None,
    })
}

fn no_image(ahead_of_time: Option<&CStr>, targets: &[&CStr]) -> Error {
    let takes = ahead_of_time.map(|target| format!("{target:?} or ")).unwrap_or_default();
    let text = format!(
        "no image for this device: it takes {takes}{SPIRV:?}, the {} offered are for {targets:?}",
        targets.len()
    );
    Error::new(ErrorCode::INVALID_BINARY, text)
}
