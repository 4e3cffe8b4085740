//! Our own packages in release mode. Each is built once in a run of this program.
//!
//! `cargo build` compiles a dependency with the features that all packages of one command need. It links it differently if one of
//! them is a library for Rust and for C at once. Such packages have a command of their own, so that a plugin is the same file whether
//! it is built alone or for the tests.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;

use crate::process;
use crate::ui::Step;
use crate::workspace;

/// Everything that the tests run.
pub(crate) const ALL: &[&str] = &[
    "pi_opencl",
    "pi_level_zero",
    "pi_cuda",
    "ur_adapter_opencl",
    "ur_adapter_level_zero",
    "ur_adapter_cuda",
    "software-level-zero",
    "software-cuda",
    "software-nvvm",
    "pi-nvvm",
    "pi",
    "pi_runtime",
    "pi-conformance",
    "testing-robustness",
    "testing-random-calls",
    "testing-pi-over-ur",
];

/// Libraries for Rust and for C at once.
const BOTH: [&str; 1] = ["software-level-zero"];

static BUILT: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());

/// Builds those of the packages that this run has not built yet, into the workspace's ordinary folder.
///
/// # Errors
/// A package does not compile; the error has what the compiler said.
pub(crate) fn build(packages: &[&'static str]) -> Result<()> {
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let missing: Vec<&str> = packages.iter().copied().filter(|package| !built.contains(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let step = Step::start(format!("building {} in release mode", missing.join(", ")));
    let (both, one): (Vec<&str>, Vec<&str>) = missing.iter().partition(|package| BOTH.contains(package));
    for group in [one, both].iter().filter(|group| !group.is_empty()) {
        let mut command = process::cargo();
        command.args(["build", "--release"]).args(group.iter().flat_map(|package| ["--package", package]));
        process::output(command.arg("--target-dir").arg(workspace::target()))?;
    }
    built.extend(missing);
    step.done("");
    Ok(())
}

/// The path of a built program or library.
pub(crate) fn file(name: &str) -> PathBuf {
    workspace::target().join("release").join(name)
}
