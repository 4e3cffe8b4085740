//! Selection among device binaries.

use std::ffi::CStr;

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

/// The target of code that was compiled ahead of time for Intel GPUs.
const COMPILED: &CStr = c"spir64_gen";
const SPIRV: &CStr = c"spir64";

/// Selects the first image compiled ahead of time for Intel GPUs, or else the first SPIR-V image.
///
/// Only the target's name is compared. Runtimes call this for every image and device, so it must be cheap.
pub(crate) fn select_binary(targets: &[&CStr]) -> Result<u32> {
    let find = |wanted: &CStr| targets.iter().position(|target| *target == wanted);
    find(COMPILED).or_else(|| find(SPIRV)).map(|index| index as u32).ok_or_else(|| {
        Error::new(
            ErrorCode::INVALID_BINARY,
            format!(
                "no image for this device: it takes \"spir64_gen\" or \"spir64\", the {} offered are for {targets:?}",
                targets.len()
            ),
        )
    })
}
