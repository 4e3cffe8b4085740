//! The file of one plugin or adapter in one folder, and its states.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::files;
use super::kind::FileKind;
use super::links;
use super::manifest::{Installed, Manifest, Vendor};
use super::package;
use crate::probe;

/// The log target of failed calls, which is contained in all our plugins and adapters.
const OUR_MARK: &[u8] = b"sycl_pi_backend";

/// The location of a plugin or adapter in a libsycl folder.
pub struct PluginLocation {
    pub kind: FileKind,
    pub folder: PathBuf,
    pub name: String,
    /// The file.
    pub target: PathBuf,
    /// The name under which the vendor's file is kept.
    pub kept: PathBuf,
}

/// The state of a plugin's location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PluginState {
    /// No file.
    Absent,
    /// A file that is not ours, without traces of an install.
    Vendor,
    /// Our file.
    Ours,
    /// A file that is not ours, where ours had been installed. The package was updated since.
    Replaced,
    /// An install or uninstall that was interrupted.
    Interrupted,
}

/// The result of a step, and the state afterwards.
#[derive(Debug, Serialize)]
pub struct PluginStatus {
    /// The description of the step.
    pub action: String,
    /// Whether the step changed anything, or would.
    pub changed: bool,
    /// Whether the vendor's file differs from what it was before the install.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// The state afterwards.
    pub state: PluginState,
    /// Our entry, if our file is installed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installed: Option<Installed>,
}

/// The file that is kept under the vendor's second name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptFile {
    Nothing,
    /// The file that the manifest records.
    Vendors,
    /// The recorded file, but its package was removed or updated since, so no package owns it.
    Obsolete,
    /// A file that is not in any manifest.
    Unrecorded,
    /// A file other than the one that the manifest records.
    Another,
    /// Our file.
    Ours,
}

/// The result of inspecting a location.
pub struct Inspection {
    pub entry: Option<Installed>,
    /// The hash of the file. `None` without a file, or for a broken link.
    pub here: Option<String>,
    pub kept: KeptFile,
    /// Whether the vendor's file is in place despite an install.
    pub as_before: bool,
    pub state: PluginState,
}

impl PluginLocation {
    /// Returns the location of the file `name` in a libsycl's folder.
    pub fn new(folder: &Path, kind: FileKind, name: &str) -> Self {
        Self {
            kind,
            folder: folder.into(),
            name: name.into(),
            target: folder.join(name),
            kept: folder.join(files::vendor_name(name)),
        }
    }

    /// Returns the state of the location.
    ///
    /// # Errors
    /// Fails if the folder cannot be read.
    pub fn status(&self) -> Result<PluginStatus> {
        let inspection = self.inspect()?;
        let there = files::exists(&self.target);
        let action = match (inspection.state, &inspection.entry) {
            (PluginState::Absent, _) => format!("no {} is there", self.kind.noun()),
            (PluginState::Vendor, _) => format!("the vendor's {}", self.kind.noun()),
            (PluginState::Ours, Some(entry)) => {
                // Other users may be able to write the manifest, so its control characters must not reach the terminal.
                let (version, installed) = (entry.version.escape_debug(), entry.installed.escape_debug());
                format!("sycl-pi {version}, installed {installed}; {}", self.told_of_kept(inspection.kept, entry))
            }
            (PluginState::Ours, None) => "sycl-pi, installed by hand".into(),
            (PluginState::Replaced, _) => "another file has taken the place of ours (a package update?); run pi install again".into(),
            (PluginState::Interrupted, _) if !there && inspection.kept == KeptFile::Obsolete => {
                "our file was removed with the vendor's package; run pi install or pi uninstall again".into()
            }
            (PluginState::Interrupted, _) if !there && inspection.kept == KeptFile::Nothing => {
                "neither our file nor the vendor's exists (a package was removed?); run pi install or pi uninstall again".into()
            }
            (PluginState::Interrupted, _) => "the vendor's, after an interrupted install or a package update; run pi install or pi uninstall again".into(),
        };
        Ok(inspection.report(action, false))
    }

    fn told_of_kept(&self, kept: KeptFile, entry: &Installed) -> String {
        match kept {
            KeptFile::Vendors => "the vendor's is kept aside".into(),
            KeptFile::Obsolete => {
                "the vendor's, which was kept aside, belongs to a package that is gone".into()
            }
            KeptFile::Nothing if entry.vendor.is_none() => "there was none before".into(),
            KeptFile::Nothing => "the vendor's, which was kept aside, is gone".into(),
            _ => format!("{} is not the file that was kept aside", files::vendor_name(&self.name)),
        }
    }

