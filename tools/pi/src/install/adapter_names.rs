//! The file names of adapters.

use std::fs;
use std::path::Path;

use sycl_pi_loader::Backend;

use super::files;
use super::links;

/// The variable that names the adapters to load. Others are then not loaded.
pub const FORCE_LOAD: &str = "UR_ADAPTERS_FORCE_LOAD";

/// The second adapter for Level Zero, from 2025.2 on.
pub const LEVEL_ZERO_V2: &str = "level_zero_v2";

/// The adapters that a loader looks for, in its order. The name of the second Level Zero adapter follows the first
/// one's.
pub const ADAPTERS: [&str; 7] =
    ["opencl", "cuda", "hip", "level_zero", LEVEL_ZERO_V2, "native_cpu", "offload"];

/// Returns the names among `ADAPTERS` that an adapter for `backend` replaces. For Level Zero it replaces both:
/// otherwise the vendor's other adapter would list each device a second time.
pub fn served(backend: Backend) -> &'static [&'static str] {
    match backend {
        Backend::OpenCl => &["opencl"],
        Backend::LevelZero => &["level_zero", LEVEL_ZERO_V2],
        _ => &["cuda"],
    }
}

/// Returns the file name that a loader opens for `adapter`, one of `ADAPTERS`.
pub fn file_name(adapter: &str) -> String {
    format!("libur_adapter_{adapter}.so.0")
}

/// Returns the name that a build of this project gives an adapter.
pub fn built_name(backend: Backend) -> String {
    format!("libur_adapter_{backend}.so")
}

/// Returns the adapter in a file name: `X` for `libur_adapter_X.so`, `.so.0` and `.so.0.12.0`.
pub fn adapter_of(name: &str) -> Option<&str> {
    let (adapter, numbers) = name.strip_prefix("libur_adapter_")?.split_once(".so")?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = numbers.is_empty() || numbers.strip_prefix('.')?.split('.').all(is_number);
    numbered.then_some(adapter)
}

/// Returns the backend in an adapter's file name, for a first or second adapter.
pub fn backend_of(file: &Path) -> Option<Backend> {
    let adapter = adapter_of(file.file_name()?.to_str()?)?;
    Backend::ALL.into_iter().find(|backend| served(*backend).contains(&adapter))
}

/// Returns the backend of a file that is opened as an adapter, which may have a plugin's name: ours are both.
pub fn serving(file: &Path) -> Option<Backend> {
    backend_of(file).or_else(|| Backend::of_file(file))
}

/// Returns the names of `adapter`'s files in a folder, including those whose vendor file is kept aside, but without
/// links to other names.
pub fn copies(folder: &Path, adapter: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| links::last_name(folder, &entry.file_name()) == entry.file_name())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .map(|name| files::unkept_name(&name).to_owned())
        .filter(|name| adapter_of(name) == Some(adapter))
        .collect();
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_tell_the_adapter() {
        assert_eq!(adapter_of("libur_adapter_opencl.so"), Some("opencl"));
        assert_eq!(adapter_of("libur_adapter_level_zero_v2.so.0.12.0"), Some("level_zero_v2"));
        assert_eq!(adapter_of("libur_adapter_opencl.so.0.vendor"), None);
        assert_eq!(adapter_of("libpi_opencl.so"), None);
        assert_eq!(backend_of(Path::new("/x/libur_adapter_level_zero_v2.so.0")), Some(Backend::LevelZero));
        assert_eq!(backend_of(Path::new("libur_adapter_hip.so.0")), None);
        for backend in Backend::ALL {
            assert_eq!(backend_of(Path::new(&built_name(backend))), Some(backend));
        }
    }
}
