//! The steps between the states of a plugin's location, performed under the folder's lock.
//!
//! An install first writes our file under a temporary name, because that needs disk space. Then it writes the manifest,
//! gives the vendor's file its second name, and renames our file over the vendor's. The process may be killed after any
//! step. The files always show how to continue or to undo.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Result, bail};

use super::files::{self, NewFile};
use super::location::{Inspection, KeptFile, PluginLocation, PluginState, PluginStatus, vendor_at};
use super::manifest::{Installed, Manifest, Vendor};
use super::package;
use super::release::Release;
use crate::regular;

/// The action of an uninstall.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Undo {
    Nothing,
    /// Renames the kept file over the installed one.
    PutBack,
    /// Removes our file under its first name and, if it exists, its second.
    Remove,
    /// Removes the records only.
    Forget,
}

impl PluginLocation {
    /// Installs `source`.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or the folder cannot be written.
    pub fn install(&self, source: &Path, release: &Release, dry_run: bool) -> Result<PluginStatus> {
        let bytes = regular::read(source)?;
        let hash = files::sha256_of(&bytes);
        if fs::canonicalize(source).ok().is_some_and(|real| real == self.target) {
            bail!("{} is the place to install to; name the plugin's own file", source.display());
        }
        let mut inspection = self.inspect()?;
        let recorded = inspection
            .entry
            .as_ref()
            .is_some_and(|entry| entry.ours_sha256 == hash && entry.upgraded_from.is_none());
        if inspection.state == PluginState::Ours
            && recorded
            && inspection.here.as_deref() == Some(hash.as_str())
        {
            return Ok(inspection.report("already installed".into(), false));
        }
        let vendor = self.vendor(&inspection)?;
        let action = match (inspection.state, &vendor) {
            (PluginState::Ours, _) => "our file replaced by this one",
            (PluginState::Replaced, _) => "installed again, the vendor's newer file kept aside",
            (_, Some(_)) => "installed, the vendor's file kept aside",
            (_, None) => "installed",
        };
        if dry_run {
            return Ok(inspection.report(action.into(), true));
        }
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
            self.keep_vendor(&inspection, entry.vendor.as_ref())?;
        }
        new.put()?;
        if entry.upgraded_from.take().is_some() {
            self.record(Some(entry.clone()))?;
        }
        inspection.state = PluginState::Ours;
        inspection.entry = Some(entry);
        Ok(inspection.report(action.into(), true))
    }

    /// Restores the previous file.
    ///
    /// # Errors
    /// Fails if the folder cannot be written.
    pub fn uninstall(&self, dry_run: bool) -> Result<PluginStatus> {
        let mut inspection = self.inspect()?;
        let (undo, action, after) = self.undo(&inspection);
        let had_vendors = inspection.entry.as_ref().is_none_or(|entry| entry.vendor.is_some());
        let lost = match undo {
            Undo::PutBack => inspection.kept == KeptFile::Another,
            Undo::Remove => had_vendors && inspection.kept != KeptFile::Obsolete,
            Undo::Nothing | Undo::Forget => false,
        };
        if undo != Undo::Nothing && !dry_run {
            match undo {
                Undo::Nothing => {}
                Undo::PutBack => {
                    files::rename(&self.kept, &self.target)?;
                    // Renaming does nothing if both are names of one file.
                    files::remove(&self.kept)?;
                }
                Undo::Remove => {
                    files::remove(&self.target)?;
                    files::remove(&self.kept)?;
                }
                Undo::Forget => self.set_kept_aside(&inspection)?,
            }
            self.record(None)?;
        }
        inspection.state = if dry_run { after } else { self.inspect()?.state };
        Ok(PluginStatus { lost, ..inspection.report(action, undo != Undo::Nothing) })
    }

    /// Returns what an uninstall does, with a description, and the state afterwards.
    fn undo(&self, inspection: &Inspection) -> (Undo, String, PluginState) {
        let kept_name = files::vendor_name(&self.name);
        let recorded = inspection.entry.as_ref().map(|entry| entry.vendor.is_some());
        let can_put_back = inspection.kept != KeptFile::Nothing
            && (inspection.state == PluginState::Ours || !inspection.as_before);
        let package = "install the vendor's package again";
        let (undo, action, after) = match (inspection.state, inspection.kept) {
            (PluginState::Absent | PluginState::Vendor, _) => {
                (Undo::Nothing, "nothing to do".to_owned(), inspection.state)
            }
            (PluginState::Ours | PluginState::Interrupted, kept) if can_put_back => match kept {
                KeptFile::Vendors | KeptFile::Nothing => {
                    (Undo::PutBack, "the vendor's file put back".into(), PluginState::Vendor)
                }
                KeptFile::Unrecorded => {
                    let told =
                        format!("{kept_name} renamed to {}; no record exists to check it against", self.name);
                    (Undo::PutBack, told, PluginState::Vendor)
                }
                KeptFile::Another => {
                    let told = format!(
                        "{kept_name} renamed to {}, although it is not the file that was kept: {package}",
                        self.name
                    );
                    (Undo::PutBack, told, PluginState::Vendor)
                }
                KeptFile::Obsolete => {
                    let told = format!("our file removed, and {kept_name}, because its package is gone");
                    (Undo::Remove, told, PluginState::Absent)
                }
                KeptFile::Ours if recorded == Some(false) => {
                    (Undo::Remove, "our file removed; there was none before".into(), PluginState::Absent)
                }
                KeptFile::Ours => {
                    let told = format!(
                        "our file removed; the vendor's is lost, because {kept_name} is ours too: {package}"
                    );
                    (Undo::Remove, told, PluginState::Absent)
                }
            },
            (PluginState::Ours, _) => match recorded {
                None => (
                    Undo::Nothing,
                    "left alone, because pi install did not put it there".into(),
                    PluginState::Ours,
                ),
                Some(false) => {
                    (Undo::Remove, "our file removed; there was none before".into(), PluginState::Absent)
                }
                Some(true) => {
                    let told = format!(
                        "our file removed; the vendor's is lost, because {kept_name} is gone: {package}"
                    );
                    (Undo::Remove, told, PluginState::Absent)
                }
            },
            (PluginState::Interrupted, _) => {
                let there = files::exists(&self.target);
                let told = match recorded {
                    Some(true) if !there => {
                        "neither our file nor the vendor's was there; our records removed"
                    }
                    Some(false) => "our file was not there; our records removed",
                    _ => "the vendor's file was in place already; our records removed",
                };
                (Undo::Forget, told.into(), if there { PluginState::Vendor } else { PluginState::Absent })
            }
            (PluginState::Replaced, _) => {
                let told = "left alone, because it is no longer ours; our records removed";
                (Undo::Forget, told.into(), PluginState::Vendor)
            }
        };
        (undo, action, after)
    }

    /// Returns the record of the vendor's file.
    fn vendor(&self, inspection: &Inspection) -> Result<Option<Vendor>> {
        let ours = inspection.state == PluginState::Ours;
        if let Some(entry) = inspection.entry.as_ref().filter(|_| ours) {
            return Ok(entry.vendor.clone());
        }
        match inspection.kept {
            _ if !ours && files::exists(&self.target) => vendor_at(&self.target).map(Some),
            KeptFile::Nothing | KeptFile::Ours | KeptFile::Obsolete => Ok(None),
            KeptFile::Vendors | KeptFile::Unrecorded | KeptFile::Another => vendor_at(&self.kept).map(Some),
        }
        .map(|found| {
            found.map(|vendor| Vendor { package: package::record_of(&self.folder, &self.name), ..vendor })
        })
    }

    /// Gives the vendor's file the name under which it is kept.
    fn keep_vendor(&self, inspection: &Inspection, vendor: Option<&Vendor>) -> Result<()> {
        if files::exists(&self.target) && !files::same(&self.target, &self.kept) {
            self.set_kept_aside(inspection)?;
            files::keep_as(&self.target, &self.kept)?;
        } else if matches!(inspection.kept, KeptFile::Ours | KeptFile::Obsolete) {
            files::remove(&self.kept)?;
        }
        // A package manager does not respect our lock.
        let kept = if files::exists(&self.kept) { Some(vendor_at(&self.kept)?) } else { None };
        let is_kept = match (&kept, vendor) {
            (Some(kept), Some(vendor)) => vendor.sha256 == kept.sha256 && vendor.link == kept.link,
            (kept, vendor) => kept.is_none() && vendor.is_none(),
        };
        if is_kept {
            return Ok(());
        }
        bail!("another program has changed {}; run pi install again", self.target.display())
    }

    /// Frees the name under which a vendor's file is kept. The file with that name is a second name or a copy of
    /// the installed file, a file of ours, of a removed package, or of unknown origin. Only the last is kept, under
    /// another name.
    fn set_kept_aside(&self, inspection: &Inspection) -> Result<()> {
        let needless = matches!(inspection.kept, KeptFile::Ours | KeptFile::Obsolete)
            || files::same(&self.target, &self.kept)
            || !self.kept.exists();
        if needless {
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
        let like = fs::metadata(&self.target).or_else(|_| fs::metadata(&self.kept));
        like.map_or_else(
            |_| files::mode_in(&self.folder, 0o755),
            |data| data.permissions().mode() & 0o777 | 0o444,
        )
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
