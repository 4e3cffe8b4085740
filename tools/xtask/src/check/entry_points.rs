//! A C name that a user meets in a trace or a stack leads to its stub and to the method that backends implement.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;

use super::{Findings, sources};

/// Where every C name of PI has its stub.
const FRONT: &str = "plugins/pi-front/src/stubs";
/// Where every function of UR has its stub.
const UR_FRONT: &str = "plugins/ur-front/src/stubs";
/// Where every C name is an alias of a method.
const TRAITS: &str = "plugins/backend/src";
/// Names without a method of their own: the front answers, or they are second names of three functions.
const FRONT_ONLY: [&str; 4] = [
    "piPluginGetLastError",
    "piextQueueCreate2",
    "piextQueueGetNativeHandle2",
    "piextQueueCreateWithNativeHandle2",
];

/// Functions of UR, by their beginnings, that have no method of their own: the front answers them itself, or by several methods.
const UR_FRONT_ONLY: [&str; 20] = [
    "urAdapter",
    "urBindlessImagesSupportsImportingHandleTypeExp",
    "urCommandBufferAppend",
    "urCommandBufferCommandGetInfoExp",
    "urCommandBufferGetInfoExp",
    "urCommandBufferReleaseCommandExp",
    "urCommandBufferRetainCommandExp",
    "urCommandBufferUpdate",
    "urEnqueueGraphExp",
    "urGraph",
    "urIPC",
    "urKernelSetSpecializationConstants",
    "urPhysicalMem",
    "urPlatformGetApiVersion",
    "urProgramDynamicLinkExp",
    "urQueue",
    "urTensorMapEncode",
    "urUSMContextMemcpyExp",
    "urUSMPool",
    "urUsmP2P",
];

/// Looks for every name of the two lists in its front, and among the aliases of the traits.
pub(super) fn run(root: &Path) -> Result<Findings> {
    let listed = || sycl_pi_core::ENTRY_POINTS.iter().map(|entry| entry.name);
    let mut findings = missing(root, FRONT, listed())?;
    findings.extend(missing(root, TRAITS, listed().filter(|name| !FRONT_ONLY.contains(name)))?);
    let functions = || sycl_ur_core::table::FUNCTIONS.iter().map(|function| function.name);
    findings.extend(missing(root, UR_FRONT, functions())?);
    let has_method = |name: &&str| !UR_FRONT_ONLY.iter().any(|start| name.starts_with(start));
    findings.extend(missing(root, TRAITS, functions().filter(has_method))?);
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
