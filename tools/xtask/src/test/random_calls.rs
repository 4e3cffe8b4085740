//! Random calls on each of our plugins and drivers. The short form makes the same calls every other day.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::conformance::subject::{self, Subject};
use crate::process;
use crate::release;
use crate::sample;
use crate::totals::{self, Totals};
use crate::ui::{self, Step};
use crate::workspace;

const PROGRAM: &str = "testing-random-calls";

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
    release::build(release::ALL)?;
    let file = build_fast()?;
    let mut subjects = subject::all()?;
    subjects.extend(subject::adapters_as_plugins()?);
    let is_chosen =
        |name: &str| args.on.is_empty() || args.on.iter().any(|part| name.contains(part.as_str()));
    subjects.retain(|subject| is_chosen(&subject.to_string()));
    if subjects.is_empty() {
        bail!("no plugin or adapter is named so; without --on each is tried and named");
    }
    let mut is_good = true;
    for subject in &subjects {
        ui::info(&format!("{subject}: random calls"));
        let mut program = program(&file, subject, &args.arguments);
        is_good &= program.status().context("testing-random-calls could not be started")?.success();
    }
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs them on each plugin and driver. Each run counts as one test.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = Totals::default();
    for first in sample::of_the_day("seven batches of random calls from number", "robustness", &FIRST, 1, 0) {
        let amount = [&AMOUNT[..], &["--from", first]].concat();
        for subject in &subject::all()? {
            sum += totals::step(format!("{subject}: random calls"), || on(subject, &amount))?;
            sum += random_ends(subject, &amount)?;
        }
        // A plugin over an adapter supports only the last version of PI.
        let arguments = [&amount[..], &["--pi-version", "15.47"]].concat();
        for subject in &subject::adapters_as_plugins()? {
            sum += totals::step(format!("{subject}: random calls"), || on(subject, &arguments))?;
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
    totals::step(format!("{subject}: random ends"), || on(subject, &arguments))
}

fn on(subject: &Subject, arguments: &[&str]) -> Result<Totals> {
    let file = release::test_file(PROGRAM);
    let finished = process::tested(&mut program(&file, subject, arguments))?;
    Ok(Totals::of_one(finished.end.is_success()).checked(&finished, 1))
}

/// Builds the program in release mode, for long runs.
fn build_fast() -> Result<PathBuf> {
    let step = Step::start(format!("building {PROGRAM} in release mode"));
    let mut cargo = process::cargo();
    cargo.args(["build", "--release", "--package", PROGRAM, "--target-dir"]);
    process::output(cargo.arg(workspace::target()))?;
    step.done("");
    Ok(release::file(PROGRAM))
}

/// Returns the command of the program on one subject.
fn program<A: AsRef<OsStr>>(file: &Path, subject: &Subject, arguments: &[A]) -> Command {
    let mut program = subject.command(file);
    program.arg(&subject.file).args(arguments);
    program
}
