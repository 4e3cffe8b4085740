//! Checks for import cycles, and for type names that are used for many different things.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;
use regex::Regex;

use super::findings::Findings;
use super::{modules, sources};
use crate::packages;

/// A type name that is defined in this many files of the product is ambiguous.
const MANY_FILES: usize = 3;
/// The number of ambiguous names that are tolerated.
const TOLERATED_NAMES: usize = 4;

/// Objects that exist in every backend and layer by design.
const OBJECTS: [&str; 21] = [
    "Adapter",
    "Platform",
    "Device",
    "Context",
    "Queue",
    "Mem",
    "Buffer",
    "Image",
    "Sampler",
    "Program",
    "Module",
    "Kernel",
    "Event",
    "Fence",
    "CommandBuffer",
    "CommandList",
    "Memory",
    "Usm",
    "Stream",
    "Driver",
    "Error",
];

/// Checks each crate's `src/`.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let definition = Regex::new(r"\b(?:struct|enum|trait|union)\s+(\w+)")?;
    let all = sources::read(root, &[], &["rs"])?;
    let mut findings = Vec::new();
    let mut names: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for package in packages::all()?.iter().filter(|package| package.is_product()) {
        let folder = format!("{}/src", package.folder());
        for file in all.iter().filter(|file| Path::new(&file.path).starts_with(&folder)) {
            let code = modules::without_tests(&file.code());
            for name in definition.captures_iter(&code) {
                names.entry(name[1].to_owned()).or_default().insert(&file.path);
            }
        }
    }
    let is_object = |name: &str| OBJECTS.contains(&name);
    names.retain(|name, files| files.len() >= MANY_FILES && !is_object(name));
    if names.len() > TOLERATED_NAMES {
        let list: Vec<String> = names
            .iter()
            .map(|(name, files)| format!("  {name}: {}", files.iter().copied().collect::<Vec<_>>().join(" ")))
            .collect();
        findings.push(format!(
            "{} type names are defined in {MANY_FILES} files of the product or more; at most {TOLERATED_NAMES}\n{}",
            names.len(),
            list.join("\n")
        ));
    }
    Ok(findings)
}
