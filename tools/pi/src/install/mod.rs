//! `pi install`, `pi uninstall`, `pi status`, `pi run`, `pi env`: replace the vendor's plugins and adapters by ours, restore them,
//! or name ours for one program.

mod active;
pub mod adapter_names;
mod backend_files;
mod files;
pub mod force_load;
mod found;
mod location;
mod manifest;
mod nvidia;
mod pair;
mod pi_version;
pub mod release;
mod report;
mod sources;
pub mod tree;
mod variables;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use sycl_pi_loader::Backend;

use crate::CommandStatus;
use crate::cli::{InstallArguments, TreeArguments, UninstallArguments};
use crate::output::Output;
use crate::probe;
pub use active::or_named as active_or_named;
use backend_files::BackendFiles;
pub use found::{Found, Seen, below};
pub use location::PluginState;
pub use pair::VendorPair;
use release::{Interface, Release};
use report::{InstallEntry, InstallReport};
use sources::Source;
use tree::LibsyclFolder;
pub use variables::{env, run};

/// `pi install DIR`
pub fn install(arguments: &InstallArguments, output: &mut Output) -> Result<CommandStatus> {
    let root = &active::or_named(arguments.tree.folder.as_ref())?;
    let folders = tree::folders(root)?;
    let sources = sources::find(&arguments.plugin)?;
    let dry_run = arguments.dry_run;
    // Everything is checked before anything is changed.
    let mut plans = Vec::new();
    let mut skipped = Vec::new();
    for libsycl in &folders {
        let release = Release::of(libsycl)?;
        match sources::fitting(&sources, libsycl, &release) {
            Ok(fitting) => {
                fitting.iter().try_for_each(|source| source.check(libsycl, &release))?;
                plans.push(PlannedInstall { libsycl, release, sources: fitting });
            }
            Err(why) => skipped.push(why),
        }
    }
    if let Some(why) = skipped.into_iter().next().filter(|_| plans.is_empty()) {
        bail!("{why:#}; nothing was changed");
    }
    let mut entries = Vec::new();
    for plan in plans {
        let libsycl = plan.libsycl;
        if let Err(error) = plan.carry_out(dry_run, &mut entries) {
            let done = entries.iter().map(InstallEntry::file_name).collect::<Vec<_>>().join(", ");
            let rest = if done.is_empty() {
                "nothing was changed".into()
            } else {
                format!("{done} stayed as installed before it; pi uninstall undoes that")
            };
            bail!("{error:#}; {rest}");
        }
        if arguments.spirv_on_nvidia
            && let Some(entry) = entries.last_mut()
        {
            entry.notes.extend(nvidia::enable(libsycl, dry_run)?);
        }
    }
    InstallReport::new("install", root, dry_run, entries).tell(output)?;
    Ok(CommandStatus::Fine)
}

/// `pi uninstall DIR`
pub fn uninstall(arguments: &UninstallArguments, output: &mut Output) -> Result<CommandStatus> {
    let dry_run = arguments.dry_run;
    let root = &active::or_named(arguments.tree.folder.as_ref())?;
    let mut entries = Vec::new();
    for libsycl in tree::folders(root)? {
        // No Python may start with the name of a file that is gone.
        let mut notes = remove_pth(&libsycl, dry_run)?;
        notes.extend(nvidia::disable(&libsycl, dry_run)?);
        for backend in BackendFiles::present(&libsycl)? {
            let files = BackendFiles::of(&libsycl, backend);
            let status = files.uninstall(dry_run)?;
            entries.push(InstallEntry::new(&libsycl, None, &files, status, std::mem::take(&mut notes)));
        }
    }
    InstallReport::new("uninstall", root, dry_run, entries).tell(output)?;
    Ok(CommandStatus::Fine)
}

