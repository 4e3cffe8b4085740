//! `pi install`, `pi uninstall`, `pi status`: our plugins in the place of the vendor's, and back.

mod change;
mod files;
mod manifest;
mod release;
pub mod tree;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;
use sycl_pi_loader::Backend;

use crate::Outcome;
use crate::cli::{InstallArguments, TreeArguments, UninstallArguments};
use crate::output::{Output, Style};
use crate::probe;
use change::Change;
pub use change::State;
use manifest::Manifest;
use release::Release;
use tree::Home;

/// One plugin that may be installed.
struct Source {
    backend: Backend,
    file: PathBuf,
    /// The PI versions that it serves.
    served: Vec<String>,
}

/// What was done, or found, for one file of one folder.
#[derive(Serialize)]
struct Entry {
    folder: PathBuf,
    libsycl: String,
    pi_version: Option<String>,
    plugin: String,
    #[serde(flatten)]
    report: change::Report,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Report {
    command: &'static str,
    dry_run: bool,
    entries: Vec<Entry>,
}

/// `pi install DIR`
pub fn install(arguments: &InstallArguments, output: &mut Output) -> Result<Outcome> {
    let homes = tree::homes(&arguments.tree.folder)?;
    let sources = sources(&arguments.plugin)?;
    let dry_run = arguments.dry_run;
    // Everything is checked before anything is changed.
    let mut plans = Vec::new();
    for home in &homes {
        let release = Release::of(home)?;
        for source in &sources {
            check_served(home, &release, source)?;
            let change = Change::new(home, source.backend.file_name());
            plans.push(Plan { home, release: release.clone(), source, change });
        }
    }
    let mut entries = Vec::new();
    for plan in plans {
        let report = plan.change.install(&plan.source.file, &plan.release, dry_run)?;
        let mut notes = notes(plan.home, plan.source.backend);
        if !dry_run {
            verify(&plan.change, &plan.release, &mut notes)?;
        }
        entries.push(Entry::new(plan.home, Some(plan.release), plan.source.backend, report, notes));
    }
    tell(Report { command: "install", dry_run, entries }, output)?;
    Ok(Outcome::Fine)
}

/// `pi uninstall DIR`
pub fn uninstall(arguments: &UninstallArguments, output: &mut Output) -> Result<Outcome> {
    let mut entries = Vec::new();
    for home in tree::homes(&arguments.tree.folder)? {
        for backend in present(&home)? {
            let change = Change::new(&home, backend.file_name());
            let report = change.uninstall(arguments.dry_run)?;
            entries.push(Entry::new(&home, None, backend, report, vec![]));
        }
    }
    tell(Report { command: "uninstall", dry_run: arguments.dry_run, entries }, output)?;
    Ok(Outcome::Fine)
}

/// `pi status DIR`
pub fn status(arguments: &TreeArguments, output: &mut Output) -> Result<Outcome> {
    let mut entries = Vec::new();
    for home in tree::homes(&arguments.folder)? {
        // A release that is not served still has a status.
        let release = Release::of(&home).ok();
        for backend in present(&home)? {
            let change = Change::new(&home, backend.file_name());
            let report = change.status()?;
            entries.push(Entry::new(&home, release.clone(), backend, report, vec![]));
        }
    }
    let ours = entries.iter().any(|entry| entry.report.state == State::Ours);
    tell(Report { command: "status", dry_run: false, entries }, output)?;
    Ok(if ours { Outcome::Fine } else { Outcome::NotInstalled })
}

/// What stands where the libsycl files below `root` look for plugins, and that in words.
///
/// # Errors
/// There is no libsycl, or a folder cannot be read.
pub fn states(root: &Path) -> Result<Vec<(PathBuf, State, String)>> {
    let mut states = Vec::new();
    for home in tree::homes(root)? {
        for backend in present(&home)? {
            let change = Change::new(&home, backend.file_name());
            let report = change.status()?;
            states.push((change.target().into(), report.state, report.action));
        }
    }
    Ok(states)
}

struct Plan<'a> {
    home: &'a Home,
    release: Release,
    source: &'a Source,
    change: Change,
}

/// The backends to report on: those with a file there, and OpenCL always.
fn present(home: &Home) -> Result<Vec<Backend>> {
    let manifest = Manifest::read(&home.folder)?;
    let there = |backend: &Backend| {
        let name = backend.file_name();
        *backend == Backend::OpenCl
            || manifest.as_ref().is_some_and(|manifest| manifest.plugins.contains_key(name))
            || files::exists(&home.folder.join(change::vendor_name(name)))
    };
    Ok(Backend::ALL.into_iter().filter(there).collect())
}

/// The plugins named, or those beside pi.
fn sources(named: &[PathBuf]) -> Result<Vec<Source>> {
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
        Ok(Source { backend, file, served })
    };
    files.into_iter().map(source).collect()
}

fn check_served(home: &Home, release: &Release, source: &Source) -> Result<()> {
    if source.served.contains(&release.pi_version) {
        return Ok(());
    }
    bail!(
        "{} speaks PI {}{}, and {} serves PI {} only; nothing was changed",
        home.libsycl.display(),
        release.pi_version,
        release.describe(),
        source.file.display(),
        source.served.join(", ")
    )
}

/// Asks the file in its new place for the release's version, as libsycl will.
fn verify(change: &Change, release: &Release, notes: &mut Vec<String>) -> Result<()> {
    match probe::served(change.target()) {
        Ok(served) if served.contains(&release.pi_version) => Ok(()),
        Ok(_) => bail!("{} does not serve PI {} in its place", change.target().display(), release.pi_version),
        Err(error) => {
            notes.push(format!("the installed plugin could not be asked: {error:#}"));
            Ok(())
        }
    }
}

fn notes(home: &Home, backend: Backend) -> Vec<String> {
    let mut notes = Vec::new();
    if home.outside {
        notes.push("the libsycl of DIR leads to this folder outside it: others may use it too".into());
    }
    let variable = backend.override_variable();
    if let Some(other) = std::env::var_os(variable).filter(|value| !value.is_empty()) {
        notes.push(format!("{variable} is set: programs open {} instead", Path::new(&other).display()));
    }
    notes
}

impl Entry {
    fn new(
        home: &Home,
        release: Option<Release>,
        backend: Backend,
        report: change::Report,
        notes: Vec<String>,
    ) -> Self {
        Self {
            folder: home.folder.clone(),
            libsycl: home.name(),
            pi_version: release.map(|release| release.pi_version),
            plugin: backend.file_name().into(),
            report,
            notes,
        }
    }
}

fn tell(report: Report, output: &mut Output) -> Result<()> {
    if output.is_json() {
        return output.value(&report);
    }
    for entry in &report.entries {
        let style = match entry.report.state {
            State::Ours => Style::Good,
            State::Vendor | State::Absent => Style::Strong,
            State::Replaced | State::Interrupted => Style::Warning,
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
