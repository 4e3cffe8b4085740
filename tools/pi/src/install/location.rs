//! The file of one plugin or adapter in one folder: its states, and the steps between them.
//!
//! An install writes our file under a name of its own first, as that needs space. Then it writes the manifest, gives the vendor's file its second name, then renames our file over the
//! first. The process may die after any step: the files always show how to continue or to undo.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::files::{self, NewFile};
use super::manifest::{Installed, Manifest, Vendor};
use super::release::Release;
use super::tree::LibsyclFolder;
use crate::probe;

/// The log target of failed calls, which stands in every plugin and adapter of ours.
const OUR_MARK: &[u8] = b"sycl_pi_backend";

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// It speaks PI.
    Plugin,
    /// It speaks Unified Runtime.
    Adapter,
}

/// Where one plugin or adapter of a libsycl folder belongs.
pub struct PluginLocation {
    kind: FileKind,
    folder: PathBuf,
    name: String,
    target: PathBuf,
    kept: PathBuf,
}

impl FileKind {
    /// The word for it.
    pub fn noun(self) -> &'static str {
        match self {
            FileKind::Plugin => "plugin",
            FileKind::Adapter => "adapter",
        }
    }
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
    /// The state afterwards.
    pub state: PluginState,
    /// Our entry, if our file is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installed: Option<Installed>,
}

/// What was found at a location.
struct Inspection {
    entry: Option<Installed>,
    /// The hash of the file; none without a file, or for a broken link.
    here: Option<String>,
    /// Whether the vendor's file is kept under its second name.
    kept: bool,
    /// Whether the vendor's file is in place although there was an install.
    as_before: bool,
    state: PluginState,
}

impl PluginLocation {
    /// The place of the file `name` in a libsycl's folder.
    pub fn new(home: &LibsyclFolder, kind: FileKind, name: &str) -> Self {
        Self {
            kind,
            folder: home.folder.clone(),
            name: name.into(),
            target: home.folder.join(name),
            kept: home.folder.join(files::vendor_name(name)),
        }
    }

