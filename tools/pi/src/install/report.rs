//! The output of `pi install`, `pi uninstall` and `pi status`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;

use super::backend_files::BackendFiles;
use super::location::{PluginState, PluginStatus};
use super::opened::Asked;
use super::release::Release;
use super::tree::LibsyclFolder;
use crate::output::{Output, Style};
use crate::shell;

/// The action or state for one backend in one folder.
#[derive(Serialize)]
pub struct InstallEntry {
    folder: PathBuf,
    libsycl: String,
    /// The DPC++ release, if known.
    release: Option<String>,
    /// The interface of libsycl, e.g. `PI 15.47` or `Unified Runtime 0.12`.
    interface: Option<String>,
    pi_version: Option<String>,
    /// The file that is loaded.
    plugin: String,
    /// The other names of the same file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    copies: Vec<String>,
    #[serde(flatten)]
    status: PluginStatus,
    /// Whether libsycl opens it. `None` if it was not asked, or could not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    opened: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// All entries of a command.
#[derive(Serialize)]
pub struct InstallReport {
    command: &'static str,
    dry_run: bool,
    entries: Vec<InstallEntry>,
    /// The next command to type.
    next: String,
}

impl InstallEntry {
    pub fn new(
        libsycl: &LibsyclFolder,
        release: Option<Release>,
        files: &BackendFiles,
        status: PluginStatus,
        notes: Vec<String>,
    ) -> Self {
        Self {
            interface: release.as_ref().map(Release::interface_text),
            pi_version: release.as_ref().and_then(|release| release.pi_version().cloned()),
            release: release.and_then(|release| release.name),
            ..Self::for_folder(&libsycl.folder, Some(libsycl.name()), files, status, notes)
        }
    }

    /// Creates an entry for a folder whose libsycl may be gone.
    pub fn for_folder(
        folder: &Path,
        libsycl: Option<String>,
        files: &BackendFiles,
        status: PluginStatus,
        notes: Vec<String>,
    ) -> Self {
        let name = files.target().file_name().unwrap_or_default();
        Self {
            folder: folder.into(),
            libsycl: libsycl.unwrap_or_else(|| "no libsycl".into()),
            release: None,
            interface: None,
            pi_version: None,
            plugin: name.to_string_lossy().into_owned(),
            copies: files.copy_names(),
            status,
            opened: None,
            notes,
        }
    }

    /// Records whether libsycl opens our file. Only then it counts as installed.
    pub fn tell_opened(&mut self, asked: &Asked, files: &BackendFiles) {
        if self.status.state != PluginState::Ours {
            return;
        }
        let name = &self.libsycl;
        let note = match asked {
            Asked::Opened(loaded) if files.is_among(loaded) => {
                self.opened = Some(true);
                return;
            }
            Asked::Opened(loaded) => {
                self.opened = Some(false);
                let loaded: Vec<String> = loaded.iter().map(|file| file.display().to_string()).collect();
                let what = match loaded.join(", ").as_str() {
                    "" => format!("{name} does not open it"),
                    others => format!("{name} opens {others} instead of it"),
                };
                format!("{what}; pi run starts a program on ours without an install")
            }
            Asked::Unknown(why) => format!("{name} could not be asked whether it opens it: {why}"),
        };
        let action = &self.status.action;
        self.status.action = match action.strip_prefix("already installed") {
            Some(rest) => format!("already in place{rest}"),
            None => action.replacen("installed", "put in place", 1),
        };
        self.notes.push(note);
    }

    /// Returns whether libsycl is known not to open our file.
    pub fn is_passed_over(&self) -> bool {
        self.opened == Some(false)
    }

    /// Returns whether the vendor's file differs from what it was before.
    pub fn is_lost(&self) -> bool {
        self.status.lost
    }

    /// Returns the name of the file that is loaded.
    pub fn file_name(&self) -> &str {
        &self.plugin
    }

    /// Returns the heading of the entries of one folder.
    fn head(&self) -> String {
        let release = self.release.as_ref().map(|release| format!("DPC++ {release}, ")).unwrap_or_default();
        let interface = self.interface.as_ref().map(|interface| format!(", {interface}")).unwrap_or_default();
        format!("{}: {release}{}{interface}", self.folder.display(), self.libsycl)
    }
}

/// Describes what would be done, in the words for a completed step.
fn planned(status: &PluginStatus) -> String {
    if status.changed { format!("planned: {}", status.action) } else { status.action.clone() }
}

impl InstallReport {
    /// Creates the report for `root`, including the next command to type.
    pub fn new(command: &'static str, root: &Path, dry_run: bool, entries: Vec<InstallEntry>) -> Self {
        let any = |states: &[PluginState]| entries.iter().any(|entry| states.contains(&entry.status.state));
        let root = shell::path(root);
        let next = match command {
            _ if dry_run => format!("pi {command} {root}"),
            "uninstall" => format!("pi install {root}, to use this project's files again"),
            _ if any(&[PluginState::Interrupted, PluginState::Replaced]) => format!("pi install {root}"),
            _ if entries.iter().any(InstallEntry::is_passed_over) => {
                format!("pi doctor {root}; pi uninstall {root} to undo")
            }
            _ if any(&[PluginState::Ours]) => {
                format!(
                    "run your programs as before; pi doctor {root} if a device is missing; pi uninstall {root} to undo"
                )
            }
            _ => format!("pi install {root}, to run on this project's files"),
        };
        Self { command, dry_run, entries, next }
    }

    /// Prints it.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    pub fn tell(&self, output: &mut Output) -> Result<()> {
        if output.is_json() {
            return output.value(self);
        }
        let mut head = String::new();
        for entry in &self.entries {
            if head != entry.head() {
                head = entry.head();
                output.hanging(4, &output.paint(Style::Strong, &head))?;
            }
            let style = match entry.status.state {
                PluginState::Ours => Style::Good,
                PluginState::Vendor | PluginState::Absent => Style::Strong,
                PluginState::Replaced | PluginState::Interrupted => Style::Warning,
            };
            let action = output.paint(
                style,
                if self.dry_run { planned(&entry.status) } else { entry.status.action.clone() },
            );
            output.paragraph(&format!("  {}:", entry.plugin), 4, &action)?;
            if !entry.copies.is_empty() && entry.status.state == PluginState::Ours {
                output.paragraph("    the same as", 6, &entry.copies.join(", "))?;
            }
            for note in entry.notes.iter().filter(|_| !output.is_quiet()).cloned().collect::<Vec<_>>() {
                output.paragraph("    note:", 6, &note)?;
            }
        }
        if output.is_quiet() {
            return Ok(());
        }
        output.paragraph("next:", 6, &self.next)
    }
}
