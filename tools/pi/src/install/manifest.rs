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

/// The version of the format that is written.
const FORMAT: u32 = 1;

/// Larger than any manifest.
const LARGEST: u64 = 1 << 20;

/// The installed plugins and adapters of one folder, by file name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the file's format.
    pub format: u32,
    /// The plugins and adapters.
    pub plugins: BTreeMap<String, Installed>,
    /// The files that name the adapters to Python programs, relative to the folder.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub pth_files: BTreeSet<PathBuf>,
    /// The SHA-256 of the program that compiles SPIR-V for NVIDIA GPUs, if it was installed next to the plugins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker_sha256: Option<String>,
}

/// One installed plugin or adapter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Installed {
    /// The version of the tool that installed it.
    pub version: String,
    /// The time, in UTC.
    pub installed: String,
    /// The PI version of the libsycl that it was installed for, if that loads plugins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pi_version: Option<String>,
    /// The DPC++ release that it was installed for, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// The file that was copied. It belongs to a package, which may be removed before this installation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<PathBuf>,
    /// The SHA-256 of our file.
    pub ours_sha256: String,
    /// The SHA-256 of our previous file, while the newer one replaces it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upgraded_from: Option<String>,
    /// The previous file, or `None` if there was none.
    pub vendor: Option<Vendor>,
}

/// The file that an install replaced.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Vendor {
    /// The SHA-256 of its bytes (or those of the file that it leads to, if it is a link).
    pub sha256: String,
    /// The target, if it is a link.
    pub link: Option<PathBuf>,
    /// The record of the package that installed it, relative to the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<PathBuf>,
}

impl Vendor {
    /// Returns whether `found` is this file. A link is the same as long as it has the same target.
    pub fn is(&self, found: &Vendor) -> bool {
        self.link == found.link && (self.link.is_some() || self.sha256 == found.sha256)
    }
}

impl Installed {
    /// Returns whether a file with this hash was installed by us.
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
    /// Reads the folder's manifest. Returns `None` if there is no such file.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is not a manifest.
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

    /// Returns the names of `kind` for `backend` in it. Names that no install writes are left out because they may
    /// lead anywhere.
    pub fn names(&self, kind: FileKind, backend: Backend) -> Vec<String> {
        let served = |name: &&String| match kind {
            FileKind::Plugin => **name == backend.file_name(),
            FileKind::Adapter => adapter_names::adapter_of(name)
                .is_some_and(|adapter| adapter_names::served(backend).contains(&adapter)),
        };
        self.plugins.keys().filter(served).cloned().collect()
    }

    /// Writes the manifest atomically. An empty one is removed.
    ///
    /// # Errors
    /// Fails if the folder cannot be written.
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
