//! `PI_CUDA_AS=opencl`: the platform calls itself OpenCL, as DPC++'s runtime hands SPIR-V to no platform that calls itself CUDA.

use std::env;
use std::ffi::CStr;
use std::sync::OnceLock;

use sycl_pi_backend::{Error, Result};

const VARIABLE: &str = "PI_CUDA_AS";

/// Whether the platform is to call itself OpenCL. Decided once for the process.
pub(crate) fn is_asked_for() -> bool {
    static ASKED: OnceLock<bool> = OnceLock::new();
    *ASKED.get_or_init(|| match env::var_os(VARIABLE) {
        None => false,
        Some(value) if value.eq_ignore_ascii_case("opencl") => true,
        Some(value) => {
            if !value.is_empty() && !value.eq_ignore_ascii_case("cuda") {
                log::warn!("{VARIABLE} is {value:?}; known are opencl and cuda");
            }
            false
        }
    })
}

/// Refuses a native handle where the caller would take it for OpenCL's.
pub(crate) fn refuse_native_handles() -> Result<()> {
    if !is_asked_for() {
        return Ok(());
    }
    Err(Error::unsupported(format!(
        "the platform calls itself OpenCL ({VARIABLE}=opencl), but its objects are CUDA's: there are no native OpenCL handles"
    )))
}

/// Extensions of a device that calls itself OpenCL. Assertions are libsycl's own, as for any OpenCL device.
pub(crate) const EXTENSIONS: &CStr = c"cl_khr_il_program cl_khr_fp64 cl_khr_fp16 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics cl_khr_subgroups cl_intel_subgroups cl_intel_unified_shared_memory";
