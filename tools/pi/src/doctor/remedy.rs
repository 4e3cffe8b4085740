//! Commands that install a driver.

use std::fmt::Display;
use std::path::Path;

use sycl_pi_loader::search::executable_folder;

use crate::install::release::Release;
use crate::install::{Seen, tree};
use crate::own_package::OwnPackage;
use crate::shell;

/// Returns the command that installs Intel's CPU runtime and an OpenCL library. If there is an environment, it
/// installs into that, in the series of its release.
pub fn intel_runtime(seen: &Seen) -> String {
    package(seen, "intel-opencl-rt").unwrap_or_else(|| {
        "python3 -m venv ~/sycl && . ~/sycl/bin/activate && pip install dpctl intel-opencl-rt && pi install".into()
    })
}

/// Returns the command that installs our libraries next to `pi` again, or builds them if `pi` itself is in
/// cargo's folder.
pub fn own_files(seen: &Seen) -> String {
    match executable_folder() {
        Some(folder) if folder.join(".fingerprint").is_dir() => {
            let release = if folder.ends_with("release") { " --release" } else { "" };
            format!("cargo build{release} --package 'pi_*'")
        }
        _ => OwnPackage::find().reinstall(&pip_install(seen)),
    }
}

/// Returns the command that hides devices of a backend. `devices` is a number, or `*` for all.
pub fn hide(backend: &str, devices: impl Display) -> String {
    format!("export ONEAPI_DEVICE_SELECTOR='*:*;!{backend}:{devices}'")
}

/// Returns the command that installs one of the vendor's packages into the environment, or `None` if there is no
/// environment with its own pip.
pub fn package(seen: &Seen, name: &str) -> Option<String> {
    let root = seen.active.first()?;
    let wanted = series(seen).map_or(name.to_owned(), |series| format!("{name}=={series}.*"));
    let wanted = shell::quoted(&wanted);
    if root.join("conda-meta").is_dir() {
        let root = shell::path(root);
        let wanted = wanted.replace("==", "=");
        return Some(format!(
            "conda install --prefix {root} -c https://software.repos.intel.com/python/conda {wanted}"
        ));
    }
    root.join("bin/python").exists().then(|| format!("{} {wanted}", pip_install(seen)))
}

/// Returns the command that installs a package from Python's index, into the environment if there is one.
pub fn pip_install(seen: &Seen) -> String {
    shell::pip_install(seen.active.iter().map(AsRef::as_ref))
}

/// Returns the series of the release, e.g. `2025.3` for 2025.3.3.
fn series(seen: &Seen) -> Option<String> {
    let libsycl = seen.libsycls.first()?;
    let name = Release::find(libsycl).ok()?.name?;
    Some(name.split('.').take(2).collect::<Vec<_>>().join("."))
}

/// Returns the root of the environment of a folder of libraries, as `pi install` expects it.
pub fn root_of<'s>(seen: &'s Seen, folder: &'s Path) -> &'s Path {
    let has = |root: &&std::path::PathBuf| {
        tree::folders(root).is_ok_and(|all| all.iter().any(|libsycl| libsycl.folder == folder))
    };
    seen.active.iter().find(has).map_or(folder, |root| root.as_path())
}