    /// Inspects the location.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn inspect(&self) -> Result<Inspection> {
        let entry =
            Manifest::read(&self.folder)?.and_then(|manifest| manifest.plugins.get(&self.name).cloned());
        let here = if self.target.exists() { Some(files::sha256(&self.target)?) } else { None };
        let kept = self.inspect_kept(entry.as_ref())?;
        let is_kept = kept != KeptFile::Nothing;
        let there = files::exists(&self.target);
        // An installed file is never a link. A link may lead to the same bytes, e.g. for a libsycl that is yet to be
        // copied.
        let recorded = matches!((&entry, &here), (Some(entry), Some(here)) if entry.put(here));
        let ours = recorded && !links::is_link(&self.target);
        let vendor = entry.as_ref().map(|entry| entry.vendor.as_ref());
        let as_before = match (vendor, &here) {
            // Both names belong to one file if it was kept, but our file was not installed.
            _ if files::same(&self.target, &self.kept) => true,
            (Some(Some(vendor)), Some(here)) => vendor.sha256 == *here,
            (Some(None), None) => !there,
            _ => false,
        };
        let known = entry.is_some() || is_kept;
        let state = if ours {
            PluginState::Ours
        } else if known && (as_before || is_kept && !there) {
            PluginState::Interrupted
        } else if there && self.is_by_us(&self.target, is_kept) {
            // A file of ours that was not installed, or whose record is lost.
            PluginState::Ours
        } else {
            match (known, there) {
                (true, true) => PluginState::Replaced,
                (false, true) => PluginState::Vendor,
                (true, false) => PluginState::Interrupted,
                (false, false) => PluginState::Absent,
            }
        };
        Ok(Inspection { entry, here, kept, as_before, state })
    }

    fn inspect_kept(&self, entry: Option<&Installed>) -> Result<KeptFile> {
        if !files::exists(&self.kept) {
            return Ok(KeptFile::Nothing);
        }
        let recorded = entry.and_then(|entry| entry.vendor.as_ref());
        let found = vendor_at(&self.kept)?;
        Ok(match recorded {
            Some(vendor) if vendor.is(&found) => match &vendor.package {
                Some(record) if package::is_gone(&self.folder, record) => KeptFile::Obsolete,
                _ => KeptFile::Vendors,
            },
            _ if entry.is_some_and(|entry| entry.put(&found.sha256)) => KeptFile::Ours,
            _ if self.is_by_us(&self.kept, true) => KeptFile::Ours,
            _ if entry.is_some() => KeptFile::Another,
            _ => KeptFile::Unrecorded,
        })
    }

    /// Returns whether an install has left a record or a kept file.
    ///
    /// # Errors
    /// Fails if the manifest cannot be read.
    pub fn has_traces(&self) -> Result<bool> {
        let recorded =
            Manifest::read(&self.folder)?.is_some_and(|found| found.plugins.contains_key(&self.name));
        Ok(recorded || files::exists(&self.kept))
    }

    /// Returns whether the kept file belongs to a package that was removed, without a new file in its place.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn is_obsolete(&self) -> Result<bool> {
        Ok(!files::exists(&self.target) && self.inspect()?.kept == KeptFile::Obsolete)
    }

    /// Returns whether a file is ours. Our files contain the name of our log target. A plugin that supports several
    /// versions is ours too, because a vendor's supports only its own release. Plugins are asked only if there are
    /// traces of an install.
    fn is_by_us(&self, file: &Path, ask: bool) -> bool {
        let serves_several = || probe::served(file).is_ok_and(|served| served.len() > 1);
        files::has(file, OUR_MARK) || ask && self.kind == FileKind::Plugin && serves_several()
    }
}

/// Returns the record of a vendor's file.
///
/// # Errors
/// Fails if it cannot be read.
pub fn vendor_at(file: &Path) -> Result<Vendor> {
    // A dangling link is kept as well.
    let sha256 = if file.exists() { files::sha256(file)? } else { String::new() };
    Ok(Vendor { sha256, link: fs::read_link(file).ok(), package: None })
}

impl Inspection {
    /// Returns the report for it.
    pub fn report(&self, action: String, changed: bool) -> PluginStatus {
        let installed = self.entry.clone().filter(|_| self.state == PluginState::Ours);
        PluginStatus { action, changed, lost: false, state: self.state, installed }
    }
}
