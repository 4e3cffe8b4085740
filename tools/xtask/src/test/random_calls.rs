//! Random calls on each of our plugins and drivers. The short form makes the same calls in each run.

use std::process::Command;

use anyhow::Result;

use crate::conformance::subject::{self, Subject};
use crate::process;
use crate::release;
use crate::totals::{self, Totals};

/// Batches (two at each PI version) and calls in each: seconds on each driver.
const AMOUNT: [&str; 4] = ["--batches", "14", "--calls", "150"];

/// Runs them on each plugin and driver. Each run is one test.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = Totals::default();
    for subject in &subject::all()? {
        sum += totals::step(format!("{subject}: random calls"), || on(subject, &AMOUNT))?;
    }
    // A plugin over an adapter serves the last version of PI only.
    let arguments = [&AMOUNT[..], &["--pi-version", "15.47"]].concat();
    for subject in &subject::adapters_as_plugins()? {
        sum += totals::step(format!("{subject}: random calls"), || on(subject, &arguments))?;
    }
    Ok(sum)
}

fn on(subject: &Subject, arguments: &[&str]) -> Result<Totals> {
    let mut program = Command::new(release::test_file("testing-random-calls"));
    program.arg(&subject.file).args(arguments).envs(subject.variables.iter().cloned());
    let finished = process::tested(&mut program)?;
    Ok(Totals::of_one(finished.end.is_success()).checked(&finished, 1))
}
