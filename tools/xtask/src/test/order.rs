//! Random commands on each of our plugins and adapters, checked with a model. The short form generates the same
//! programs in each run.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

use crate::conformance::subject::{self, Subject};
use crate::provision::level_zero;
use crate::provision::opencl::Driver;
use crate::random_program::RandomProgram;
use crate::totals::{self, Totals};

const PROGRAM: RandomProgram = RandomProgram { name: "testing-order", title: "random commands" };

/// The number of commands at each interface, which take seconds on each driver.
const COUNT: [&str; 2] = ["--count", "6000"];
/// The version with events that the host sets.
const WITH_USER_EVENTS: [&str; 2] = ["--interface", "9.11"];

/// Makes the software drivers slow, and lets them run commands in any permitted order.
const LATE: [(&str, &str); 4] = [
    ("PI_SOFT_ZE_LATE", "200"),
    ("PI_SOFT_ZE_REORDER", "1"),
    ("PI_SOFTWARE_CUDA_LATE", "200"),
    ("PI_SOFTWARE_CUDA_REORDER", "1"),
];

/// Arguments of `order`.
#[derive(Debug, clap::Args)]
pub(crate) struct OrderArgs {
    /// Only plugins and adapters whose file or driver contains this, e.g. "libpi_cuda.so" (repeatable)
    #[arg(long)]
    on: Vec<String>,
    /// Arguments of testing-order: `--count 1000000 --seed 7`, or those that repeat a program. `--help` explains
    /// them
    #[arg(last = true)]
    arguments: Vec<OsString>,
}

/// Runs as many commands as requested, on one subject after the other, and prints the program's output.
pub(crate) fn run_long(args: &OrderArgs) -> Result<ExitCode> {
    PROGRAM.run_long(subjects, &args.on, &args.arguments)
}

/// Runs them on each plugin, adapter and driver. Each run counts as one test.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = Totals::default();
    for subject in &subjects()? {
        sum += totals::step(format!("{subject}: random commands"), || PROGRAM.run(subject, &COUNT))?;
        if subject.file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libpi_")) {
            let arguments = [&COUNT[..], &WITH_USER_EVENTS].concat();
            let title = format!("{subject}: random commands with events of the host's");
            sum += totals::step(title, || PROGRAM.run(subject, &arguments))?;
        }
    }
    Ok(sum)
}

/// Returns our plugins and adapters on drivers that support the kernels. The software drivers are slow, and Level
/// Zero's runs lists in order or not.
fn subjects() -> Result<Vec<Subject>> {
    let mut subjects = subject::all()?;
    // It does not support SPIR-V.
    subjects.retain(|subject| subject.driver != Driver::Pocl.to_string());
    let mut in_order = subject::software_level_zero()?;
    in_order.driver += ", which keeps lists in order";
    let (name, minor) = level_zero::KEEPS_ORDER;
    in_order.variables.push((name, minor.into()));
    subjects.push(in_order);
    subjects.extend(subject::adapters()?);
    for subject in &mut subjects {
        subject.variables.extend(LATE.map(|(name, value)| (name, value.into())));
    }
    Ok(subjects)
}
