//! All files of one backend in one libsycl's folder: one plugin, or an adapter under each of its names.
//!
//! A wheel brings an adapter three times, as `libur_adapter_X.so`, `.so.0` and `.so.0.12.0`. An install replaces each of them by a
//! file of its own, so that an adapter can tell by its file's name which of its names it is loaded under.

use std::path::{Path, PathBuf};

use anyhow::Result;
use sycl_pi_loader::Backend;

use super::adapter_names as names;
use super::files;
use super::location::{FileKind, PluginLocation, PluginState, PluginStatus};
use super::manifest::Manifest;
use super::release::Release;
use super::tree::LibsyclFolder;

/// The files of one backend.
pub struct BackendFiles {
    /// What the runtime opens.
    main: PluginLocation,
    /// The same library under other names.
    copies: Vec<PluginLocation>,
}

impl BackendFiles {
    /// The files of `backend` that `libsycl` loads, or would load.
    pub fn of(libsycl: &LibsyclFolder, backend: Backend) -> Self {
        if !libsycl.speaks_ur() {
            let main = PluginLocation::new(libsycl, FileKind::Plugin, backend.file_name());
            return Self { main, copies: vec![] };
        }
        let served = names::served(backend);
        let mut all: Vec<String> =
            served.iter().flat_map(|adapter| names::copies(&libsycl.folder, adapter)).collect();
        let main = main_name(libsycl, served, &all);
        all.retain(|name| *name != main);
        let location = |name: &String| PluginLocation::new(libsycl, FileKind::Adapter, name);
        Self { main: location(&main), copies: all.iter().map(location).collect() }
    }

    /// The backends to report on: those with a file there, and OpenCL always.
    ///
    /// # Errors
    /// The manifest cannot be read.
    pub fn present(libsycl: &LibsyclFolder) -> Result<Vec<Backend>> {
        let manifest = Manifest::read(&libsycl.folder)?;
        let there = |backend: &Backend| {
            let files = Self::of(libsycl, *backend);
            let name = files.main.name();
            *backend == Backend::OpenCl
                || manifest.as_ref().is_some_and(|manifest| manifest.plugins.contains_key(name))
                || files::exists(&libsycl.folder.join(files::vendor_name(name)))
                || libsycl.speaks_ur() && files::exists(files.target())
        };
        Ok(Backend::ALL.into_iter().filter(there).collect())
    }

    /// The file that the runtime opens.
    pub fn target(&self) -> &Path {
        self.main.target()
    }

    /// The names of the other files.
    pub fn copy_names(&self) -> Vec<String> {
        self.copies.iter().map(|copy| copy.name().to_owned()).collect()
    }

    /// The state of the files.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn status(&self) -> Result<PluginStatus> {
        let mut status = self.main.status()?;
        for copy in &self.copies {
            let other = copy.status()?.state;
            let told = matches!(status.state, PluginState::Replaced | PluginState::Interrupted);
            if other != status.state && !told {
                status.action = format!(
                    "{}, but {} differs (an interrupted install, or a package update); run pi install again",
                    status.action,
                    copy.name()
                );
                status.state = PluginState::Interrupted;
            }
        }
        Ok(status)
    }

    /// Puts `source` in place, under each name.
    ///
    /// # Errors
    /// A file cannot be read, or the folder cannot be written.
    pub fn install(&self, source: &Path, release: &Release, dry_run: bool) -> Result<PluginStatus> {
        self.each(|location| location.install(source, release, dry_run))
    }

    /// Puts back what stood there before.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn uninstall(&self, dry_run: bool) -> Result<PluginStatus> {
        self.each(|location| location.uninstall(dry_run))
    }

    /// Takes a step for each file, the main one last: until then the runtime loads what it loaded before.
    fn each(&self, step: impl Fn(&PluginLocation) -> Result<PluginStatus>) -> Result<PluginStatus> {
        let copies = self.copies.iter().map(&step).collect::<Result<Vec<_>>>()?;
        let mut status = step(&self.main)?;
        if let Some(changed) = copies.into_iter().find(|copy| copy.changed).filter(|_| !status.changed) {
            status.action = changed.action;
            status.changed = true;
        }
        Ok(status)
    }
}

/// The file that a loader comes to by the first of the served names. In a oneAPI folder that name is a link to another
/// of the names; then the file itself is replaced, and the link stays.
fn main_name(libsycl: &LibsyclFolder, served: &[&str], all: &[String]) -> String {
    let opened = names::file_name(served.first().unwrap_or(&""));
    let leads_to = libsycl.folder.join(&opened).canonicalize().ok();
    let real = leads_to.as_ref().filter(|file| file.parent() == Some(&libsycl.folder));
    let real = real.and_then(|file: &PathBuf| Some(file.file_name()?.to_str()?.to_owned()));
    real.filter(|name| all.contains(name)).unwrap_or(opened)
}
