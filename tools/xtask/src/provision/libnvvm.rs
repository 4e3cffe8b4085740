//! NVIDIA's libnvvm with libdevice, from its wheel.

use std::path::PathBuf;

use anyhow::Result;

use crate::fsutil;
use crate::provision::wheels;
use crate::releases::{Pin, pin};
use crate::workspace;

/// The last release that compiles for GPUs before Turing, and whose PTX most drivers accept.
const WHEEL: Pin = pin("nvidia-cuda-nvcc-cu12", "12.9.86");

/// Returns the folder for `PI_NVVM`, which contains `nvvm` and `bin/ptxas`. Unpacks it if necessary.
pub(crate) fn ensure() -> Result<PathBuf> {
    let folder = workspace::target().join("libnvvm").join(WHEEL.version);
    // The wheel is for every Python 3.
    fsutil::build_folder(&folder, WHEEL.version, |inside| {
        wheels::unpack(&wheels::ensure(&[WHEEL], 12)?, inside)
    })?;
    Ok(folder.join("nvidia/cuda_nvcc"))
}
