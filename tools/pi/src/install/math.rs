//! The drop-ins for oneMKL's libraries, which `--spirv-on-nvidia` installs instead of the vendor's.
//!
//! They forward to the vendor's file for every device except ours, so the vendor's file has to remain next to them.

use std::path::Path;

use anyhow::Result;

use super::drop_ins::{DropIns, LIBRARY};
use super::files;
use super::kind::FileKind;
use super::location::PluginLocation;
use super::release::Release;
use crate::own_package::OwnPackage;
use crate::shell;

/// The libraries of oneMKL that have a drop-in.
const PARTS: [&str; 4] = ["blas", "dft", "lapack", "sparse"];
/// oneMKL's major versions, of 2025 and 2026.
const MAJORS: [u32; 2] = [5, 6];

/// Returns the names of the drop-ins.
fn names() -> impl Iterator<Item = String> {
    MAJORS.into_iter().flat_map(|major| PARTS.map(|part| format!("libmkl_sycl_{part}.so.{major}")))
}

/// Returns the location of a drop-in, or of a library that it needs, in an environment.
pub(super) fn location(folder: &Path, name: &str) -> PluginLocation {
    PluginLocation::new(folder, FileKind::Adapter, name)
}

/// Installs a drop-in for each of oneMKL's libraries in the folder of an environment. Returns whether anything is
/// changed, and a description.
///
/// # Errors
/// Fails if a file cannot be read, or the folder cannot be written.
pub fn enable(folder: &Path, root: &Path, release: &Release, dry_run: bool) -> Result<(bool, Vec<String>)> {
    let wanted: Vec<String> = names().filter(|name| files::exists(&folder.join(name))).collect();
    if wanted.is_empty() {
        return Ok((false, Vec::new()));
    }
    const LACKING: &str =
        "oneMKL's products, solvers and transforms do not take NVIDIA GPUs without the drop-ins";
    let sources = match DropIns::find(folder)? {
        DropIns::In(sources) => sources,
        DropIns::TooNew(why) => return Ok((false, vec![format!("{LACKING}: {why}")])),
        DropIns::Absent => {
            let typed = OwnPackage::find().add_drop_ins(&shell::pip_install([root]), &shell::path(root));
            return Ok((false, vec![format!("{LACKING}: type {typed}")]));
        }
    };
    // The library that the others need comes first.
    let all = std::iter::once(LIBRARY.to_owned()).chain(wanted);
    let (mut changed, mut notes) = (false, Vec::new());
    for name in all.filter(|name| sources.join(name).is_file()) {
        let status = location(folder, &name).install(&sources.join(&name), release, dry_run)?;
        changed |= status.changed;
        notes.push(format!("{name}: {}", status.action));
    }
    notes.push(
        "oneMKL's products, solvers and transforms need NVIDIA's libraries: pi doctor says which are missing"
            .into(),
    );
    Ok((changed, notes))
}

/// Restores the vendor's files. Returns descriptions, and whether a vendor's file is lost.
///
/// # Errors
/// Fails if the folder cannot be written.
pub fn disable(folder: &Path, dry_run: bool) -> Result<(Vec<String>, bool)> {
    // The library that the others need is removed last.
    restore(folder, names().chain([LIBRARY.to_owned()]), dry_run)
}

/// Restores the vendor's files with these names, in this order, and removes ours. Returns descriptions, and whether a
/// vendor's file is lost.
///
/// # Errors
/// Fails if the folder cannot be written.
pub(super) fn restore(
    folder: &Path,
    names: impl Iterator<Item = impl AsRef<str>>,
    dry_run: bool,
) -> Result<(Vec<String>, bool)> {
    let (mut told, mut lost) = (Vec::new(), false);
    for name in names {
        let name = name.as_ref();
        let location = location(folder, name);
        if !location.has_traces()? {
            continue;
        }
        let status = location.uninstall(dry_run)?;
        lost |= status.lost;
        told.extend(status.changed.then(|| format!("{name}: {}", status.action)));
    }
    Ok((told, lost))
}

/// The origin of a folder's oneMKL libraries for products, solvers and transforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MathState {
    /// There is no oneMKL.
    Absent,
    /// Intel's libraries, which do not support NVIDIA GPUs.
    Vendor,
    /// The drop-ins.
    Ours,
}

/// Returns the origin of the libraries.
pub fn state(folder: &Path) -> MathState {
    match names().any(|name| files::exists(&folder.join(name))) {
        false => MathState::Absent,
        true if is_in(folder) => MathState::Ours,
        true => MathState::Vendor,
    }
}

/// Returns whether an install has left something in a folder.
pub fn is_in(folder: &Path) -> bool {
    has_traces(folder, names().chain([LIBRARY.to_owned()]))
}

/// Returns whether an install has left something of these names in a folder.
pub(super) fn has_traces(folder: &Path, mut names: impl Iterator<Item = impl AsRef<str>>) -> bool {
    names.any(|name| location(folder, name.as_ref()).has_traces().unwrap_or(true))
}
