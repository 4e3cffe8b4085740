//! The conformance harness as one step of the tests.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::release;
use crate::totals::{self, Totals};

/// Runs the harness on a plugin in an environment, at every PI version or at those named. `what` names plugin and driver.
pub(crate) fn conformance(
    what: &str,
    plugin: &Path,
    versions: &[&str],
    variables: impl IntoIterator<Item = (&'static str, OsString)>,
) -> Result<Totals> {
    let mut program = Command::new(release::test_file("pi-conformance"));
    program.arg(plugin).arg("--strict").args(versions.iter().flat_map(|version| ["--pi-version", version]));
    program.envs(variables);
    totals::step(format!("conformance of {what}"), || Totals::of_last_line(&mut program))
}
