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

/// The log target of failed calls, which stands in every plugin and adapter of ours.
const OUR_MARK: &[u8] = b"sycl_pi_backend";

/// Where one plugin or adapter of a libsycl folder belongs.
pub struct PluginLocation {
    pub kind: FileKind,
    pub folder: PathBuf,
    pub name: String,
    /// The file.
    pub target: PathBuf,
    /// The second name of the vendor's file.
    pub kept: PathBuf,
}

/// The state of a plugin's location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PluginState {
    /// Nothing.
    Absent,
    /// A file that is not ours, and no trace of us.
    Vendor,
    /// Our file.
    Ours,
    /// A file that is not ours, where ours had been: the package was updated since.
    Replaced,
    /// An install or uninstall that did not come to its end.
    Interrupted,
}

/// What was done, and the state now.
#[derive(Debug, Serialize)]
pub struct PluginStatus {
    /// The description of what was done.
    pub action: String,
    /// Whether anything was changed (or would be).
    pub changed: bool,
    /// Whether the vendor's file is not what it was before the install.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// The state afterwards.
    pub state: PluginState,
    /// Our entry, if our file is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installed: Option<Installed>,
}

/// What is kept under the second name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    Nothing,
    /// The file that the manifest records.
    Vendors,
    /// The same, of a package that was removed or updated since: it is nobody's.
    Obsolete,
    /// A file that no manifest tells of.
    Unrecorded,
    /// Not the file that the manifest records.
    Another,
    /// A file of ours.
    Ours,
}

/// What was found at a location.
pub struct Inspection {
    pub entry: Option<Installed>,
    /// The hash of the file; none without a file, or for a broken link.
    pub here: Option<String>,
    pub kept: Kept,
    /// Whether the vendor's file is in place although there was an install.
    pub as_before: bool,
    pub state: PluginState,
}

impl PluginLocation {
    /// The place of the file `name` in a libsycl's folder.
    pub fn new(folder: &Path, kind: FileKind, name: &str) -> Self {
        Self {
            kind,
            folder: folder.into(),
            name: name.into(),
            target: folder.join(name),
            kept: folder.join(files::vendor_name(name)),
        }
    }

    /// The state of the location.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn status(&self) -> Result<PluginStatus> {
        let inspection = self.inspect()?;
        let there = files::exists(&self.target);
        let action = match (inspection.state, &inspection.entry) {
            (PluginState::Absent, _) => format!("no {} is there", self.kind.noun()),
            (PluginState::Vendor, _) => format!("the vendor's {}", self.kind.noun()),
            (PluginState::Ours, Some(entry)) => {
                // The manifest is a file that others may write: no control character of it reaches the terminal.
                let (version, installed) = (entry.version.escape_debug(), entry.installed.escape_debug());
                format!("sycl-pi {version}, installed {installed}; {}", self.told_of_kept(inspection.kept, entry))
            }
            (PluginState::Ours, None) => "sycl-pi, installed by hand".into(),
            (PluginState::Replaced, _) => "another file has taken the place of ours (a package update?); run pi install again".into(),
            (PluginState::Interrupted, _) if !there && inspection.kept == Kept::Obsolete => {
                "our file is gone with the package of the vendor's; run pi install or pi uninstall again".into()
            }
            (PluginState::Interrupted, _) if !there && inspection.kept == Kept::Nothing => {
                "neither our file nor the vendor's is there (a package was removed?); run pi install or pi uninstall again".into()
            }
            (PluginState::Interrupted, _) => "the vendor's, after an interrupted install or a package update; run pi install or pi uninstall again".into(),
        };
        Ok(inspection.report(action, false))
    }

    fn told_of_kept(&self, kept: Kept, entry: &Installed) -> String {
        match kept {
            Kept::Vendors => "the vendor's is kept aside".into(),
            Kept::Obsolete => "the vendor's, which was kept aside, is of a package that is gone".into(),
            Kept::Nothing if entry.vendor.is_none() => "there was none before".into(),
            Kept::Nothing => "the vendor's, which was kept aside, is gone".into(),
            _ => format!("{} is not the file that was kept aside", files::vendor_name(&self.name)),
        }
    }

    /// What is there.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn inspect(&self) -> Result<Inspection> {
        let entry =
            Manifest::read(&self.folder)?.and_then(|manifest| manifest.plugins.get(&self.name).cloned());
        let here = if self.target.exists() { Some(files::sha256(&self.target)?) } else { None };
        let kept = self.inspect_kept(entry.as_ref())?;
        let is_kept = kept != Kept::Nothing;
        let there = files::exists(&self.target);
        // What we put in place is never a link. One may lead to the same bytes, as that of a libsycl whose copy is to be put in place.
        let recorded = matches!((&entry, &here), (Some(entry), Some(here)) if entry.put(here));
        let ours = recorded && !links::is_link(&self.target);
        let vendor = entry.as_ref().map(|entry| entry.vendor.as_ref());
        let as_before = match (vendor, &here) {
            // Two names of one file: it was kept, and ours did not come.
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
            // A file of ours that was not put there by an install, or whose record is lost.
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

    fn inspect_kept(&self, entry: Option<&Installed>) -> Result<Kept> {
        if !files::exists(&self.kept) {
            return Ok(Kept::Nothing);
        }
        let recorded = entry.and_then(|entry| entry.vendor.as_ref());
        let found = vendor_at(&self.kept)?;
        Ok(match recorded {
            Some(vendor) if vendor.is(&found) => match &vendor.package {
                Some(record) if package::is_gone(&self.folder, record) => Kept::Obsolete,
                _ => Kept::Vendors,
            },
            _ if entry.is_some_and(|entry| entry.put(&found.sha256)) => Kept::Ours,
            _ if self.is_by_us(&self.kept, true) => Kept::Ours,
            _ if entry.is_some() => Kept::Another,
            _ => Kept::Unrecorded,
        })
    }

    /// Whether an install has left a record or a file that is kept.
    ///
    /// # Errors
    /// The manifest cannot be read.
    pub fn has_traces(&self) -> Result<bool> {
        let recorded =
            Manifest::read(&self.folder)?.is_some_and(|found| found.plugins.contains_key(&self.name));
        Ok(recorded || files::exists(&self.kept))
    }

    /// Whether what is kept aside is of a package that is gone, and nothing took its place.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn is_obsolete(&self) -> Result<bool> {
        Ok(!files::exists(&self.target) && self.inspect()?.kept == Kept::Obsolete)
    }

    /// A file of ours has the name of our log in it. A plugin that serves several versions is ours too, since a vendor's serves its
    /// release's only; it is asked where there is a trace of an install.
    fn is_by_us(&self, file: &Path, ask: bool) -> bool {
        let serves_several = || probe::served(file).is_ok_and(|served| served.len() > 1);
        files::has(file, OUR_MARK) || ask && self.kind == FileKind::Plugin && serves_several()
    }
}

/// The record of a vendor's file.
///
/// # Errors
/// It cannot be read.
pub fn vendor_at(file: &Path) -> Result<Vendor> {
    // A link that leads nowhere is kept as well.
    let sha256 = if file.exists() { files::sha256(file)? } else { String::new() };
    Ok(Vendor { sha256, link: fs::read_link(file).ok(), package: None })
}

impl Inspection {
    /// The report on it.
    pub fn report(&self, action: String, changed: bool) -> PluginStatus {
        let installed = self.entry.clone().filter(|_| self.state == PluginState::Ours);
        PluginStatus { action, changed, lost: false, state: self.state, installed }
    }
}
