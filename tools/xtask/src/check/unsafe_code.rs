//! Checks that unsafe code occurs only at boundaries. The compiler denies it (`unsafe_code`) in files that do not
//! enable it, and this check determines which files may. Clippy checks that each block has a SAFETY comment, and each
//! function a section on safety.

use std::path::Path;

use anyhow::Result;

use super::findings::Findings;
use super::sources;

/// Folders and files that may contain unsafe code: the boundaries to callers, drivers and loaded plugins, and the
/// tests of these.
const BOUNDARIES: [&str; 50] = [
    "benches/",
    "plugins/backend/",
    "plugins/cuda/src/sys/",
    "lib/dynload/",
    "lib/host-process/src/callers.rs",
    "lib/host-process/src/exit.rs",
    "lib/host-process/src/exiting_thread.rs",
    "lib/host-process/src/fork_gate.rs",
    "lib/host-process/src/variable.rs",
    "plugins/level-zero-sys/",
    "plugins/level-zero/src/sys/",
    "plugins/opencl/src/retain.rs",
    "plugins/opencl/src/sys/",
    "plugins/opencl/tests/",
    "plugins/pi-front/",
    "plugins/shells/",
    "plugins/ur-front/",
    "lib/cache/tests/host.rs",
    "runtime/loader/",
    "math/dnn/",
    "math/mkl/",
    "runtime/pi_runtime/",
    "runtime/runtime/examples/",
    "runtime/runtime/src/binaries",
    "runtime/runtime/src/build/",
    "runtime/runtime/src/call/",
    "runtime/runtime/src/kernel.rs",
    "runtime/runtime/src/launch/arg.rs",
    "runtime/runtime/src/registry/mod.rs",
    "runtime/runtime/src/registry/file.rs",
    "runtime/runtime/tests/",
    "runtime/ur-host/",
    "testing/conformance/",
    "testing/cuda/",
    "testing/drivers/",
    "testing/fuzz/",
    "testing/level-zero/",
    "testing/nvvm/",
    "testing/opencl/",
    "testing/order/",
    "testing/programs/",
    "testing/random-calls/",
    "testing/robustness/",
    "testing/support/",
    "testing/ur-host/",
    "tools/pi-nvvm/src/sys/",
    "tools/pi-nvvm/tests/program.rs",
    "tools/pi/src/plugins.rs",
    "tools/pi/src/sycl/calls.rs",
    "tools/xtask/src/check/unsafe_code.rs",
];

/// Crates that do not belong to the workspace.
const OWN_WORKSPACES: [&str; 1] = ["testing/fuzz/libfuzzer/Cargo.toml"];

/// Reports every other file that enables unsafe code, and every crate with its own lints instead of the
/// workspace's.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let mut findings = Vec::new();
    for source in sources::read(root, &[], &["rs"])? {
        if asks(&source.text) && !BOUNDARIES.iter().any(|folder| source.path.starts_with(folder)) {
            findings.push(format!("{}: unsafe code outside of a boundary", source.path));
        }
    }
    for manifest in sources::read(root, &[], &["toml"])? {
        let is_crate = manifest.path.ends_with("/Cargo.toml") && !OWN_WORKSPACES.contains(&&*manifest.path);
        if is_crate && !manifest.text.contains("[lints]\nworkspace = true") {
            findings.push(format!("{}: the workspace's lints do not hold here", manifest.path));
        }
    }
    Ok(findings)
}

/// Returns whether a file has an attribute that permits unsafe code.
fn asks(text: &str) -> bool {
    ["expect(unsafe_code", "allow(unsafe_code", "warn(unsafe_code"]
        .iter()
        .any(|attribute| text.contains(attribute))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_asks_by_an_attribute() {
        assert!(asks("#![expect(unsafe_code, reason = \"..\")]"));
        assert!(!asks("#![forbid(unsafe_code)]"));
    }
}
