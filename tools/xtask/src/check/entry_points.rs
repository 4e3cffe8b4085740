//! A C name that a user meets in a trace or a stack leads to its stub and to the method that backends implement.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;

use super::{Findings, sources};

/// Where every C name has its stub.
const FRONT: &str = "plugins/pi-front/src/stubs";
/// Where every C name is an alias of a method.
const TRAITS: &str = "plugins/backend/src";
/// Names without a method of their own: the front answers, or they are second names of three functions.
const FRONT_ONLY: [&str; 4] = [
    "piPluginGetLastError",
    "piextQueueCreate2",
    "piextQueueGetNativeHandle2",
    "piextQueueCreateWithNativeHandle2",
];

/// Looks for every name of the list in the front, and among the aliases of the traits.
pub(super) fn run(root: &Path) -> Result<Findings> {
    let listed = || sycl_pi_core::ENTRY_POINTS.iter().map(|entry| entry.name);
    let mut findings = missing(root, FRONT, listed())?;
    findings.extend(missing(root, TRAITS, listed().filter(|name| !FRONT_ONLY.contains(name)))?);
    Ok(findings)
}

fn missing(root: &Path, folder: &str, names: impl Iterator<Item = &'static str>) -> Result<Findings> {
    let sources = sources::read(root, &[folder], &["rs"])?;
    let words: HashSet<&str> = sources.iter().flat_map(|source| words(&source.text)).collect();
    let missing: Vec<&str> = names.filter(|name| !words.contains(name)).collect();
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    Ok(vec![format!("{folder} lacks {} names: {}", missing.len(), missing.join(" "))])
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_count() {
        let found: Vec<&str> =
            words("fn queue_create() {} // piQueueCreate, not piextQueueCreate2").collect();
        assert!(found.contains(&"piQueueCreate") && !found.contains(&"piextQueueCreate"));
    }
}
