//! `pi uninstall`

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::Args;
use sycl_pi_loader::Backend;

use super::active::{self, TreeArguments};
use super::backend_files::BackendFiles;
use super::files;
use super::kind::FileKind;
use super::location::PluginStatus;
use super::lock;
use super::manifest::{self, Manifest};
use super::nvidia;
use super::own_libsycl;
use super::pth;
use super::report::{InstallEntry, InstallReport};
use super::tree::{self, LibsyclFolder};
use super::{dnn, math};
use crate::output::{CommandStatus, Output};

#[derive(Args)]
pub struct UninstallArguments {
    #[command(flatten)]
    pub tree: TreeArguments,
    /// Only print what would be done.
    #[arg(long)]
    pub dry_run: bool,
}

/// `pi uninstall DIR`
pub fn uninstall(arguments: &UninstallArguments, output: &mut Output) -> Result<CommandStatus> {
    let dry_run = arguments.dry_run;
    let root = &active::or_named(arguments.tree.folder.as_ref())?;
    let mut libsycls = tree::folders(root);
    if let Ok(all) = &mut libsycls {
        let checked = all.first().map_or(Ok(()), |first| first.check_inside(root, "uninstall"));
        all.retain(|libsycl| !libsycl.outside);
        if all.is_empty() {
            checked?;
        }
    }
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in libsycls.iter().flatten().map(|libsycl| &libsycl.folder).chain(&left_over(root)) {
        if !folders.contains(folder) {
            folders.push(folder.clone());
        }
    }
    let libsycls = match libsycls {
        Err(error) if folders.is_empty() => return Err(error),
        // Its package was removed, but the files that an install put there still have to be removed.
        other => other.unwrap_or_default(),
    };
    let mut entries = Vec::new();
    for folder in folders {
        let here: Vec<&LibsyclFolder> = libsycls.iter().filter(|libsycl| libsycl.folder == folder).collect();
        lock::change(&folder, dry_run, &mut entries, |dry, entries| undo(&folder, &here, dry, entries))?;
    }
    let lost = entries.iter().any(InstallEntry::is_lost);
    InstallReport::new("uninstall", root, dry_run, entries).tell(output)?;
    Ok(if lost { CommandStatus::Problem } else { CommandStatus::Fine })
}

/// Returns the folders without libsycl where an install has left something.
fn left_over(root: &Path) -> Vec<PathBuf> {
    let mut folders = tree::places(root).unwrap_or_default();
    let inside = root.canonicalize().unwrap_or_else(|_| root.into());
    folders.retain(|folder| {
        folder.starts_with(&inside) && has_traces(folder) && tree::libraries(folder).is_empty()
    });
    folders
}

/// Returns whether an install has left something in the folder.
pub fn has_traces(folder: &Path) -> bool {
    let kept = |kind, backend| BackendFiles::has_traces(folder, kind, backend).unwrap_or(true);
    files::exists(&folder.join(manifest::NAME))
        || lock::has_leftovers(folder)
        || math::is_in(folder)
        || dnn::is_in(folder)
        || own_libsycl::is_in(folder)
        || pth::files(folder).iter().any(|file| files::exists(file))
        || FileKind::ALL.into_iter().any(|kind| Backend::ALL.into_iter().any(|backend| kept(kind, backend)))
}

/// Adds a list of the files that an install has left to the error for a folder without libsycl.
pub fn with_leftovers(root: &Path, error: anyhow::Error) -> anyhow::Error {
    match left_over(root).first() {
        Some(folder) => {
            let folder = folder.display();
            anyhow!(
                "{error:#}; {folder} has files of an earlier pi install: pi uninstall {} removes them",
                root.display()
            )
        }
        None => error,
    }
}

/// Removes all our files. Returns whether anything is changed.
fn undo(
    folder: &Path,
    libsycls: &[&LibsyclFolder],
    dry_run: bool,
    entries: &mut Vec<InstallEntry>,
) -> Result<bool> {
    let first = entries.len();
    // Removed first, so that no Python starts with the name of a missing file.
    let mut removed = pth::remove(folder, dry_run)?;
    removed.extend(nvidia::disable(folder, dry_run)?);
    let mut notes: Vec<String> = removed.iter().map(|file| format!("{} removed", file.display())).collect();
    // Before oneMKL's, because it needs a library that goes with those.
    let (put_back, mut lost) = dnn::disable(folder, dry_run)?;
    notes.extend(put_back);
    let (put_back, lost_math) = math::disable(folder, dry_run)?;
    notes.extend(put_back);
    lost |= lost_math;
    let (put_back, lost_link) = own_libsycl::disable(folder, dry_run)?;
    notes.extend(put_back);
    lost |= lost_link;
    let mut changed = !notes.is_empty();
    for kind in FileKind::ALL {
        let libsycl = libsycls.iter().find(|libsycl| libsycl.kind() == kind);
        for backend in Backend::ALL {
            let loaded = match libsycl {
                Some(libsycl) => BackendFiles::present(libsycl)?.contains(&backend),
                None => false,
            };
            if !loaded && !BackendFiles::has_traces(folder, kind, backend)? {
                continue;
            }
            let files = BackendFiles::new(folder, kind, backend);
            let mut status = files.uninstall(dry_run)?;
            status.lost |= std::mem::take(&mut lost);
            changed |= status.changed;
            let notes = std::mem::take(&mut notes);
            entries.push(InstallEntry::for_folder(
                folder,
                libsycl.map(|libsycl| libsycl.name()),
                &files,
                status,
                notes,
            ));
        }
    }
    notes.extend(files::set_aside(folder).iter().map(|file| {
        format!("{} is an earlier file of the vendor's; remove it if nothing needs it", file.display())
    }));
    if let Some(entry) = entries.get_mut(first..).and_then(<[_]>::last_mut) {
        entry.notes.append(&mut notes);
    }
    if !notes.is_empty() {
        // Nothing else was left.
        let files = BackendFiles::new(folder, FileKind::Adapter, Backend::OpenCl);
        let status = PluginStatus { lost, ..files.status()? };
        entries.push(InstallEntry::for_folder(folder, None, &files, status, notes));
    }
    // Entries with names that no install writes belong to no file.
    let forgotten = Manifest::read(folder)?.is_some();
    if forgotten && !dry_run {
        Manifest::default().write(folder)?;
    }
    Ok(changed || forgotten)
}
