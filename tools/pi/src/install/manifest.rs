//! `.sycl-pi-install.json`: the files that were installed in a folder, and the files that they replaced.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sycl_pi_loader::Backend;

use super::adapter_names;
use super::files;
use super::kind::FileKind;
use crate::regular;

/// The file's name.
pub const NAME: &str = ".sycl-pi-install.json";

/// The form that is written.
const FORMAT: u32 = 1;

/// More than a manifest has.
const LARGEST: u64 = 1 << 20;

/// The installed plugins and adapters of one folder, by file name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The form of this file.
    pub format: u32,
    /// The plugins and adapters.
    pub plugins: BTreeMap<String, Installed>,
    /// The files that name the adapters to Python programs, relative to the folder.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub pth_files: BTreeSet<PathBuf>,
    /// The SHA-256 of the program that compiles SPIR-V for NVIDIA GPUs, if it was put beside the plugins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker_sha256: Option<String>,
}

/// One installed plugin or adapter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Installed {
    /// The version of the tool that installed it.
    pub version: String,
    /// When, in UTC.
    pub installed: String,
    /// The PI version of the libsycl that it was installed for, if that loads plugins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pi_version: Option<String>,
    /// The DPC++ release that it was installed for, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// The file that was copied: a package's, which may be removed before this installation is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<PathBuf>,
    /// Our file.
    pub ours_sha256: String,
    /// Our earlier file, while the newer one takes its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upgraded_from: Option<String>,
    /// What stood there before; none if there was nothing.
    pub vendor: Option<Vendor>,
}

/// The file that was there before.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Vendor {
    /// Its bytes (of the file that it leads to, if it is a link).
    pub sha256: String,
    /// Where it leads, if it is a link.
    pub link: Option<PathBuf>,
    /// The record of the package that brought it, relative to the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<PathBuf>,
}

impl Vendor {
    /// Whether `found` is this file. A link is the same while it leads to the same name.
    pub fn is(&self, found: &Vendor) -> bool {
        self.link == found.link && (self.link.is_some() || self.sha256 == found.sha256)
    }
}

impl Installed {
    /// Whether a file with this hash was put there by us.
    pub fn put(&self, sha256: &str) -> bool {
        self.ours_sha256 == sha256 || self.upgraded_from.as_deref() == Some(sha256)
    }
}

impl Default for Manifest {
    fn default() -> Self {
        Self { format: FORMAT, plugins: BTreeMap::new(), pth_files: BTreeSet::new(), worker_sha256: None }
    }
}

impl Manifest {
    /// The folder's manifest; none if there is no such file.
    ///
    /// # Errors
    /// The file cannot be read, or is none that an install writes.
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        let file = folder.join(NAME);
        if !files::exists(&file) {
            return Ok(None);
        }
        let text = regular::read_at_most(&file, LARGEST)
            .with_context(|| format!("{} cannot be read", file.display()))?;
        let manifest: Self = serde_json::from_slice(&text).with_context(|| {
            format!("{} is damaged; the vendor's files are those that end in .vendor", file.display())
        })?;
        if manifest.format > FORMAT {
            bail!("{} was written by a newer pi: use that one", file.display());
        }
        Ok(Some(manifest))
    }

    /// The names of `kind` for `backend` in it. Names that no install writes are not among them: they may lead anywhere.
    pub fn names(&self, kind: FileKind, backend: Backend) -> Vec<String> {
        let served = |name: &&String| match kind {
            FileKind::Plugin => **name == backend.file_name(),
            FileKind::Adapter => adapter_names::adapter_of(name)
                .is_some_and(|adapter| adapter_names::served(backend).contains(&adapter)),
        };
        self.plugins.keys().filter(served).cloned().collect()
    }

    /// Writes the manifest in one step; an empty one is removed.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let file = folder.join(NAME);
        if self.plugins.is_empty() && self.pth_files.is_empty() && self.worker_sha256.is_none() {
            return files::remove(&file);
        }
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        files::write_anew(&file, &text, files::mode_in(folder, 0o644))
    }
}
