//! The conformance harness as one step of the tests.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::provision::opencl::{self, Driver};
use crate::release;
use crate::totals::{self, Totals};
use crate::workspace;

/// Runs the harness on a plugin in an environment, at the named PI versions. `what` names plugin and driver. With an
/// object counter, the driver must have as many objects after each case as before.
pub(crate) fn conformance(
    what: &str,
    plugin: &Path,
    versions: &[&str],
    object_counter: Option<&Path>,
    variables: impl IntoIterator<Item = (&'static str, OsString)>,
) -> Result<Totals> {
    let mut program = Command::new(release::test_file("pi-conformance"));
    if let Some(library) = object_counter {
        program.arg("--object-counter").arg(library);
    }
    program.arg(plugin).arg("--strict").args(versions.iter().flat_map(|version| ["--pi-version", version]));
    program.envs(variables);
    totals::step(format!("conformance of {what}"), || Totals::of_last_line(&mut program))
}

/// Runs the harness like a user who passes no options except a version. The plugin has to pass.
pub(crate) fn without_options(
    what: &str,
    plugin: &Path,
    version: &str,
    variables: impl IntoIterator<Item = (&'static str, OsString)>,
) -> Result<Totals> {
    let mut program = Command::new(release::test_file("pi-conformance"));
    program.arg(plugin).args(["--pi-version", version]).envs(variables);
    totals::step(format!("conformance of {what}, without an option"), || Totals::of_last_line(&mut program))
}

/// Runs the harness on the OpenCL plugin in this way.
pub(crate) fn opencl_without_options() -> Result<Totals> {
    let environment = opencl::ensure(Driver::IntelCurrent)?;
    let variables = environment.variables().map(|(name, value)| (name, value.clone()));
    let what = format!("the OpenCL plugin on {}", Driver::IntelCurrent);
    without_options(&what, &workspace::our_plugin(), "15.47", variables)
}
