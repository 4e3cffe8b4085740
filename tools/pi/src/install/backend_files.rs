//! All files of one backend in a libsycl's folder: a plugin, or an adapter under each of its names.
//!
//! A wheel contains an adapter three times, as `libur_adapter_X.so`, `.so.0` and `.so.0.12.0`. An install replaces each
//! of them with a separate file, so an adapter can tell from its file name under which name it was loaded.

use std::path::{Path, PathBuf};

use anyhow::Result;
use sycl_pi_loader::Backend;

use super::adapter_names as names;
use super::files;
use super::kind::FileKind;
use super::links;
use super::location::{PluginLocation, PluginState, PluginStatus};
use super::manifest::Manifest;
use super::release::Release;
use super::tree::LibsyclFolder;

/// The files of one backend.
pub struct BackendFiles {
    /// The file that the runtime opens.
    main: PluginLocation,
    /// The same library under other names.
    copies: Vec<PluginLocation>,
}

impl BackendFiles {
    /// Returns the files of `backend` in a libsycl's folder. These are the files that libsycl loads or would load, and
    /// those that an install recorded.
    pub fn new(folder: &Path, kind: FileKind, backend: Backend) -> Self {
        let recorded = || Some(Manifest::read(folder).ok()??.names(kind, backend));
        let (main, copies) = match kind {
            FileKind::Plugin => (backend.file_name().to_owned(), vec![]),
            FileKind::Adapter => {
                let served = names::served(backend);
                let there = served.iter().flat_map(|adapter| names::copies(folder, adapter));
                let mut all: Vec<String> = there.chain(recorded().unwrap_or_default()).collect();
                all.sort();
                all.dedup();
                let main = main_name(folder, served, &all);
                all.retain(|name| *name != main);
                (main, all)
            }
        };
        let location = |name: &String| PluginLocation::new(folder, kind, name);
        Self { main: location(&main), copies: copies.iter().map(location).collect() }
    }

    /// Returns the backends to report. These are the ones with a file, and always OpenCL.
    ///
    /// # Errors
    /// Fails if the manifest cannot be read.
    pub fn present(libsycl: &LibsyclFolder) -> Result<Vec<Backend>> {
        let (folder, kind) = (&libsycl.folder, libsycl.kind());
        let there = |backend: Backend| {
            kind == FileKind::Adapter && files::exists(Self::new(folder, kind, backend).target())
        };
        let mut present = vec![];
        for backend in Backend::ALL {
            if backend == Backend::OpenCl || there(backend) || Self::has_traces(folder, kind, backend)? {
                present.push(backend);
            }
        }
        Ok(present)
    }

    /// Returns whether an install has left a record or a kept vendor file.
    ///
    /// # Errors
    /// Fails if the manifest cannot be read.
    pub fn has_traces(folder: &Path, kind: FileKind, backend: Backend) -> Result<bool> {
        let manifest = Manifest::read(folder)?;
        let recorded = manifest.is_some_and(|manifest| !manifest.names(kind, backend).is_empty());
        let files = Self::new(folder, kind, backend);
        Ok(recorded || files.all().any(|location| files::exists(&location.kept)))
    }

    /// Returns the file that the runtime opens.
    pub fn target(&self) -> &Path {
        &self.main.target
    }

    /// Returns the names of the other files.
    pub fn copy_names(&self) -> Vec<String> {
        self.copies.iter().map(|copy| copy.name.clone()).collect()
    }

    /// Returns the state of the files.
    ///
    /// # Errors
    /// Fails if the folder cannot be read.
    pub fn status(&self) -> Result<PluginStatus> {
        let mut status = self.main.status()?;
        for copy in &self.copies {
            let other = copy.status()?.state;
            let told = matches!(status.state, PluginState::Replaced | PluginState::Interrupted);
            if other != status.state && !told {
                status.action = format!(
                    "{}, but {} differs (an interrupted install, or a package update); run pi install again",
                    status.action, copy.name
                );
                status.state = PluginState::Interrupted;
            }
        }
        Ok(status)
    }

    /// Installs `source` under each name that the vendor's file has. If that fails, restores the files of names
    /// that had no file of ours.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or the folder cannot be written.
    pub fn install(&self, source: &Path, release: &Release, dry_run: bool) -> Result<PluginStatus> {
        let is_new = |location: &&PluginLocation| location.has_traces().is_ok_and(|traces| !traces);
        let new: Vec<&PluginLocation> = self.all().filter(is_new).collect();
        let done = self.each(|location| match location.is_obsolete()? && location.name != self.main.name {
            true => location.uninstall(dry_run),
            false => location.install(source, release, dry_run),
        });
        if done.is_err() && !dry_run {
            // If this fails too, the record remains, so that a later uninstall finds it.
            for location in new {
                let _ = location.uninstall(false);
            }
        }
        done
    }

    /// Returns whether one of these files is loaded.
    pub fn is_among(&self, loaded: &[PathBuf]) -> bool {
        self.all().any(|location| loaded.iter().any(|file| same_file(file, &location.target)))
    }

    fn all(&self) -> impl Iterator<Item = &PluginLocation> {
        self.copies.iter().chain([&self.main])
    }

    /// Restores the previous files.
    ///
    /// # Errors
    /// Fails if the folder cannot be written.
    pub fn uninstall(&self, dry_run: bool) -> Result<PluginStatus> {
        self.each(|location| location.uninstall(dry_run))
    }

    /// Performs a step for each file, the main one last. Until then the runtime loads the same file as before.
    fn each(&self, step: impl Fn(&PluginLocation) -> Result<PluginStatus>) -> Result<PluginStatus> {
        let copies = self.copies.iter().map(&step).collect::<Result<Vec<_>>>()?;
        let mut status = step(&self.main)?;
        // A loss takes precedence over a change in the report.
        let weight = |status: &PluginStatus| (status.lost, status.changed);
        if let Some(copy) =
            copies.into_iter().max_by_key(weight).filter(|copy| weight(copy) > weight(&status))
        {
            status = PluginStatus { state: status.state, installed: status.installed, ..copy };
        }
        Ok(status)
    }
}

/// Returns whether both paths lead to the same file. The system reports mapped files with links resolved.
fn same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// Returns the file that a loader reaches by the first of the names. In a oneAPI folder that name is a link to
/// another of the names. In this case the file is replaced, and the link stays.
fn main_name(folder: &Path, served: &[&str], all: &[String]) -> String {
    let opened = names::file_name(served.first().unwrap_or(&""));
    let leads_to = links::last_name(folder, opened.as_ref()).into_string().ok();
    leads_to.filter(|name| all.contains(name)).unwrap_or(opened)
}
