//! Notes for users in addition to the state of a folder.

use std::ffi::OsStr;
use std::path::Path;

use sycl_pi_loader::Backend;

use super::adapter_names;
use super::dnn;
use super::force_load;
use super::math::{self, MathState};
use super::nvidia;
use super::tree::LibsyclFolder;

/// Returns what else affects the files of one backend.
pub fn notes(libsycl: &LibsyclFolder, backend: Backend) -> Vec<String> {
    let mut notes = Vec::new();
    if libsycl.outside {
        notes.push("the libsycl of DIR leads to this folder outside it: others may use it too".into());
    }
    if backend == Backend::Cuda && math::state(&libsycl.folder) == MathState::Ours {
        notes.push(
            "oneMKL's products, solvers and transforms: ours on NVIDIA GPUs, Intel's on other devices".into(),
        );
    }
    if backend == Backend::Cuda && dnn::state(&libsycl.folder) == MathState::Ours {
        notes.push("oneDNN's matrix products: ours on NVIDIA GPUs, Intel's on other devices".into());
    }
    // OpenCL is always reported.
    if backend == Backend::OpenCl && nvidia::is_in(&libsycl.folder) {
        notes.push("installed with --spirv-on-nvidia: programs see NVIDIA GPUs as Level Zero devices".into());
    }
    let variable = if libsycl.speaks_ur() { adapter_names::FORCE_LOAD } else { backend.override_variable() };
    let named = std::env::var_os(variable).filter(|value| !value.is_empty());
    if let Some(other) = named.filter(|value| !names_only(&libsycl.folder, value)) {
        notes.push(format!("{variable} is set: programs open {} instead", Path::new(&other).display()));
    }
    notes
}

/// Returns whether all adapters of a list are in this folder. The environment's own Python sets such a list, and
/// may have started `pi`.
fn names_only(folder: &Path, list: &OsStr) -> bool {
    let files = list.to_str().and_then(|list| force_load::files_of(list).ok());
    files.is_some_and(|files| files.iter().all(|file| file.parent() == Some(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_adapters_of_one_folder_names_nothing_else() {
        let folder = Path::new("/venv/lib");
        assert!(names_only(folder, "/venv/lib/a.so,/venv/lib/b.so".as_ref()));
        assert!(!names_only(folder, "/venv/lib/a.so,/other/b.so".as_ref()));
        assert!(!names_only(folder, "/venv/lib/deeper/a.so".as_ref()));
        assert!(!names_only(folder, "libpi_opencl.so".as_ref()));
    }
}
