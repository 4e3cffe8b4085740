//! The files that people write.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;

/// A source file: its path from the root, and its text.
#[derive(Debug)]
pub(super) struct Source {
    /// Path from the repository's root, with `/` between its parts.
    pub(super) path: String,
    /// The whole text.
    pub(super) text: String,
}

/// Every file of the repository, committed or new, with one of these endings, under one of these folders (or anywhere).
pub(super) fn read(root: &Path, folders: &[&str], endings: &[&str]) -> Result<Vec<Source>> {
    let mut command = Command::new("git");
    command.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]).args(folders);
    let listed =
        process::text(command.current_dir(root)).context("the files of the repository cannot be listed")?;
    let mut paths: Vec<&str> = listed.split('\0').filter(|path| has_ending(path, endings)).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut sources = Vec::new();
    for path in paths {
        let file: PathBuf = root.join(path);
        if file.is_file() {
            let text = fs::read_to_string(&file).with_context(|| format!("cannot read {path}"))?;
            sources.push(Source { path: path.to_owned(), text });
        }
    }
    Ok(sources)
}

fn has_ending(path: &str, endings: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending))
}