    /// The file.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The state of the location.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn status(&self) -> Result<PluginStatus> {
        let inspection = self.inspect()?;
        let action = match (inspection.state, &inspection.entry) {
            (PluginState::Absent, _) => format!("no {} is there", self.kind.noun()),
            (PluginState::Vendor, _) => format!("the vendor's {}", self.kind.noun()),
            (PluginState::Ours, Some(entry)) => {
                let kept = if inspection.kept { "the vendor's is kept aside" } else { "there was none before" };
                format!("sycl-pi {}, installed {}; {kept}", entry.version, entry.installed)
            }
            (PluginState::Ours, None) => "sycl-pi, installed by hand".into(),
            (PluginState::Replaced, _) => "another file has taken the place of ours (a package update?); run pi install again".into(),
            (PluginState::Interrupted, _) => "the vendor's, after an interrupted install or a package update; run pi install or pi uninstall again".into(),
        };
        Ok(inspection.report(action, false))
    }

    /// Puts `source` in place.
    ///
    /// # Errors
    /// A file cannot be read, or the folder cannot be written.
    pub fn install(&self, source: &Path, release: &Release, dry_run: bool) -> Result<PluginStatus> {
        let bytes = fs::read(source).with_context(|| format!("{} cannot be read", source.display()))?;
        let hash = files::sha256_of(&bytes);
        if fs::canonicalize(source).ok().is_some_and(|real| real == self.target) {
            bail!("{} is the place to install to; name the plugin's own file", source.display());
        }
        let mut inspection = self.inspect()?;
        let recorded = inspection.entry.as_ref().is_some_and(|entry| entry.ours_sha256 == hash);
        if inspection.state == PluginState::Ours
            && recorded
            && inspection.here.as_deref() == Some(hash.as_str())
        {
            return Ok(inspection.report("already installed".into(), false));
        }
        let action = match inspection.state {
            PluginState::Ours => "our file replaced by this one",
            PluginState::Absent => "installed",
            PluginState::Vendor | PluginState::Interrupted
                if files::exists(&self.target) || inspection.kept =>
            {
                "installed, the vendor's file kept aside"
            }
            PluginState::Vendor | PluginState::Interrupted => "installed",
            PluginState::Replaced => "installed again, the vendor's newer file kept aside",
        };
        if dry_run {
            return Ok(inspection.report(action.into(), true));
        }
        files::clean(&self.folder)?;
        let vendor = self.vendor(&inspection)?;
        let mut entry = Installed {
            version: env!("CARGO_PKG_VERSION").into(),
            installed: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            pi_version: release.pi_version().cloned(),
            release: release.name.clone(),
            source: std::path::absolute(source).ok(),
            ours_sha256: hash,
            upgraded_from: inspection.here.clone().filter(|_| inspection.state == PluginState::Ours),
            vendor,
        };
        let new = NewFile::prepare(&self.target, &bytes, self.mode_like())?;
        self.record(Some(entry.clone()))?;
        if inspection.state != PluginState::Ours {
            self.keep_vendor()?;
        }
        new.put()?;
        if entry.upgraded_from.take().is_some() {
            self.record(Some(entry.clone()))?;
        }
        inspection.state = PluginState::Ours;
        inspection.entry = Some(entry);
        Ok(inspection.report(action.into(), true))
    }

    /// Puts back what stood there before.
    ///
    /// # Errors
    /// The folder cannot be written, or the owner of the file is unknown.
    pub fn uninstall(&self, dry_run: bool) -> Result<PluginStatus> {
        let mut inspection = self.inspect()?;
        let back = inspection.kept && !inspection.as_before;
        let (action, after) = match inspection.state {
            PluginState::Absent | PluginState::Vendor => ("nothing to do", inspection.state),
            PluginState::Ours | PluginState::Interrupted if back => {
                ("the vendor's file put back", PluginState::Vendor)
            }
            PluginState::Ours if inspection.entry.is_none() => {
                ("left alone, since pi install did not put it there", PluginState::Ours)
            }
            PluginState::Ours => ("our file removed; there was none before", PluginState::Absent),
            PluginState::Interrupted => {
                ("the vendor's file was in place already; our records removed", PluginState::Vendor)
            }
            PluginState::Replaced => {
                ("left alone, since it is not ours any more; our records removed", PluginState::Vendor)
            }
        };
        let changed = !matches!(inspection.state, PluginState::Absent | PluginState::Vendor)
            && after != PluginState::Ours;
        if changed && !dry_run {
            files::clean(&self.folder)?;
            match inspection.state {
                PluginState::Ours | PluginState::Interrupted if back => {
                    files::rename(&self.kept, &self.target)?
                }
                PluginState::Ours => files::remove(&self.target)?,
                _ => self.set_kept_aside()?,
            }
            self.record(None)?;
        }
        inspection.state = if dry_run { after } else { self.inspect()?.state };
        Ok(inspection.report(action.into(), changed))
    }

    fn inspect(&self) -> Result<Inspection> {
        let entry =
            Manifest::read(&self.folder)?.and_then(|manifest| manifest.plugins.get(&self.name).cloned());
        let here = if self.target.exists() { Some(files::sha256(&self.target)?) } else { None };
        let kept = files::exists(&self.kept);
        let there = files::exists(&self.target);
        let ours = matches!((&entry, &here), (Some(entry), Some(here)) if entry.put(here));
        let vendor = entry.as_ref().map(|entry| entry.vendor.as_ref());
        let as_before = match (vendor, &here) {
            // Two names of one file: it was kept, and ours did not come.
            _ if files::same(&self.target, &self.kept) => true,
            (Some(Some(vendor)), Some(here)) => vendor.sha256 == *here,
            (Some(None), None) => !there,
            _ => false,
        };
        let known = entry.is_some() || kept;
        let state = match () {
            _ if ours => PluginState::Ours,
            _ if known && (as_before || kept && !there) => PluginState::Interrupted,
            // A file of ours that was not put there by an install, or whose record is lost.
            _ if (kept || self.kind == FileKind::Adapter) && self.is_by_us() => PluginState::Ours,
            _ if known && there => PluginState::Replaced,
            _ if there => PluginState::Vendor,
            _ => PluginState::Absent,
        };
        Ok(Inspection { entry, here, kept, as_before, state })
    }

    /// A plugin that serves several versions is ours, since a vendor's serves its release's only. An adapter of ours has
    /// the name of our log in it.
    fn is_by_us(&self) -> bool {
        match self.kind {
            FileKind::Plugin => probe::served(&self.target).is_ok_and(|served| served.len() > 1),
            FileKind::Adapter => files::has(&self.target, OUR_MARK),
        }
    }

    /// The record of the vendor's file.
    fn vendor(&self, inspection: &Inspection) -> Result<Option<Vendor>> {
        let file = match inspection.state {
            PluginState::Ours if inspection.kept => &self.kept,
            PluginState::Ours => return Ok(None),
            _ if files::exists(&self.target) => &self.target,
            _ if inspection.kept => &self.kept,
            _ => return Ok(None),
        };
        // A link that leads nowhere is kept as well.
        let sha256 = if file.exists() { files::sha256(file)? } else { String::new() };
        Ok(Some(Vendor { sha256, link: fs::read_link(file).ok() }))
    }

    /// Gives the vendor's file the name under which it is kept.
    fn keep_vendor(&self) -> Result<()> {
        if !files::exists(&self.target) || files::same(&self.target, &self.kept) {
            return Ok(());
        }
        self.set_kept_aside()?;
        files::keep_as(&self.target, &self.kept)
    }

    /// Frees the name under which a vendor's file is kept. What has it is a second name of the file in place, a copy
    /// of it, or older than a package update: only the last is kept on, under another name.
    fn set_kept_aside(&self) -> Result<()> {
        if !files::exists(&self.kept) || files::same(&self.target, &self.kept) {
            return files::remove(&self.kept);
        }
        if !self.kept.exists() {
            return files::remove(&self.kept);
        }
        let hash = files::sha256(&self.kept)?;
        if self.target.exists() && files::sha256(&self.target)? == hash {
            return files::remove(&self.kept);
        }
        let short = hash.get(..8).unwrap_or(&hash);
        files::rename(&self.kept, &self.folder.join(format!("{}.{short}", files::vendor_name(&self.name))))
    }

    fn mode_like(&self) -> u32 {
        use std::os::unix::fs::PermissionsExt;
        let like = fs::metadata(&self.target).or_else(|_| fs::metadata(&self.kept));
        like.map(|data| data.permissions().mode() & 0o777 | 0o444).unwrap_or(0o755)
    }

    fn record(&self, entry: Option<Installed>) -> Result<()> {
        let mut manifest = Manifest::read(&self.folder)?.unwrap_or_default();
        match entry {
            Some(entry) => manifest.plugins.insert(self.name.clone(), entry),
            None => manifest.plugins.remove(&self.name),
        };
        manifest.write(&self.folder)
    }
}

impl Inspection {
    fn report(&self, action: String, changed: bool) -> PluginStatus {
        let installed = self.entry.clone().filter(|_| self.state == PluginState::Ours);
        PluginStatus { action, changed, state: self.state, installed }
    }
}
