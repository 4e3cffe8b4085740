//! The choice among device binaries.

use sycl_pi_backend::{Error, Result};
use sycl_pi_backend::types::*;

use crate::sys;

/// The first image for `nvptx64`. Only the target's name is compared, so it is cheap.
pub(crate) fn select_binary(binaries: &[&pi_device_binary_struct]) -> Result<u32> {
    let targets = || binaries.iter().map(|binary| sys::target_spec(binary));
    targets()
        .position(|target| target == __SYCL_PI_DEVICE_BINARY_TARGET_NVPTX64)
        .map(|index| index as u32)
        .ok_or_else(|| {
            Error::new(
                ErrorCode::INVALID_BINARY,
                format!(
                    "no image for this device: it takes \"nvptx64\", the {} offered are for {:?}",
                    binaries.len(),
                    targets().collect::<Vec<_>>()
                ),
            )
        })
}
