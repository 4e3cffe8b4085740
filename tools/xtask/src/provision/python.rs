//! Finds a Python of a given minor version, which is rarely the one named `python3`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, bail};

use crate::process;
use crate::ui;

/// Finds a Python 3.`minor` that can create virtual environments: in variables such as `PYTHON39`, in `PATH`, then
/// in pyenv's and uv's folders. Debian's own Python lacks a part for that, which is installed if the user is root.
pub(crate) fn find(minor: u8) -> Option<PathBuf> {
    let name = format!("python3.{minor}");
    let mut candidates: Vec<PathBuf> =
        env::var_os(format!("PYTHON3{minor}")).map(PathBuf::from).into_iter().collect();
    let path = env::var_os("PATH").unwrap_or_default();
    candidates.extend(env::split_paths(&path).map(|folder| folder.join(&name)));
    candidates.extend(managed_folders().into_iter().map(|folder| folder.join("bin").join(&name)));
    candidates.retain(|python| python.exists());
    if let Some(found) = candidates.iter().find(|python| fits(python, minor, "venv, ensurepip")) {
        return Some(found.clone());
    }
    let system = PathBuf::from("/usr/bin").join(&name);
    let completed = system.exists()
        && fits(&system, minor, "sys")
        && install_debian_packages(&[&format!("{name}-venv")]).is_ok()
        && fits(&system, minor, "venv, ensurepip");
    completed.then_some(system)
}

/// Returns any Python 3, to unpack wheels.
pub(crate) fn any() -> Result<PathBuf> {
    let python = PathBuf::from("python3");
    if !process::succeeds(Command::new(&python).arg("--version")) {
        install_debian_packages(&["python3"])?;
    }
    Ok(python)
}

/// Returns any Python 3 with pip, to download wheels. If only pip is missing and the user is root on a Debian
/// machine, it is installed.
pub(crate) fn with_pip() -> Result<PathBuf> {
    let python = any()?;
    if !process::succeeds(Command::new(&python).args(["-m", "pip", "--version"])) {
        install_debian_packages(&["python3-pip"])?;
    }
    Ok(python)
}

/// Installs Debian packages if possible. Otherwise the error contains the command to type.
pub(crate) fn install_debian_packages(packages: &[&str]) -> Result<()> {
    let advice = format!("apt-get install {}", packages.join(" "));
    let root = process::text(Command::new("id").arg("-u")).is_ok_and(|id| id == "0");
    if !root || !Path::new("/usr/bin/apt-get").exists() {
        bail!("missing packages; install them first: {advice}");
    }
    // Parts of the tests that run in parallel wait for each other, and for scripts.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let step = ui::Step::start(advice);
    let quiet = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
        process::output(&mut command)
    };
    let mut arguments = vec!["install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=600"];
    arguments.extend(packages);
    if quiet(&arguments).is_err() {
        step.note("apt-get update");
        quiet(&["update"])?;
        quiet(&arguments)?;
    }
    step.done("");
    Ok(())
}

/// Returns the folders in which pyenv and uv keep Python installations.
fn managed_folders() -> Vec<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let pyenv = env::var_os("PYENV_ROOT").map_or_else(|| home.join(".pyenv"), PathBuf::from);
    let roots = [pyenv.join("versions"), home.join(".local/share/uv/python")];
    let entries = roots.iter().filter_map(|root| fs::read_dir(root).ok()).flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

/// Returns whether a file is that Python and has these modules. pyenv has shims for versions that are not
/// installed.
fn fits(python: &Path, minor: u8, modules: &str) -> bool {
    let check = format!("import sys, {modules}; sys.exit(sys.version_info[:2] != (3, {minor}))");
    process::succeeds(Command::new(python).args(["-c", &check]))
}
