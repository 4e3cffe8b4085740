//! The licences of the crates that the shipped files are made of.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::build;
use crate::process;

/// The file's name.
pub(super) const NAME: &str = "THIRD-PARTY-LICENCES.txt";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Crate>,
}

/// A crate of the registry.
#[derive(Deserialize)]
struct Crate {
    name: String,
    version: String,
    license: Option<String>,
    manifest_path: PathBuf,
    /// None for crates of this workspace.
    source: Option<String>,
}

/// Writes the file into `parts`: each text once, with the crates that it is the licence of.
pub(super) fn write(parts: &Path) -> Result<PathBuf> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut list = String::new();
    for one in linked()? {
        let licence = one.license.as_deref().with_context(|| format!("{} names no licence", one.name))?;
        let title = format!("{} {}", one.name, one.version);
        writeln!(list, "{title}: {licence}")?;
        let folder = one.manifest_path.parent().context("a crate without a folder")?;
        for text in texts_in(folder)? {
            texts.entry(text).or_default().push(title.clone());
        }
    }
    let mut out = format!(
        "The libraries and programs of sycl-pi are made of these crates besides its own. Their licences follow.\n\n{list}"
    );
    for (text, titles) in &texts {
        write!(out, "\n{:=<100}\n{}\n{:=<100}\n\n{}\n", "", titles.join(", "), "", text.trim_end())?;
    }
    fs::create_dir_all(parts)?;
    let file = parts.join(NAME);
    fs::write(&file, out)?;
    Ok(file)
}

/// The crates of the registry that are linked into shipped files.
fn linked() -> Result<Vec<Crate>> {
    let mut tree = process::cargo();
    tree.args(["tree", "--edges", "normal", "--prefix", "none", "--format", "{p}", "--no-dedupe"]);
    let tree = process::text(tree.args(build::packages().flat_map(|package| ["--package", package])))?;
    let mut metadata = process::cargo();
    let metadata = process::text(metadata.args(["metadata", "--format-version", "1"]))?;
    let metadata: Metadata = serde_json::from_str(&metadata).context("cargo's metadata cannot be read")?;
    let is_linked = |one: &Crate| {
        let start = format!("{} v{}", one.name, one.version);
        tree.lines().any(|line| line == start || line.starts_with(&format!("{start} ")))
    };
    let found: Vec<Crate> =
        metadata.packages.into_iter().filter(|one| one.source.is_some() && is_linked(one)).collect();
    if found.is_empty() {
        bail!("cargo tree's output was not understood");
    }
    Ok(found)
}

/// The licences in a crate's folder, sorted by their files' names.
fn texts_in(folder: &Path) -> Result<Vec<String>> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.is_file() && is_licence(file));
    files.sort();
    files.iter().map(|file| Ok(String::from_utf8_lossy(&fs::read(file)?).replace("\r\n", "\n"))).collect()
}

fn is_licence(file: &Path) -> bool {
    let name = file.file_name().map(|name| name.to_string_lossy().to_uppercase()).unwrap_or_default();
    ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT"]
        .iter()
        .any(|start| name.starts_with(start))
}
