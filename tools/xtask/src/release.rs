//! Builds our own packages once per run of this program: shipped ones in release mode, those for tests only in dev
//! mode.
//!
//! Tests of the workspace compile nearly all of a test program in dev mode anyway. In release mode each whole program
//! would be optimized again for a run of seconds.
//!
//! `cargo build` compiles a dependency with the features that all packages of one command need. Therefore one command
//! builds all that the tests need. Each additional command would compile much of the workspace again.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;

use crate::process;
use crate::test_programs;
use crate::ui::Step;
use crate::workspace;

/// Everything that the tests run.
pub(crate) const ALL: &[&str] = &[
    "pi_opencl",
    "pi_level_zero",
    "pi_cuda",
    "pi",
    "pi-nvvm",
    "pi_runtime",
    "software-level-zero",
    "software-cuda",
    "software-nvvm",
    "pi_math",
    "pi_dnn",
    "software-math",
    "testing-nvvm",
    "testing-legalize",
    "testing-builtins",
    "pi-conformance",
    "testing-robustness",
    "testing-random-calls",
    "testing-order",
    PI_OVER_UR,
];

/// Packages that only tests use. The fakes of NVIDIA's libraries and the translator's tests are left out because
/// their computations take long in dev mode.
const FOR_TESTS: [&str; 6] = [
    "software-level-zero",
    "pi-conformance",
    "testing-robustness",
    "testing-random-calls",
    "testing-order",
    PI_OVER_UR,
];

/// The package with the PI table on top of an adapter. As a library for other programs, that table is its example
/// `pi_over_ur`.
pub(crate) const PI_OVER_UR: &str = "testing-ur-host";

static BUILT: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());

/// Builds everything that is shipped, and the other packages that tests run in release mode.
///
/// # Errors
/// Those of [`build`].
pub(crate) fn build_shipped() -> Result<()> {
    let shipped: Vec<&str> = ALL.iter().copied().filter(|package| !FOR_TESTS.contains(package)).collect();
    build(&shipped)
}

/// Builds those of the packages that this run has not built yet, into the workspace's usual folder.
///
/// # Errors
/// Fails if a package does not compile. The error contains the compiler's messages.
pub(crate) fn build(packages: &[&'static str]) -> Result<()> {
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    let is_built = |package: &&str| {
        built.contains(package) || (FOR_TESTS.contains(package) && test_programs::are_all_built())
    };
    let missing: Vec<&str> = packages.iter().copied().filter(|package| !is_built(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let step = Step::start(format!("building {}", missing.join(", ")));
    let (for_tests, shipped): (Vec<&str>, Vec<&str>) =
        missing.iter().partition(|package| FOR_TESTS.contains(package));
    let (over_ur, for_tests): (Vec<&str>, Vec<&str>) =
        for_tests.into_iter().partition(|package| *package == PI_OVER_UR);
    let groups: [(_, _, &[&str]); 3] =
        [(shipped, "release", &[]), (for_tests, "dev", &[]), (over_ur, "dev", &["--example", "pi_over_ur"])];
    for (group, profile, target) in groups {
        if group.is_empty() {
            continue;
        }
        let mut command = process::cargo();
        command.args(["build", "--profile", profile]).args(target);
        command.args(group.iter().flat_map(|package| ["--package", package]));
        process::output(command.arg("--target-dir").arg(workspace::target()))?;
    }
    built.extend(missing);
    step.done("");
    Ok(())
}

/// Returns the path of a built program or library that is shipped.
pub(crate) fn file(name: &str) -> PathBuf {
    workspace::target().join("release").join(name)
}

/// Returns the path of a built program or library that only tests use.
pub(crate) fn test_file(name: &str) -> PathBuf {
    workspace::target().join("debug").join(name)
}
