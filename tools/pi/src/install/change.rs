//! One plugin of one folder: what stands there, and the steps from one state to another.
//!
//! An install writes the manifest first, then gives the vendor's file its second name, then renames our file over the
//! first. Each step may be the last one that happens: what stands there always tells how to go on or back.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::files;
use super::manifest::{Installed, Manifest, Vendor};
use super::release::Release;
use super::tree::Home;
use crate::probe;

/// One plugin's place.
pub struct Change {
    folder: PathBuf,
    name: String,
    target: PathBuf,
    kept: PathBuf,
}

/// What stands in a plugin's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
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

/// What was done, and what stands there now.
#[derive(Debug, Serialize)]
pub struct Report {
    /// What was done, in words.
    pub action: String,
    /// Whether anything was changed (or would be).
    pub changed: bool,
    /// What stands there afterwards.
    pub state: State,
    /// Our entry, where our file stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installed: Option<Installed>,
}

/// What can be seen of a place.
struct Seen {
    entry: Option<Installed>,
    /// The hash of what stands in the place; none if there is nothing, or a link that leads nowhere.
    here: Option<String>,
    /// Whether a file is kept aside.
    kept: bool,
    /// Whether what stands in the place is the vendor's file, though we have been here.
    as_before: bool,
    state: State,
}

/// The name under which a vendor's file is kept.
pub fn vendor_name(name: &str) -> String {
    format!("{name}.vendor")
}

impl Change {
    /// The place of the plugin `name` in a libsycl's folder.
    pub fn new(home: &Home, name: &str) -> Self {
        Self {
            folder: home.folder.clone(),
            name: name.into(),
            target: home.folder.join(name),
            kept: home.folder.join(vendor_name(name)),
        }
    }

    /// The file that libsycl opens.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// What stands there.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn status(&self) -> Result<Report> {
        let seen = self.look()?;
        let action = match (seen.state, &seen.entry) {
            (State::Absent, _) => "no plugin is there".into(),
            (State::Vendor, _) => "the vendor's plugin".into(),
            (State::Ours, Some(entry)) => {
                let kept = if seen.kept { "the vendor's is kept aside" } else { "there was none before" };
                format!("sycl-pi {}, installed {}; {kept}", entry.version, entry.installed)
            }
            (State::Ours, None) => "sycl-pi, installed by hand".into(),
            (State::Replaced, _) => "another file has taken our plugin's place (a package update?); run pi install again".into(),
            (State::Interrupted, _) => "the vendor's, after an interrupted install or a package update; run pi install or pi uninstall again".into(),
        };
        Ok(seen.report(action, false))
    }

    /// Puts `source` in place.
    ///
    /// # Errors
    /// A file cannot be read, or the folder cannot be written.
    pub fn install(&self, source: &Path, release: &Release, dry_run: bool) -> Result<Report> {
        let bytes = fs::read(source).with_context(|| format!("{} cannot be read", source.display()))?;
        let hash = files::sha256_of(&bytes);
        if fs::canonicalize(source).ok().is_some_and(|real| real == self.target) {
            bail!("{} is the place to install to; name the plugin's own file", source.display());
        }
        let mut seen = self.look()?;
        let recorded = seen.entry.as_ref().is_some_and(|entry| entry.ours_sha256 == hash);
        if seen.state == State::Ours && recorded && seen.here.as_deref() == Some(hash.as_str()) {
            return Ok(seen.report("already installed".into(), false));
        }
        let action = match seen.state {
            State::Ours => "our plugin replaced by this one",
            State::Absent => "installed",
            State::Vendor | State::Interrupted if files::exists(&self.target) || seen.kept => {
                "installed, the vendor's file kept aside"
            }
            State::Vendor | State::Interrupted => "installed",
            State::Replaced => "installed again, the vendor's newer file kept aside",
        };
        if dry_run {
            return Ok(seen.report(action.into(), true));
        }
        files::clean(&self.folder)?;
        let vendor = self.vendor(&seen)?;
        let mut entry = Installed {
            version: env!("CARGO_PKG_VERSION").into(),
            installed: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            pi_version: release.pi_version.clone(),
            ours_sha256: hash,
            upgraded_from: seen.here.clone().filter(|_| seen.state == State::Ours),
            vendor,
        };
        let mode = self.mode_like();
        self.record(Some(entry.clone()))?;
        if seen.state != State::Ours {
            self.keep_vendor()?;
        }
        files::write_anew(&self.target, &bytes, mode)?;
        if entry.upgraded_from.take().is_some() {
            self.record(Some(entry.clone()))?;
        }
        seen.state = State::Ours;
        seen.entry = Some(entry);
        Ok(seen.report(action.into(), true))
    }

    /// Puts back what stood there before.
    ///
    /// # Errors
    /// The folder cannot be written, or it cannot be told whose file stands there.
    pub fn uninstall(&self, dry_run: bool) -> Result<Report> {
        let mut seen = self.look()?;
        let back = seen.kept && !seen.as_before;
        let (action, after) = match seen.state {
            State::Absent | State::Vendor => ("nothing to do", seen.state),
            State::Ours | State::Interrupted if back => ("the vendor's file put back", State::Vendor),
            State::Ours => ("our plugin removed; there was none before", State::Absent),
            State::Interrupted => {
                ("the vendor's file was in place already; our records removed", State::Vendor)
            }
            State::Replaced => {
                ("left alone, since it is not ours any more; our records removed", State::Vendor)
            }
        };
        let changed = !matches!(seen.state, State::Absent | State::Vendor);
        if changed && !dry_run {
            files::clean(&self.folder)?;
            match seen.state {
                State::Ours | State::Interrupted if back => files::rename(&self.kept, &self.target)?,
                State::Ours => files::remove(&self.target)?,
                _ => self.set_kept_aside()?,
            }
            self.record(None)?;
        }
        seen.state = if dry_run { after } else { self.look()?.state };
        Ok(seen.report(action.into(), changed))
    }

    fn look(&self) -> Result<Seen> {
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
            _ if ours => State::Ours,
            _ if known && (as_before || kept && !there) => State::Interrupted,
            // A file of ours that was not put there by an install, or whose record is lost.
            _ if kept && self.is_by_us() => State::Ours,
            _ if known && there => State::Replaced,
            _ if there => State::Vendor,
            _ => State::Absent,
        };
        Ok(Seen { entry, here, kept, as_before, state })
    }

    /// A plugin that serves several versions is ours, since a vendor's serves its release's only.
    fn is_by_us(&self) -> bool {
        probe::served(&self.target).is_ok_and(|served| served.len() > 1)
    }

    /// What is to be recorded as the vendor's file.
    fn vendor(&self, seen: &Seen) -> Result<Option<Vendor>> {
        let file = match seen.state {
            State::Ours if seen.kept => &self.kept,
            State::Ours => return Ok(None),
            _ if files::exists(&self.target) => &self.target,
            _ if seen.kept => &self.kept,
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
        files::rename(&self.kept, &self.folder.join(format!("{}.{short}", vendor_name(&self.name))))
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

impl Seen {
    fn report(&self, action: String, changed: bool) -> Report {
        let installed = self.entry.clone().filter(|_| self.state == State::Ours);
        Report { action, changed, state: self.state, installed }
    }
}
