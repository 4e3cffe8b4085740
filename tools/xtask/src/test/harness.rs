//! The conformance harness as one step of the tests.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::release;
use crate::test::tally::Tally;
use crate::ui::Step;

/// Judges a plugin at every PI version in an environment; `what` names plugin and driver.
pub(crate) fn conformance(
    what: &str,
    plugin: &Path,
    variables: impl IntoIterator<Item = (&'static str, OsString)>,
) -> Result<Tally> {
    let step = Step::start(format!("conformance of {what}"));
    let mut program = Command::new(release::file("pi-conformance"));
    let tally = Tally::of_last_line(program.arg(plugin).arg("--strict").envs(variables))?;
    step.done(&tally.to_string());
    Ok(tally)
}
