//! `PI_CUDA_AS`: the platform calls itself OpenCL or Level Zero, as DPC++'s runtime hands SPIR-V to no platform that calls itself CUDA.
//!
//! Level Zero is for programs whose kernels want work-groups that run at the same time: the runtime believes only GPUs of Level Zero to have
//! them, without asking. CUDA has them in cooperative launches, which such kernels get.

use std::env;
use std::ffi::CStr;
use std::sync::OnceLock;

use sycl_pi_backend::types::{ErrorCode, PlatformBackend};
use sycl_pi_backend::{Error, Result};

const VARIABLE: &str = "PI_CUDA_AS";

/// What the platform calls itself, if it is not CUDA. Decided once for the process.
fn other_name() -> Option<(PlatformBackend, &'static str)> {
    static ASKED: OnceLock<Option<(PlatformBackend, &str)>> = OnceLock::new();
    *ASKED.get_or_init(|| {
        let value = env::var_os(VARIABLE)?.to_string_lossy().to_lowercase();
        match value.as_str() {
            "opencl" => Some((PlatformBackend::OPENCL, "OpenCL")),
            "level_zero" => Some((PlatformBackend::LEVEL_ZERO, "Level Zero")),
            "" | "cuda" => None,
            _ => {
                log::warn!("{VARIABLE} is {value:?}; known are opencl, level_zero and cuda");
                None
            }
        }
    })
}

/// Whether the platform is to call itself something else than CUDA.
pub(crate) fn is_asked_for() -> bool {
    other_name().is_some()
}

/// The interface that the platform says it is of.
pub(crate) fn interface() -> PlatformBackend {
    other_name().map_or(PlatformBackend::CUDA, |(backend, _)| backend)
}

/// Refuses a native handle where the caller would take it for one of the other interface.
///
/// The code is the one with which libsycl puts the text into its exception. It is the only thing that a user sees of a library that has
/// no code for this device.
pub(crate) fn refuse_native_handles() -> Result<()> {
    let Some((_, name)) = other_name() else { return Ok(()) };
    Err(Error::new(
        ErrorCode::PLUGIN_SPECIFIC_ERROR,
        format!(
            "the platform calls itself {name} ({VARIABLE}), but its objects are CUDA's: there are no native {name} handles. A library \
             that asks for them, such as oneMKL or oneDNN, has no code for this device"
        ),
    ))
}

/// Extensions of a device that calls itself OpenCL. Assertions are libsycl's own, as for any OpenCL device.
pub(crate) const EXTENSIONS: &CStr = c"cl_khr_il_program cl_khr_fp64 cl_khr_fp16 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics cl_khr_subgroups cl_intel_subgroups cl_intel_unified_shared_memory";
