//! A C name that a user meets in a trace or a stack is found in each backend by searching for it.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;

use super::{Findings, sources};

/// The backends. Those whose folder is not there yet are passed over.
const BACKENDS: [&str; 3] = ["plugins/opencl/src", "plugins/level-zero/src", "plugins/cuda/src"];

/// What no backend implements, and where it is: a text that is the same for all, and second names of three functions.
const SHARED: &str = "plugins/backend/src";
const SHARED_NAMES: [&str; 4] = [
    "piPluginGetLastError",
    "piextQueueCreate2",
    "piextQueueGetNativeHandle2",
    "piextQueueCreateWithNativeHandle2",
];

/// Looks for every name of the list in every backend, and for the shared ones in what backends share.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let listed = || sycl_pi_core::ENTRY_POINTS.iter().map(|entry| entry.name);
    let mut findings = missing(root, SHARED, listed().filter(|name| SHARED_NAMES.contains(name)))?;
    for backend in BACKENDS {
        if root.join(backend).is_dir() {
            findings.extend(missing(root, backend, listed().filter(|name| !SHARED_NAMES.contains(name)))?);
        }
    }
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
