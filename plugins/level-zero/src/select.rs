//! The choice among device binaries.

use std::ffi::CStr;

use sycl_pi_backend::{Error, Result};
use sycl_pi_backend::types::*;

use crate::{Device, sys};

/// The first image compiled ahead of time for Intel GPUs; with none, the first SPIR-V image.
///
/// Only the target's name is compared. Called per image and device as a yes-or-no question, so it must stay cheap.
pub(crate) fn select_binary(_: &Device, binaries: &[&pi_device_binary_struct]) -> Result<u32> {
    let find = |wanted: &CStr| binaries.iter().position(|binary| sys::target_spec(binary) == wanted);
    find(__SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64_GEN)
        .or_else(|| find(__SYCL_PI_DEVICE_BINARY_TARGET_SPIRV64))
        .map(|index| index as u32)
        .ok_or_else(|| {
            let targets: Vec<_> = binaries.iter().map(|binary| sys::target_spec(binary)).collect();
            Error::new(
                ErrorCode::INVALID_BINARY,
                format!(
                    "no image for this device: it takes \"spir64_gen\" or \"spir64\", the {} offered are for {targets:?}",
                    binaries.len()
                ),
            )
        })
}
