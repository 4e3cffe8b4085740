//! The choice among device binaries.

use std::ffi::{CStr, c_void};

use pi_core::*;
use pi_plugin::{Error, Result};

use crate::sys::{self, Device, cl};

/// The first image compiled ahead of time for this kind of device; with none, the **last** SPIR-V image.
///
/// Only the target's name is compared. Called per image and device as a yes-or-no question, so it must stay cheap.
pub(crate) fn select_binary(device: &Device, binaries: &[&pi_device_binary_struct]) -> Result<pi_uint32> {
    let mut device_type: sys::cl_device_type = 0;
    let room = (&raw mut device_type).cast::<c_void>();
    cl().clGetDeviceInfo(
        device.cl(),
        sys::CL_DEVICE_TYPE,
        size_of_val(&device_type),
        room,
        std::ptr::null_mut(),
    )?;
    let ahead_of_time = match device_type & !sys::CL_DEVICE_TYPE_DEFAULT {
        sys::CL_DEVICE_TYPE_CPU => __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_X86_64,
        sys::CL_DEVICE_TYPE_GPU => __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_GEN,
        sys::CL_DEVICE_TYPE_ACCELERATOR => __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_FPGA,
        // Other devices take SPIR-V only.
        _ => __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64,
    };
    let targets = || binaries.iter().map(|binary| sys::target_spec(binary));
    targets()
        .position(|target| target == ahead_of_time && target != __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64)
        .or_else(|| last(targets(), __SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64))
        .map(|index| index as pi_uint32)
        .ok_or_else(|| {
            Error::new(
                PI_ERROR_INVALID_BINARY,
                format!(
                    "no image for this device: it takes {ahead_of_time:?} or \"spir64\", the {} offered are for {:?}",
                    binaries.len(),
                    targets().collect::<Vec<_>>()
                ),
            )
        })
}

fn last<'a>(targets: impl Iterator<Item = &'a CStr>, wanted: &CStr) -> Option<usize> {
    targets.enumerate().filter(|(_, target)| *target == wanted).map(|(index, _)| index).last()
}
