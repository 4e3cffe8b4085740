//! `PI_CUDA_AS`: the platform reports itself as OpenCL or Level Zero, because DPC++'s runtime does not pass SPIR-V to
//! platforms that report themselves as CUDA.
//!
//! A variable is inherited by every program that a program starts. Therefore, `pi install --spirv-on-nvidia` sets none,
//! but places a file with the name next to the plugin, which affects only this plugin.
//!
//! Level Zero is for programs whose kernels need concurrently running work-groups: the runtime assumes without a query
//! that only Level Zero GPUs support them. CUDA supports them in cooperative launches, which such kernels get.

use std::env;
use std::ffi::CStr;
use std::path::Path;
use std::sync::OnceLock;

use sycl_pi_backend::types::{ErrorCode, PlatformBackend};
use sycl_pi_backend::{Error, Result};
use sycl_pi_dynload::own_file;
use sycl_pi_host_process::read_file;

const VARIABLE: &str = "PI_CUDA_AS";
/// The file next to the plugin. The variable takes precedence.
const FILE: &str = "pi-cuda-as";
/// A limit that is longer than any name.
const LONGEST: u64 = 100;

/// Returns the content of the file in a plugin's folder, if it exists.
fn in_folder(folder: &Path) -> Option<String> {
    let text = read_file(&folder.join(FILE), LONGEST).ok()?;
    Some(String::from_utf8_lossy(&text).trim().to_owned())
}

/// Returns the name that the plugin should report, and where it was configured.
fn asked_for() -> Option<(String, String)> {
    if let Some(value) = env::var_os(VARIABLE) {
        return Some((value.to_string_lossy().into_owned(), VARIABLE.into()));
    }
    let own = own_file()?;
    let folder = own.parent()?;
    Some((in_folder(folder)?, folder.join(FILE).display().to_string()))
}

/// Returns the interface that the platform reports, if it is not CUDA. Decided once for the process.
fn other_name() -> Option<(PlatformBackend, &'static str)> {
    static ASKED: OnceLock<Option<(PlatformBackend, &str)>> = OnceLock::new();
    *ASKED.get_or_init(|| {
        let (value, source) = asked_for()?;
        match value.to_lowercase().as_str() {
            "opencl" => Some((PlatformBackend::OPENCL, "OpenCL")),
            "level_zero" => Some((PlatformBackend::LEVEL_ZERO, "Level Zero")),
            "" | "cuda" => None,
            _ => {
                log::warn!("{source} says {value:?}; the values are opencl, level_zero and cuda");
                None
            }
        }
    })
}

/// Returns whether the platform should report an interface other than CUDA.
pub(crate) fn is_asked_for() -> bool {
    other_name().is_some()
}

/// Returns the interface that the platform reports.
pub(crate) fn interface() -> PlatformBackend {
    other_name().map_or(PlatformBackend::CUDA, |(backend, _)| backend)
}

/// Refuses a native handle if the caller would mistake it for one of the other interface.
///
/// With this code, libsycl includes the message in its exception. The message is all that a user sees of a library that
/// has no code for this device.
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

/// Extensions of a device that reports itself as OpenCL. libsycl implements assertions itself, as for any OpenCL
/// device.
pub(crate) const EXTENSIONS: &CStr = c"cl_khr_il_program cl_khr_fp64 cl_khr_fp16 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics cl_khr_subgroups cl_intel_subgroups cl_intel_unified_shared_memory";

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_the_plugins_folder_says_what_it_calls_itself() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(in_folder(folder.path()), None);
        std::fs::write(folder.path().join("pi-cuda-as"), "opencl\n").unwrap();
        assert_eq!(in_folder(folder.path()).as_deref(), Some("opencl"));
        std::fs::write(folder.path().join("pi-cuda-as"), "x".repeat(101)).unwrap();
        assert_eq!(in_folder(folder.path()), None);
    }
}
