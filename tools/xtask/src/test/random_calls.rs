//! Random calls on each of our plugins and drivers, in short: the same calls in each run.

use std::process::Command;

use anyhow::Result;

use crate::conformance::subject::{self, Subject};
use crate::process;
use crate::release;
use crate::test::tally::Tally;
use crate::ui::Step;

/// Batches, two at each PI version, and calls in each: seconds on each driver.
const AMOUNT: [&str; 4] = ["--batches", "14", "--calls", "150"];

/// Runs them on every subject; each is one test.
pub(crate) fn run() -> Result<Tally> {
    let mut total = Tally::default();
    for subject in &subject::all()? {
        total += on(subject)?;
    }
    Ok(total)
}

fn on(subject: &Subject) -> Result<Tally> {
    let name = subject.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let step = Step::start(format!("{name} on {}: random calls", subject.driver));
    let mut program = Command::new(release::file("testing-random-calls"));
    program.arg(&subject.file).args(AMOUNT).envs(subject.variables.iter().cloned());
    let output = process::tested(&mut program)?;
    let text = String::from_utf8_lossy(&output.stdout);
    step.done(text.lines().last().unwrap_or_default());
    if output.status.success() {
        return Ok(Tally { passed: 1, ..Tally::default() });
    }
    println!("{}", process::tail(&output, 80));
    Ok(Tally::one_failure())
}
