//! `pi install`, `pi uninstall`, `pi status`: replace the vendor's plugins by ours, and restore them.

mod files;
mod location;
mod manifest;
mod release;
pub mod tree;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;
use sycl_pi_loader::Backend;

use crate::CommandStatus;
use crate::cli::{InstallArguments, TreeArguments, UninstallArguments};
use crate::output::{Output, Style};
use crate::probe;
pub use location::PluginState;
use location::{PluginLocation, PluginStatus};
use manifest::Manifest;
use release::Release;
use tree::LibsyclFolder;

/// One plugin that may be installed.
struct PluginSource {
    backend: Backend,
    file: PathBuf,
    /// The PI versions that it serves.
    served: Vec<String>,
}

/// What was done, or found, for one file of one folder.
#[derive(Serialize)]
struct InstallEntry {
    folder: PathBuf,
    libsycl: String,
    pi_version: Option<String>,
    plugin: String,
    #[serde(flatten)]
    report: PluginStatus,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Serialize)]
struct InstallReport {
    command: &'static str,
    dry_run: bool,
    entries: Vec<InstallEntry>,
}

/// `pi install DIR`
pub fn install(arguments: &InstallArguments, output: &mut Output) -> Result<CommandStatus> {
    let folders = tree::folders(&arguments.tree.folder)?;
    let sources = sources(&arguments.plugin)?;
    let dry_run = arguments.dry_run;
    // Everything is checked before anything is changed.
    let mut plans = Vec::new();
    for libsycl in &folders {
        let release = Release::of(libsycl)?;
        for source in &sources {
            check_served(libsycl, &release, source)?;
            let location = PluginLocation::new(libsycl, source.backend.file_name());
            plans.push(PlannedInstall { libsycl, release: release.clone(), source, location });
        }
    }
    let mut entries = Vec::new();
    for plan in plans {
        let report = plan.location.install(&plan.source.file, &plan.release, dry_run)?;
        let mut notes = notes(plan.libsycl, plan.source.backend);
        if !dry_run {
            verify(&plan.location, &plan.release, &mut notes)?;
        }
        entries.push(InstallEntry::new(plan.libsycl, Some(plan.release), plan.source.backend, report, notes));
    }
    tell(InstallReport { command: "install", dry_run, entries }, output)?;
    Ok(CommandStatus::Fine)
}

/// `pi uninstall DIR`
pub fn uninstall(arguments: &UninstallArguments, output: &mut Output) -> Result<CommandStatus> {
    let mut entries = Vec::new();
    for libsycl in tree::folders(&arguments.tree.folder)? {
        for backend in present(&libsycl)? {
            let location = PluginLocation::new(&libsycl, backend.file_name());
            let report = location.uninstall(arguments.dry_run)?;
            entries.push(InstallEntry::new(&libsycl, None, backend, report, vec![]));
        }
    }
    tell(InstallReport { command: "uninstall", dry_run: arguments.dry_run, entries }, output)?;
    Ok(CommandStatus::Fine)
}

/// `pi status DIR`
pub fn status(arguments: &TreeArguments, output: &mut Output) -> Result<CommandStatus> {
    let mut entries = Vec::new();
    for libsycl in tree::folders(&arguments.folder)? {
        // A release that is not served still has a status.
        let release = Release::of(&libsycl).ok();
        for backend in present(&libsycl)? {
            let location = PluginLocation::new(&libsycl, backend.file_name());
            let report = location.status()?;
            entries.push(InstallEntry::new(&libsycl, release.clone(), backend, report, vec![]));
        }
    }
    let ours = entries.iter().any(|entry| entry.report.state == PluginState::Ours);
    tell(InstallReport { command: "status", dry_run: false, entries }, output)?;
    Ok(if ours { CommandStatus::Fine } else { CommandStatus::NotInstalled })
}

/// The plugins of the libsycl files below `root`: paths, states and descriptions.
///
/// # Errors
/// There is no libsycl, or a folder cannot be read.
pub fn states(root: &Path) -> Result<Vec<(PathBuf, PluginState, String)>> {
    let mut states = Vec::new();
    for libsycl in tree::folders(root)? {
        for backend in present(&libsycl)? {
            let location = PluginLocation::new(&libsycl, backend.file_name());
            let report = location.status()?;
            states.push((location.target().into(), report.state, report.action));
        }
    }
    Ok(states)
}

struct PlannedInstall<'a> {
    libsycl: &'a LibsyclFolder,
    release: Release,
    source: &'a PluginSource,
    location: PluginLocation,
}

