//! Our own packages, built once in a run of this program: what users get in release mode, what only tests use in dev mode.
//!
//! Tests of the workspace compile nearly all of a test program in dev mode anyway. In release mode each program would be optimised as
//! a whole once more, for a run of seconds.
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
    "pi",
    "pi-nvvm",
    "pi_runtime",
    "software-level-zero",
    "software-cuda",
    "software-nvvm",
    "pi-conformance",
    "testing-robustness",
    "testing-random-calls",
    "testing-pi-over-ur",
];

/// Packages that only tests use. The software CUDA driver and its libnvvm are left out: stock suites compute on
/// them, which takes long in dev mode.
const FOR_TESTS: [&str; 5] = [
    "software-level-zero",
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
    let step = Step::start(format!("building {}", missing.join(", ")));
    let (for_tests, shipped): (Vec<&str>, Vec<&str>) =
        missing.iter().partition(|package| FOR_TESTS.contains(package));
    let (both, for_tests): (Vec<&str>, Vec<&str>) =
        for_tests.iter().partition(|package| BOTH.contains(package));
    for (group, profile) in [(shipped, "release"), (for_tests, "dev"), (both, "dev")] {
        if group.is_empty() {
            continue;
        }
        let mut command = process::cargo();
        command.args(["build", "--profile", profile]);
        command.args(group.iter().flat_map(|package| ["--package", package]));
        process::output(command.arg("--target-dir").arg(workspace::target()))?;
    }
    built.extend(missing);
    step.done("");
    Ok(())
}

/// The path of a built program or library that users get.
pub(crate) fn file(name: &str) -> PathBuf {
    workspace::target().join("release").join(name)
}

/// The path of a built program or library that only tests use.
pub(crate) fn test_file(name: &str) -> PathBuf {
    workspace::target().join("debug").join(name)
}
