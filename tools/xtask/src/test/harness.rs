//! The conformance harness as one step of the tests.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::conformance::subject::release;
use crate::process;
use crate::test::tally::Tally;
use crate::ui::Step;
use crate::workspace;

/// Judges a plugin at every PI version in an environment; `what` names plugin and driver.
pub(crate) fn conformance(
    what: &str,
    plugin: &Path,
    variables: impl IntoIterator<Item = (&'static str, OsString)>,
) -> Result<Tally> {
    let mut build = process::cargo();
    build.args(["build", "--release", "--package", "pi-conformance", "--target-dir"]);
    process::output(build.arg(workspace::target()))?;
    let step = Step::start(format!("conformance of {what}"));
    let mut program = Command::new(release("pi-conformance"));
    let tally = Tally::of_last_line(program.arg(plugin).arg("--strict").envs(variables))?;
    step.done(&tally.to_string());
    Ok(tally)
}