/// The backends to report on: those with a file there, and OpenCL always.
fn present(libsycl: &LibsyclFolder) -> Result<Vec<Backend>> {
    let manifest = Manifest::read(&libsycl.folder)?;
    let there = |backend: &Backend| {
        let name = backend.file_name();
        *backend == Backend::OpenCl
            || manifest.as_ref().is_some_and(|manifest| manifest.plugins.contains_key(name))
            || files::exists(&libsycl.folder.join(files::vendor_name(name)))
    };
    Ok(Backend::ALL.into_iter().filter(there).collect())
}

/// The plugins named, or those beside pi.
fn sources(named: &[PathBuf]) -> Result<Vec<PluginSource>> {
    let files: Vec<(Backend, PathBuf)> = if named.is_empty() {
        let folder = sycl_pi_loader::search::executable_folder().unwrap_or_default();
        let beside = Backend::ALL.map(|backend| (backend, folder.join(backend.file_name())));
        let found: Vec<_> = beside.into_iter().filter(|(_, file)| file.exists()).collect();
        if found.is_empty() {
            bail!("there is no plugin beside pi ({}); name one with --plugin FILE", folder.display());
        }
        found
    } else {
        let with_backend = |file: &PathBuf| match Backend::of_file(file) {
            Some(backend) => Ok((backend, file.clone())),
            None => bail!(
                "{}: the name says for which backend a plugin is; expected {}",
                file.display(),
                Backend::ALL.map(Backend::file_name).join(", ")
            ),
        };
        named.iter().map(with_backend).collect::<Result<_>>()?
    };
    let source = |(backend, file): (Backend, PathBuf)| {
        let file = std::path::absolute(&file)?;
        let served = probe::served(&file)?;
        if served.is_empty() {
            bail!("{} serves no PI version known here", file.display());
        }
        Ok(PluginSource { backend, file, served })
    };
    files.into_iter().map(source).collect()
}

fn check_served(libsycl: &LibsyclFolder, release: &Release, source: &PluginSource) -> Result<()> {
    if source.served.contains(&release.pi_version) {
        return Ok(());
    }
    bail!(
        "{} speaks PI {}{}, and {} serves PI {} only; nothing was changed",
        libsycl.libsycl.display(),
        release.pi_version,
        release.describe(),
        source.file.display(),
        source.served.join(", ")
    )
}

/// Asks the file in its new place for the release's version, as libsycl will.
fn verify(location: &PluginLocation, release: &Release, notes: &mut Vec<String>) -> Result<()> {
    match probe::served(location.target()) {
        Ok(served) if served.contains(&release.pi_version) => Ok(()),
        Ok(_) => {
            bail!("{} does not serve PI {} in its place", location.target().display(), release.pi_version)
        }
        Err(error) => {
            notes.push(format!("the installed plugin could not be asked: {error:#}"));
            Ok(())
        }
    }
}

fn notes(libsycl: &LibsyclFolder, backend: Backend) -> Vec<String> {
    let mut notes = Vec::new();
    if libsycl.outside {
        notes.push("the libsycl of DIR leads to this folder outside it: others may use it too".into());
    }
    let variable = backend.override_variable();
    if let Some(other) = std::env::var_os(variable).filter(|value| !value.is_empty()) {
        notes.push(format!("{variable} is set: programs open {} instead", Path::new(&other).display()));
    }
    notes
}

impl InstallEntry {
    fn new(
        libsycl: &LibsyclFolder,
        release: Option<Release>,
        backend: Backend,
        report: PluginStatus,
        notes: Vec<String>,
    ) -> Self {
        Self {
            folder: libsycl.folder.clone(),
            libsycl: libsycl.name(),
            pi_version: release.map(|release| release.pi_version),
            plugin: backend.file_name().into(),
            report,
            notes,
        }
    }
}

fn tell(report: InstallReport, output: &mut Output) -> Result<()> {
    if output.is_json() {
        return output.value(&report);
    }
    for entry in &report.entries {
        let style = match entry.report.state {
            PluginState::Ours => Style::Good,
            PluginState::Vendor | PluginState::Absent => Style::Strong,
            PluginState::Replaced | PluginState::Interrupted => Style::Warning,
        };
        let place = entry.folder.join(&entry.plugin);
        let version = entry.pi_version.as_ref().map(|pi| format!(", PI {pi}")).unwrap_or_default();
        let action = if report.dry_run {
            format!("would: {}", entry.report.action)
        } else {
            entry.report.action.clone()
        };
        output.line(format!(
            "{}: {} ({}{version})",
            place.display(),
            output.paint(style, action),
            entry.libsycl
        ))?;
        for note in &entry.notes {
            output.line(format!("  note: {note}"))?;
        }
    }
    Ok(())
}
