//! `legalize-modules`: rewrites the SPIR-V modules of stock libraries for OpenCL drivers, and damaged ones.
//! `legalize.py` runs it, and reads its output: lines of fields separated by tabs.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program: its output is its purpose"
)]

mod aliasing;
mod check;
mod counts;
mod fuzz;
mod validator;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};
use sycl_pi_image::spirv::{DriverFacts, Needs};

#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print what the OpenCL driver here says about itself
    Driver,
    /// Rewrite every module for drivers, and have the results validated
    Check(CheckArgs),
    /// Rewrite damaged modules
    Fuzz(FuzzArgs),
}

#[derive(Debug, Args)]
struct Common {
    /// The seed of the sample, or of the changes
    #[arg(long)]
    seed: u64,
    /// The number of parallel jobs
    #[arg(long)]
    jobs: usize,
    /// The folder for modules that fail
    #[arg(long)]
    keep: PathBuf,
    /// `NAME=FACTS` of each driver: the lines that `driver` prints there, or nothing for those that are recorded
    #[arg(long = "driver", value_parser = Driver::parse)]
    drivers: Vec<Driver>,
    /// `package:name:file` of each library
    libraries: Vec<String>,
}

#[derive(Debug, Args)]
struct CheckArgs {
    #[command(flatten)]
    common: Common,
    /// Only every N-th module of each package
    #[arg(long)]
    every: usize,
    /// The validator, spirv-val
    #[arg(long)]
    validator: PathBuf,
}

#[derive(Debug, Args)]
struct FuzzArgs {
    #[command(flatten)]
    common: Common,
    /// The number of damaged modules to rewrite
    #[arg(long)]
    count: u64,
    /// Only the module with this number
    #[arg(long)]
    only: Option<u64>,
    /// The validator, spirv-val: what it accepts before must be valid afterwards, too
    #[arg(long)]
    validator: Option<PathBuf>,
}

/// A driver that modules are rewritten for.
#[derive(Clone, Debug)]
struct Driver {
    name: String,
    facts: DriverFacts,
    needs: Needs,
}

impl Driver {
    fn parse(text: &str) -> Result<Self> {
        let (name, lines) = text.split_once('=').context("a driver is NAME=FACTS")?;
        let recorded = || DriverFacts::named(name).context("no facts are recorded about this driver");
        let facts = match lines {
            "" => recorded()?,
            _ => testing_legalize::facts(lines).context("these are no facts about a driver")?,
        };
        // `pi image legalize --for NAME` must do what the plugin does.
        if let Ok(recorded) = recorded()
            && recorded != facts
        {
            anyhow::bail!("{recorded:?} is recorded, but the driver says {facts:?}");
        }
        Ok(Self { name: name.to_owned(), needs: Needs::of(&facts), facts })
    }
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Driver => testing_legalize::ask().map(|lines| {
            print!("{lines}");
            true
        }),
        Command::Check(args) => check::run(&args),
        Command::Fuzz(args) => fuzz::run(&args),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
