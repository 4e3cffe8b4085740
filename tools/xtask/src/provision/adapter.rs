//! Adapters: the file for a libsycl that uses Unified Runtime, and the variables with which it loads ours.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::backend::Backend;
use crate::releases::Release;
use crate::workspace;

/// Returns the vendor's adapter in `lib`: a separate file, or libsycl, which contains the OpenCL adapter from
/// 2026.2 on.
pub(super) fn vendors(release: &Release, backend: Backend, lib: &Path) -> PathBuf {
    let file = lib.join(name(backend));
    if file.exists() { file } else { lib.join(release.soname) }
}

/// Returns the location of our adapter for a release.
pub(super) fn ours(release: &Release, backend: Backend) -> PathBuf {
    workspace::target().join("clients").join(release.name()).join("adapters").join(name(backend))
}

/// Returns the variables with which the loader uses only this backend's devices, and for them the adapter `ours` if
/// there is one. If OpenCL's adapter is a separate file, ours precedes it in the search path, as users do it. An
/// adapter inside libsycl is only replaced by a forced file. Level Zero has two vendor's files, and a forced one
/// replaces both.
pub(super) fn variables(backend: Backend, lib: &Path, ours: Option<&Path>) -> Vec<(&'static str, OsString)> {
    let mut variables = vec![("ONEAPI_DEVICE_SELECTOR", OsString::from(selector(backend)))];
    match ours.zip(ours.and_then(Path::parent)) {
        Some((_, folder)) if backend == Backend::OpenCl && lib.join(name(backend)).exists() => {
            variables.push(("UR_ADAPTERS_SEARCH_PATH", folder.into()));
        }
        Some((file, _)) => variables.push(("UR_ADAPTERS_FORCE_LOAD", file.into())),
        None => {}
    }
    variables
}

/// Returns the file name of an adapter that the loader looks for.
fn name(backend: Backend) -> String {
    format!("{}.0", backend.adapter_name())
}

fn selector(backend: Backend) -> &'static str {
    match backend {
        Backend::OpenCl => "opencl:*",
        Backend::LevelZero => "level_zero:*",
        Backend::Cuda => "*:gpu",
    }
}

/// Copies `adapter` to `place` by replacing the file. Running programs keep the old file.
pub(crate) fn put(adapter: &Path, place: &Path) -> Result<()> {
    let folder = place.parent().context("an adapter without a folder")?;
    fs::create_dir_all(folder)?;
    let partial = tempfile::tempdir_in(folder)?;
    let copy = partial.path().join("adapter");
    fs::copy(adapter, &copy).with_context(|| format!("cannot copy {}", adapter.display()))?;
    fs::rename(&copy, place).with_context(|| format!("cannot write {}", place.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_is_forced_only_where_the_vendors_is_no_file_of_its_own() {
        let lib = tempfile::tempdir().unwrap();
        let ours = Path::new("/ours/libur_adapter_opencl.so.0");
        let names = |backend| {
            let all = variables(backend, lib.path(), Some(ours));
            all.into_iter().filter(|(name, _)| name.starts_with("UR_")).collect::<Vec<_>>()
        };
        let forced = [("UR_ADAPTERS_FORCE_LOAD", OsString::from(ours))];
        assert_eq!(names(Backend::OpenCl), forced);
        fs::write(lib.path().join("libur_adapter_opencl.so.0"), "").unwrap();
        fs::write(lib.path().join("libur_adapter_level_zero.so.0"), "").unwrap();
        assert_eq!(names(Backend::OpenCl), [("UR_ADAPTERS_SEARCH_PATH", OsString::from("/ours"))]);
        assert_eq!(names(Backend::LevelZero), forced);
    }

    #[test]
    fn a_new_adapter_replaces_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let (file, place) = (folder.path().join("built.so"), folder.path().join("a").join("adapter.so.0"));
        for content in ["one", "two"] {
            fs::write(&file, content).unwrap();
            put(&file, &place).unwrap();
            assert_eq!(fs::read_to_string(&place).unwrap(), content);
        }
        assert_eq!(fs::read_dir(place.parent().unwrap()).unwrap().count(), 1, "nothing else stays");
    }
}
