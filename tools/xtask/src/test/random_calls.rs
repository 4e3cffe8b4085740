//! Random calls on each of our plugins and drivers. The short form makes the same calls every other day.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

use crate::conformance::subject::{self, Subject};
use crate::random_program::RandomProgram;
use crate::sample;
use crate::totals::{self, Totals};

const PROGRAM: RandomProgram = RandomProgram { name: "testing-random-calls", title: "random calls" };

/// The number of batches (one at each PI version) and of calls in each, which take seconds on each driver.
const AMOUNT: [&str; 4] = ["--batches", "7", "--calls", "150"];
/// The first batch, each of a day.
const FIRST: [&str; 2] = ["0", "7"];

/// Arguments of `random-calls`.
#[derive(Debug, clap::Args)]
pub(crate) struct RandomCallsArgs {
    /// Only plugins and adapters whose file or driver contains this, e.g. "libpi_opencl.so on intel-current"
    /// (repeatable)
    #[arg(long)]
    on: Vec<String>,
    /// Arguments of testing-random-calls: `--calls 20000 --batches 100 --seed 7`, or those that repeat a batch.
    /// `--help` explains them. Long batches make ten times as many calls in the same time as short ones, which mostly
    /// wait for the driver's start
    #[arg(last = true)]
    arguments: Vec<OsString>,
}

/// Makes as many calls as requested, on one subject after the other, and prints the program's output.
pub(crate) fn run_long(args: &RandomCallsArgs) -> Result<ExitCode> {
    let subjects = || {
        let mut subjects = subject::all()?;
        subjects.extend(subject::adapters_as_plugins()?);
        Ok(subjects)
    };
    PROGRAM.run_long(subjects, &args.on, &args.arguments)
}

/// Runs them on each plugin and driver. Each run counts as one test.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = Totals::default();
    for first in sample::of_the_day("seven batches of random calls from number", "robustness", &FIRST, 1, 0) {
        let amount = [&AMOUNT[..], &["--from", first]].concat();
        for subject in &subject::all()? {
            sum += totals::step(format!("{subject}: random calls"), || PROGRAM.run(subject, &amount))?;
            sum += random_ends(subject, &amount)?;
        }
        // A plugin over an adapter supports only the last version of PI.
        let arguments = [&amount[..], &["--pi-version", "15.47"]].concat();
        for subject in &subject::adapters_as_plugins()? {
            sum += totals::step(format!("{subject}: random calls"), || PROGRAM.run(subject, &arguments))?;
            sum += random_ends(subject, &arguments)?;
        }
    }
    Ok(sum)
}

/// Runs batches that end at random. PoCL's events use their queues after the last release
/// (docs/reports/robustness.md).
fn random_ends(subject: &Subject, amount: &[&str]) -> Result<Totals> {
    if subject.driver == "pocl" {
        return Ok(Totals { skipped: 1, ..Totals::default() });
    }
    let arguments = [amount, &["--random-ends"]].concat();
    totals::step(format!("{subject}: random ends"), || PROGRAM.run(subject, &arguments))
}
