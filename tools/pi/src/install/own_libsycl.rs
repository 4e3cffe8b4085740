//! A copy of libsycl for a folder that only has a link to one elsewhere.
//!
//! A libsycl that loads plugins asks the system for its own path, with links resolved, and loads the plugins next to
//! it. The same holds for a libsycl that contains the loader. Through a link it would miss our files. A copy therefore
//! replaces the link, which is kept like a vendor's file. A libsycl with a separate loader needs no copy because that
//! loader searches where it was found.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::files;
use super::links;
use super::location::{PluginLocation, PluginState};
use super::release::{Interface, Release};
use super::tree::{self, LibsyclFolder};

fn location(libsycl: &LibsyclFolder) -> PluginLocation {
    PluginLocation::new(&libsycl.folder, libsycl.kind(), &libsycl.name())
}

/// Replaces the link with a copy. Returns whether anything is changed, and a description.
///
/// # Errors
/// Fails if the library cannot be read, or the folder cannot be written.
pub fn enable(libsycl: &LibsyclFolder, release: &Release, dry_run: bool) -> Result<(bool, Vec<String>)> {
    let looks_beside_its_file = match &release.interface {
        Interface::Pi(_) => true,
        Interface::Ur(unified_runtime) => unified_runtime.opencl_inside,
    };
    let location = location(libsycl);
    // After an earlier install, the link is kept aside.
    let link = [&location.target, &location.kept].into_iter().find(|file| links::is_link(file));
    let source = link.filter(|_| looks_beside_its_file).and_then(|link| link.canonicalize().ok());
    let Some(source) = source.filter(|source| source.parent() != Some(&libsycl.folder)) else {
        return Ok((false, vec![]));
    };
    let status = location.install(&source, release, dry_run)?;
    let what = format!("{} is a copy of {}, which looks for our files here", location.name, source.display());
    Ok((status.changed, vec![what]))
}

/// Restores the links. Returns descriptions, and whether a link is lost.
///
/// # Errors
/// Fails if the folder cannot be written.
pub fn disable(folder: &Path, dry_run: bool) -> Result<(Vec<String>, bool)> {
    let (mut told, mut lost) = (Vec::new(), false);
    for location in locations(folder) {
        if location.has_traces()? {
            let status = location.uninstall(dry_run)?;
            lost |= status.lost;
            told.extend(status.changed.then(|| format!("{}: {}", location.name, status.action)));
        }
    }
    Ok((told, lost))
}

/// Returns whether an install has put a copy in the folder.
pub fn is_in(folder: &Path) -> bool {
    locations(folder).iter().any(|location| location.has_traces().unwrap_or(true))
}

/// Returns whether a copy is outdated because the library that the link leads to was updated.
///
/// # Errors
/// Fails if a file cannot be read.
pub fn is_outdated(libsycl: &LibsyclFolder) -> Result<bool> {
    let location = location(libsycl);
    if !links::is_link(&location.kept) || !location.kept.exists() {
        return Ok(false);
    }
    let inspection = location.inspect()?;
    let current = files::sha256(&location.kept)?;
    Ok(inspection.state == PluginState::Ours && inspection.here.as_ref() != Some(&current))
}

fn locations(folder: &Path) -> Vec<PluginLocation> {
    let majors = tree::MAJORS;
    majors
        .map(|major| LibsyclFolder { folder: folder.into(), libsycl: PathBuf::new(), major, outside: false })
        .map(|libsycl| location(&libsycl))
        .collect()
}
