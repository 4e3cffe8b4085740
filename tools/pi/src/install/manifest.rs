//! `.sycl-pi-install.json`: the files that were installed in a folder, and the files that they replaced.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::files;

/// The file's name.
pub const NAME: &str = ".sycl-pi-install.json";

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
}

/// One installed plugin or adapter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vendor {
    /// Its bytes (of the file that it leads to, if it is a link).
    pub sha256: String,
    /// Where it leads, if it is a link.
    pub link: Option<PathBuf>,
}

impl Installed {
    /// Whether a file with this hash was put there by us.
    pub fn put(&self, sha256: &str) -> bool {
        self.ours_sha256 == sha256 || self.upgraded_from.as_deref() == Some(sha256)
    }
}

impl Default for Manifest {
    fn default() -> Self {
        Self { format: 1, plugins: BTreeMap::new(), pth_files: BTreeSet::new() }
    }
}

impl Manifest {
    /// The folder's manifest; none if there is no such file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        let file = folder.join(NAME);
        if !files::exists(&file) {
            return Ok(None);
        }
        let text = std::fs::read(&file).with_context(|| format!("{} cannot be read", file.display()))?;
        let manifest = serde_json::from_slice(&text);
        manifest.map(Some).with_context(|| {
            format!("{} is damaged; the vendor's files are those that end in .vendor", file.display())
        })
    }

    /// Writes the manifest in one step; an empty one is removed.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let file = folder.join(NAME);
        if self.plugins.is_empty() && self.pth_files.is_empty() {
            return files::remove(&file);
        }
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        files::write_anew(&file, &text, 0o644)
    }
}
