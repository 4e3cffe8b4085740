//! `builtins` tests the built-in functions of OpenCL C on a plugin's device with exact arithmetic and the
//! specification's bounds.
//!
//! The folder `functions` has a file for each kind of tested function. `number` and `expected` define types and bounds,
//! `kernel` writes SPIR-V, `device` runs it, and `check` compares.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program: its output is its purpose"
)]
#![allow(clippy::indexing_slicing, reason = "operands are as many as a function's row says")]

mod answer;
mod case;
mod check;
mod device;
mod expected;
mod functions;
mod inputs;
mod kernel;
mod number;
mod report;
mod types;
mod workers;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::functions::Amount;

/// Run the built-in functions of OpenCL C on a plugin's first device, and compare with values that are computed exactly on the host
///
/// Every function of OpenCL.std, every conversion, the atomics and the group operations are tried at corner values and random ones, for
/// all types and widths of vectors. Results may differ by what the OpenCL C specification allows (full profile). On the software GPU the
/// functions of NVIDIA's libdevice are the host's: NVIDIA's own numbers show on a real GPU only.
///
/// Exit code 0: all results are right. 1: some are wrong, or a kernel could not run. 2: nothing could run.
#[derive(Debug, Parser)]
struct Cli {
    /// The plugin
    #[arg(long, required_unless_present = "list")]
    plugin: Option<PathBuf>,
    /// Try few values, and one width of vectors for each type beside scalars: a minute instead of many
    #[arg(long)]
    sample: bool,
    /// How many random values each function gets, beside those at corners [default: 1000, with --sample 16]
    #[arg(long)]
    count: Option<usize>,
    /// Seed of the random values
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only functions whose names have one of these words in them
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Try only every Nth function
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// The number of the first function
    #[arg(long, default_value_t = 0)]
    from: usize,
    /// How many processes run kernels [default: one for each processor]
    #[arg(long)]
    jobs: Option<usize>,
    /// Begin no function after this many seconds, and end those that still run a minute later
    #[arg(long)]
    seconds: Option<u64>,
    /// Write all findings as JSON to this file
    #[arg(long)]
    json: Option<PathBuf>,
    /// Print the names of what is tried
    #[arg(long)]
    list: bool,
    /// Test this process's share, PART/PARTS, and print a line of JSON for each function and type: a separate
    /// process of the program
    #[arg(long, hide = true)]
    part: Option<String>,
}

impl Cli {
    fn amount(&self) -> Amount {
        let count = self.count.unwrap_or(if self.sample { 16 } else { 1000 });
        Amount { count, seed: self.seed, is_sample: self.sample }
    }

    fn entries(&self) -> Vec<functions::Entry> {
        let wanted =
            |name: &str| self.only.is_empty() || self.only.iter().any(|word| name.contains(word.as_str()));
        let wanted = functions::entries().into_iter().filter(|entry| wanted(&entry.name));
        wanted.skip(self.from).step_by(self.every.max(1)).collect()
    }
}

fn run(cli: &Cli) -> anyhow::Result<bool> {
    if cli.list {
        cli.entries().iter().for_each(|entry| println!("{}", entry.name));
        return Ok(true);
    }
    let plugin = cli.plugin.clone().unwrap_or_default();
    if let Some(part) = &cli.part {
        workers::serve(&plugin, &cli.entries(), cli.amount(), part, cli.seconds)?;
        return Ok(true);
    }
    let findings = workers::run(cli.jobs, cli.entries().len(), cli.seconds)?;
    report::print(&findings);
    if let Some(file) = &cli.json {
        std::fs::write(file, serde_json::to_string_pretty(&findings)?)?;
    }
    Ok(!findings.is_empty() && findings.iter().all(check::Finding::is_right))
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
