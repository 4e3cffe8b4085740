//! The drop-ins for oneMKL's libraries, which `--spirv-on-nvidia` puts in the place of the vendor's.
//!
//! `libpi_math.so`, `libmkl_sycl_blas.so.5` and the like stand in a folder `math` beside pi, in the Python package `sycl_pi_math` beside
//! pi's own, or where `PI_MATH` says. Where an environment has oneMKL, they forward to the vendor's file for every device but ours, so that
//! it has to stay beside them.

use std::path::{Path, PathBuf};

use anyhow::Result;
use sycl_pi_host_process::trusted_variable;
use sycl_pi_loader::search::executable_folder;

use super::files;
use super::kind::FileKind;
use super::location::PluginLocation;
use super::release::Release;

/// What the drop-ins call.
const LIBRARY: &str = "libpi_math.so";
/// oneMKL's libraries that have one.
const PARTS: [&str; 3] = ["blas", "dft", "lapack"];
/// oneMKL's major versions: of 2025, and of 2026.
const MAJORS: [u32; 2] = [5, 6];

/// The names of the drop-ins.
fn names() -> impl Iterator<Item = String> {
    MAJORS.into_iter().flat_map(|major| PARTS.map(|part| format!("libmkl_sycl_{part}.so.{major}")))
}

/// The folder with our files, if there is one.
fn sources() -> Option<PathBuf> {
    let there = |folder: &PathBuf| folder.join(LIBRARY).is_file();
    if let Some(named) = trusted_variable("PI_MATH") {
        return Some(PathBuf::from(named)).filter(there);
    }
    // `sycl_pi/bin/pi` and `sycl_pi_math/bin`.
    let own = executable_folder()?;
    let package = own.ancestors().nth(2).map(|packages| packages.join("sycl_pi_math/bin"));
    std::iter::once(own.join("math")).chain(package).find(there)
}

fn location(folder: &Path, name: &str) -> PluginLocation {
    PluginLocation::new(folder, FileKind::Adapter, name)
}

/// Puts a drop-in in the place of each of oneMKL's libraries in the folder. Answers whether anything is changed, and says what.
///
/// # Errors
/// A file cannot be read, or the folder cannot be written.
pub fn enable(folder: &Path, release: &Release, dry_run: bool) -> Result<(bool, Vec<String>)> {
    let wanted: Vec<String> = names().filter(|name| files::exists(&folder.join(name))).collect();
    if wanted.is_empty() {
        return Ok((false, Vec::new()));
    }
    let Some(sources) = sources() else {
        let lacking = "oneMKL's products, solvers and transforms do not take NVIDIA GPUs: pip install sycl-pi-math, then pi install again";
        return Ok((false, vec![lacking.into()]));
    };
    // First what the others need.
    let all = std::iter::once(LIBRARY.to_owned()).chain(wanted);
    let (mut changed, mut notes) = (false, Vec::new());
    for name in all.filter(|name| sources.join(name).is_file()) {
        let status = location(folder, &name).install(&sources.join(&name), release, dry_run)?;
        changed |= status.changed;
        notes.push(format!("{name}: {}", status.action));
    }
    notes.push(
        "oneMKL's products, solvers and transforms need NVIDIA's libraries: pi doctor says which are there"
            .into(),
    );
    Ok((changed, notes))
}

/// Puts the vendor's files back. Answers what was done, and whether a vendor's file is lost.
///
/// # Errors
/// The folder cannot be written.
pub fn disable(folder: &Path, dry_run: bool) -> Result<(Vec<String>, bool)> {
    let (mut told, mut lost) = (Vec::new(), false);
    // What the others need goes last.
    for name in names().chain([LIBRARY.to_owned()]) {
        let location = location(folder, &name);
        if !location.has_traces()? {
            continue;
        }
        let status = location.uninstall(dry_run)?;
        lost |= status.lost;
        told.extend(status.changed.then(|| format!("{name}: {}", status.action)));
    }
    Ok((told, lost))
}

/// Whose libraries of oneMKL's a folder has for products, solvers and transforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MathState {
    /// It has no oneMKL.
    Absent,
    /// Intel's, which do not take NVIDIA GPUs.
    Vendor,
    /// The drop-ins.
    Ours,
}

/// Whose they are.
pub fn state(folder: &Path) -> MathState {
    match names().any(|name| files::exists(&folder.join(name))) {
        false => MathState::Absent,
        true if is_in(folder) => MathState::Ours,
        true => MathState::Vendor,
    }
}

/// Whether the drop-ins can be installed by this `pi`.
pub fn can_be_installed() -> bool {
    sources().is_some()
}

/// Whether an install has left something in a folder.
pub fn is_in(folder: &Path) -> bool {
    let mut all = names().chain([LIBRARY.to_owned()]);
    all.any(|name| location(folder, &name).has_traces().unwrap_or(true))
}
