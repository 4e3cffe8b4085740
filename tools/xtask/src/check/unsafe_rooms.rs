//! Unsafe code stands where the boundary is, and nowhere else. That each piece says why it is sound is clippy's to check.

use std::path::Path;

use anyhow::{Context, Result};

use super::{Findings, sources, tokens};

/// Folders and files that may have unsafe code: the boundary to callers, to drivers, and to loaded plugins.
const ROOMS: [&str; 29] = [
    "benches/",
    "plugins/cuda/src/sys/",
    "plugins/level-zero-sys/",
    "plugins/level-zero/src/sys/",
    "plugins/opencl/src/sys/",
    "plugins/opencl/tests/",
    "plugins/backend/",
    "runtime/pi_runtime/",
    "runtime/runtime/examples/",
    "runtime/runtime/src/binaries",
    "runtime/runtime/src/build/",
    "runtime/runtime/src/call/",
    "runtime/runtime/src/kernel.rs",
    "runtime/runtime/src/launch/arg.rs",
    "runtime/runtime/src/registry/mod.rs",
    "runtime/runtime/tests/",
    "runtime/loader/",
    "testing/conformance/",
    "testing/cuda/",
    "testing/drivers/",
    "testing/fuzz/",
    "testing/level-zero/",
    "testing/models/",
    "testing/opencl/",
    "testing/programs/",
    "testing/random-calls/",
    "testing/robustness/",
    "testing/support/",
    "tools/pi/src/plugins.rs",
];

/// Names every piece of unsafe code outside those rooms.
pub(super) fn run(root: &Path) -> Result<Findings> {
    let mut findings = Vec::new();
    for source in sources::read(root, &[], &["rs"])? {
        if ROOMS.iter().any(|room| source.path.starts_with(room)) {
            continue;
        }
        let found =
            tokens::unsafe_code(&source.text).with_context(|| format!("cannot read {}", source.path))?;
        for (line, kind) in found {
            findings.push(format!("{}:{line}: {} outside the rooms for it", source.path, kind.in_words()));
        }
    }
    Ok(findings)
}
