//! The choice among device binaries.

use std::ffi::CStr;

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};

/// Code that was compiled ahead of time for Intel GPUs.
const COMPILED: &CStr = c"spir64_gen";
const SPIRV: &CStr = c"spir64";

/// The first image compiled ahead of time for Intel GPUs; with none, the first SPIR-V image.
///
/// Only the target's name is compared. Runtimes ask for every image and device, so the answer must stay cheap.
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
