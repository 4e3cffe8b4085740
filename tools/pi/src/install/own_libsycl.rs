//! A libsycl of the folder's own, where the folder has only a link to one elsewhere.
//!
//! A libsycl that loads plugins asks the system for its file's place, links resolved, and takes those beside it; so does one that has the
//! loader in it. Through a link it would pass our files over. So a copy of it takes the link's place, and the link is kept like a
//! vendor's file. A libsycl with its loader in a file of its own needs none: that loader looks where it was found.

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

/// Puts a copy in the place of the link. Answers whether anything is changed, and says what.
///
/// # Errors
/// The library cannot be read, or the folder cannot be written.
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

/// Puts the links back. Answers what was done, and whether a link is lost.
///
/// # Errors
/// The folder cannot be written.
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

/// Whether an install has put a copy in the folder.
pub fn is_in(folder: &Path) -> bool {
    locations(folder).iter().any(|location| location.has_traces().unwrap_or(true))
}

/// What is wrong with a copy: the library that the link leads to may have been updated.
///
/// # Errors
/// A file cannot be read.
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
