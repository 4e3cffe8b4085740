//! The plugins and adapters that libsycl libraries load.

use std::path::{Path, PathBuf};

use anyhow::Result;
use sycl_pi_loader::{Backend, Environment};

use super::active;
use super::backend_files::BackendFiles;
use super::force_load;
use super::location::{PluginState, PluginStatus};
use super::lock;
use super::release::Release;
use super::tree::{self, LibsyclFolder};

/// A plugin or adapter that a libsycl loads.
pub struct Found {
    pub libsycl: LibsyclFolder,
    /// `None` if it is not known.
    pub release: Option<Release>,
    pub backend: Backend,
    pub status: PluginStatus,
    pub files: BackendFiles,
}

/// The environments that programs started from here would use.
pub struct Seen {
    /// The active virtual environment and the active conda environment.
    pub active: Vec<PathBuf>,
    /// The libsycl libraries of these, and of the folders of LD_LIBRARY_PATH.
    pub libsycls: Vec<LibsyclFolder>,
}

impl Found {
    pub fn file(&self) -> &Path {
        self.files.target()
    }

    pub fn state(&self) -> PluginState {
        self.status.state
    }

    /// Returns the description of the state.
    pub fn said(&self) -> &str {
        &self.status.action
    }

    /// Returns whether its file exists. The OpenCL adapter may be part of libsycl.
    pub fn is_file(&self) -> bool {
        self.file().exists()
    }
}

impl Seen {
    /// Returns the environment in the named folder, or else what [`from`](Self::from) finds.
    ///
    /// # Errors
    /// Fails if the folder has no libsycl.
    pub fn in_environment(named: Option<&Path>, environment: &Environment) -> Result<Self> {
        match named {
            Some(root) => Ok(Self { active: vec![root.into()], libsycls: tree::folders(root)? }),
            None => Ok(Self::from(environment)),
        }
    }

    pub fn from(environment: &Environment) -> Self {
        let active: Vec<PathBuf> = active::folders(environment);
        let mut libsycls: Vec<LibsyclFolder> = Vec::new();
        for root in active.iter().cloned().chain(environment.paths("LD_LIBRARY_PATH")) {
            // A folder without libsycl is ignored.
            for libsycl in tree::folders(&root).unwrap_or_default() {
                let known = |other: &LibsyclFolder| other.libsycl == libsycl.libsycl;
                if !libsycls.iter().any(known) {
                    libsycls.push(libsycl);
                }
            }
        }
        Self { active, libsycls }
    }

    /// Returns those that load adapters.
    pub fn with_adapters(&self) -> impl Iterator<Item = &LibsyclFolder> {
        self.libsycls.iter().filter(|libsycl| libsycl.speaks_ur())
    }
}

/// Finds the plugins and adapters of the libsycl libraries below `root`.
///
/// # Errors
/// Fails if there is no libsycl, or a folder cannot be read.
pub fn below(root: &Path) -> Result<Vec<Found>> {
    let mut found = Vec::new();
    for libsycl in tree::folders(root)? {
        found.extend(Found::in_folder(&libsycl)?);
    }
    Ok(found)
}

impl Found {
    /// Returns the plugins or adapters of one libsycl.
    ///
    /// # Errors
    /// Fails if the folder cannot be read.
    pub fn in_folder(libsycl: &LibsyclFolder) -> Result<Vec<Self>> {
        // An unsupported release still has a status.
        let release = Release::find(libsycl).ok();
        lock::look(&libsycl.folder, || Self::seen(libsycl, release.as_ref()))
    }

    fn seen(libsycl: &LibsyclFolder, release: Option<&Release>) -> Result<Vec<Self>> {
        let inside = release.and_then(Release::unified_runtime).filter(|told| told.opencl_inside);
        let mut found = Vec::new();
        for backend in BackendFiles::present(libsycl)? {
            let files = BackendFiles::new(&libsycl.folder, libsycl.kind(), backend);
            let mut status = files.status()?;
            if let Some(unified_runtime) = inside.filter(|_| backend == Backend::OpenCl) {
                status = force_load::status(libsycl, unified_runtime, status)?;
            }
            found.push(Self { libsycl: libsycl.clone(), release: release.cloned(), backend, status, files });
        }
        Ok(found)
    }
}
