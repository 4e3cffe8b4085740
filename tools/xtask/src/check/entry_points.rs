//! Checks that a C name in a trace or a stack leads to its stub and to the method that backends implement.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;

use super::findings::Findings;
use super::sources;

/// The folder with a stub for every C name of PI.
const FRONT: &str = "plugins/pi-front/src/stubs";
/// The folder with a stub for every function of UR.
const UR_FRONT: &str = "plugins/ur-front/src/stubs";
/// The folder in which every C name is an alias of a method.
const TRAITS: &str = "plugins/backend/src";
/// Names without a separate method: the front answers them, or they are second names of three functions.
const FRONT_ONLY: [&str; 4] = [
    "piPluginGetLastError",
    "piextQueueCreate2",
    "piextQueueGetNativeHandle2",
    "piextQueueCreateWithNativeHandle2",
];

/// Functions of UR without a separate method: the front answers them itself, or with several methods.
const UR_FRONT_ONLY: &[&str] = &[
    "urAdapterGet",
    "urAdapterGetInfo",
    "urAdapterGetLastError",
    "urAdapterRelease",
    "urAdapterRetain",
    "urAdapterSetLoggerCallback",
    "urAdapterSetLoggerCallbackLevel",
    "urBindlessImagesSupportsImportingHandleTypeExp",
    "urCommandBufferAppendKernelLaunchWithArgsExp",
    "urCommandBufferAppendNativeCommandExp",
    "urCommandBufferCommandGetInfoExp",
    "urCommandBufferGetInfoExp",
    "urCommandBufferReleaseCommandExp",
    "urCommandBufferRetainCommandExp",
    "urCommandBufferUpdateSignalEventExp",
    "urCommandBufferUpdateWaitEventsExp",
    "urEnqueueGraphExp",
    "urGraphCreateExp",
    "urGraphDestroyExp",
    "urGraphDumpContentsExp",
    "urGraphExecutableGraphDestroyExp",
    "urGraphGetIdExp",
    "urGraphInstantiateGraphExp",
    "urGraphIsEmptyExp",
    "urGraphSetDestructionCallbackExp",
    "urIPCClosePhysMemHandleExp",
    "urIPCPutEventHandleExp",
    "urIPCPutPhysMemHandleExp",
    "urKernelSetSpecializationConstants",
    "urPhysicalMemGetInfo",
    "urPhysicalMemRelease",
    "urPhysicalMemRetain",
    "urPlatformGetApiVersion",
    "urProgramDynamicLinkExp",
    "urQueueBeginCaptureIntoGraphExp",
    "urQueueBeginGraphCaptureExp",
    "urQueueEndGraphCaptureExp",
    "urQueueGetGraphExp",
    "urQueueIsGraphCaptureEnabledExp",
    "urTensorMapEncodeIm2ColExp",
    "urTensorMapEncodeTiledExp",
    "urUSMContextMemcpyExp",
    "urUSMPoolCreate",
    "urUSMPoolCreateExp",
    "urUSMPoolDestroyExp",
    "urUSMPoolGetDefaultDevicePoolExp",
    "urUSMPoolGetDevicePoolExp",
    "urUSMPoolGetInfo",
    "urUSMPoolGetInfoExp",
    "urUSMPoolRelease",
    "urUSMPoolRetain",
    "urUSMPoolSetDevicePoolExp",
    "urUSMPoolSetInfoExp",
    "urUSMPoolSetThresholdExp",
    "urUSMPoolTrimToExp",
];

/// Looks for every name of the two lists in its front, and among the aliases of the traits.
pub(super) fn run(root: &Path) -> Result<Findings> {
    let listed = || sycl_pi_core::ENTRY_POINTS.iter().map(|entry| entry.name);
    let mut findings = missing(root, FRONT, listed())?;
    findings.extend(missing(root, TRAITS, listed().filter(|name| !FRONT_ONLY.contains(name)))?);
    let functions = || sycl_ur_core::table::FUNCTIONS.iter().map(|function| function.name);
    findings.extend(missing(root, UR_FRONT, functions())?);
    findings.extend(missing(root, TRAITS, functions().filter(|name| !UR_FRONT_ONLY.contains(name)))?);
    let exempt = || FRONT_ONLY.iter().chain(UR_FRONT_ONLY).copied();
    let without_need = exempt().filter(|name| !listed().chain(functions()).any(|known| known == *name));
    findings.extend(without_need.map(|name| format!("{name} is exempt, but there is no such function")));
    let aliases = present(root, TRAITS, exempt())?;
    findings.extend(aliases.iter().map(|name| format!("{name} is exempt, but {TRAITS} has it")));
    Ok(findings)
}

/// Returns those of the names that occur in a folder.
fn present(
    root: &Path,
    folder: &str,
    names: impl Iterator<Item = &'static str>,
) -> Result<Vec<&'static str>> {
    let sources = sources::read(root, &[folder], &["rs"])?;
    let words: HashSet<&str> = sources.iter().flat_map(|source| words(&source.text)).collect();
    Ok(names.filter(|name| words.contains(name)).collect())
}

fn missing(root: &Path, folder: &str, names: impl Iterator<Item = &'static str> + Clone) -> Result<Findings> {
    let present = present(root, folder, names.clone())?;
    let missing: Vec<&str> = names.filter(|name| !present.contains(name)).collect();
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