/// `pi status DIR`
pub fn status(arguments: &TreeArguments, output: &mut Output) -> Result<CommandStatus> {
    let root = &active::or_named(arguments.folder.as_ref())?;
    let found = below(root)?;
    let ours = found.iter().any(|found| found.state() == PluginState::Ours);
    let entries = found.into_iter().map(|found| {
        let notes = notes(&found.libsycl, found.backend);
        InstallEntry::new(&found.libsycl, found.release, &found.files, found.status, notes)
    });
    InstallReport::new("status", root, false, entries.collect()).tell(output)?;
    Ok(if ours { CommandStatus::Fine } else { CommandStatus::NotInstalled })
}

struct PlannedInstall<'a> {
    libsycl: &'a LibsyclFolder,
    release: Release,
    sources: Vec<&'a Source>,
}

impl PlannedInstall<'_> {
    fn carry_out(self, dry_run: bool, entries: &mut Vec<InstallEntry>) -> Result<()> {
        let Self { libsycl, release, sources } = self;
        let installs_opencl = sources.iter().any(|source| source.backend == Backend::OpenCl);
        for source in sources {
            let files = BackendFiles::of(libsycl, source.backend);
            let status = files.install(&source.file, &release, dry_run)?;
            let mut notes = notes(libsycl, source.backend);
            if !dry_run {
                verify(&files, &release, &mut notes)?;
            }
            entries.push(InstallEntry::new(libsycl, Some(release.clone()), &files, status, notes));
        }
        let Some(unified_runtime) = release.unified_runtime().filter(|told| told.opencl_inside) else {
            return Ok(());
        };
        // The list names every adapter of the folder: an install of another backend's changes it too.
        let ours = force_load::in_place(libsycl)?;
        let in_place = ours.iter().any(|(backend, _)| *backend == Backend::OpenCl);
        let planned = dry_run && installs_opencl;
        if !in_place && !planned {
            return Ok(());
        }
        if !dry_run {
            force_load::set_pth(libsycl, Some(&force_load::value(libsycl, unified_runtime, &ours)?))?;
        }
        if let Some(entry) = entries.last_mut() {
            let files = force_load::pth_files(libsycl);
            entry
                .notes
                .extend(files.iter().map(|file| format!("{} names the adapters to Python", file.display())));
            let why = format!("{} has an OpenCL adapter in it", libsycl.name());
            entry.notes.push(format!("other programs need pi run or pi env: {why}"));
        }
        Ok(())
    }
}

fn remove_pth(libsycl: &LibsyclFolder, dry_run: bool) -> Result<Vec<String>> {
    let there: Vec<PathBuf> =
        force_load::pth_files(libsycl).into_iter().filter(|file| files::exists(file)).collect();
    if !dry_run {
        force_load::set_pth(libsycl, None)?;
    }
    Ok(there.iter().map(|file| format!("{} removed", file.display())).collect())
}

/// Asks the plugin in its new place for the release's version, as libsycl will. Opens an adapter in its new place.
fn verify(files: &BackendFiles, release: &Release, notes: &mut Vec<String>) -> Result<()> {
    let file = files.target();
    let asked = match &release.interface {
        Interface::Pi(version) => match probe::served(file) {
            Ok(served) if !served.contains(version) => {
                bail!("{} does not serve PI {version} in its place", file.display())
            }
            other => other.map(|_| ()),
        },
        Interface::Ur(_) => probe::opens(file),
    };
    if let Err(error) = asked {
        notes.push(format!("the installed file could not be asked: {error:#}"));
    }
    Ok(())
}

fn notes(libsycl: &LibsyclFolder, backend: Backend) -> Vec<String> {
    let mut notes = Vec::new();
    if libsycl.outside {
        notes.push("the libsycl of DIR leads to this folder outside it: others may use it too".into());
    }
    let variable = if libsycl.speaks_ur() { adapter_names::FORCE_LOAD } else { backend.override_variable() };
    let named = std::env::var_os(variable).filter(|value| !value.is_empty());
    if let Some(other) = named.filter(|value| !names_only(&libsycl.folder, value)) {
        notes.push(format!("{variable} is set: programs open {} instead", Path::new(&other).display()));
    }
    notes
}

/// Whether a list of adapters has files of this folder only. The environment's own Python sets it so, and may have started `pi`.
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
