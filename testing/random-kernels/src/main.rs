//! `random-kernels` runs kernels generated from seeds on one plugin and on another.
//!
//! `write` runs them on one plugin and writes their results to a file. `check` runs those of a file on another plugin
//! and compares. Both generate the kernels themselves, so that a machine with a GPU only needs the file.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program: its output is its purpose"
)]

mod check;
mod declarations;
mod explain;
mod generate;
mod job;
mod kernel;
mod node;
mod pool;
mod results;
mod run;
mod shrink;
mod types;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::check::Options;
use crate::explain::Fault;
use crate::node::Dropped;
use crate::pool::Plugin;
use crate::shrink::Sides;

#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run kernels, and keep what they give
    Write {
        /// The plugin that runs them
        #[arg(long)]
        plugin: PathBuf,
        /// Seed of the random kernels
        #[arg(long)]
        seed: u64,
        /// The first one's number
        #[arg(long, default_value_t = 0)]
        from: u64,
        /// How many
        #[arg(long)]
        count: u64,
        /// How many processes run them
        #[arg(long, default_value_t = 2)]
        jobs: usize,
        /// Where the results go
        file: PathBuf,
    },
    /// Run the kernels of a file, and compare
    Check {
        /// The plugin that runs them
        #[arg(long)]
        plugin: PathBuf,
        /// A word before the command that runs it, for each word
        #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
        launcher: Vec<String>,
        /// The plugin that wrote the file, to make kernels smaller that differ
        #[arg(long)]
        reference: Option<PathBuf>,
        /// A construct that the other one's driver is known to compute wrongly, and an expression that matches a line with it
        #[arg(long, value_name = "NAME=REGEX")]
        known: Vec<Fault>,
        /// How many processes run them
        #[arg(long, default_value_t = 2)]
        jobs: usize,
        /// How many kernels that differ are made smaller
        #[arg(long, default_value_t = 5)]
        most: usize,
        /// What `write` wrote
        file: PathBuf,
    },
    /// Print a kernel
    Show {
        /// Seed of the kernel
        seed: u64,
        /// Its number
        index: u64,
        /// Statements that are left out
        #[arg(long, value_delimiter = ',')]
        without: Vec<usize>,
        /// Write the module to this file instead
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Make a kernel smaller that two plugins do not agree about
    Shrink {
        /// The plugin that is right
        #[arg(long)]
        reference: PathBuf,
        /// The other one
        #[arg(long)]
        plugin: PathBuf,
        /// A word before the command that runs the other one, for each word
        #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
        launcher: Vec<String>,
        /// Seed of the kernel
        seed: u64,
        /// Its number
        index: u64,
    },
    /// Run what standard input asks for: a process of the other commands
    #[command(hide = true)]
    Work {
        /// The plugin
        plugin: PathBuf,
    },
}

fn show(seed: u64, index: u64, without: Vec<usize>, out: Option<PathBuf>) -> anyhow::Result<()> {
    let text = generate::kernel(seed, index).text(&without.into_iter().collect());
    match out {
        Some(file) => std::fs::write(file, testing_nvvm::assemble(&text)?)?,
        None => println!("{text}"),
    }
    Ok(())
}

/// Returns a plugin that runs in this process's environment.
fn own(file: PathBuf) -> Plugin {
    Plugin { file, launcher: Vec::new() }
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Write { plugin, seed, from, count, jobs, file } => {
            check::write(&own(plugin), seed, from..from + count, jobs, &file).map(|()| true)
        }
        Command::Check { plugin, launcher, reference, known, jobs, most, file } => {
            let (plugin, reference) = (Plugin { file: plugin, launcher }, reference.map(own));
            let options = Options { reference: reference.as_ref(), known: &known, processes: jobs, most };
            check::compare(&plugin, &file, &options)
        }
        Command::Show { seed, index, without, out } => show(seed, index, without, out).map(|()| true),
        Command::Shrink { reference, plugin, launcher, seed, index } => {
            let (reference, plugin) = (own(reference), Plugin { file: plugin, launcher });
            let mut sides = Sides::new(&reference, &plugin);
            shrink::shrink(&mut sides, seed, &generate::kernel(seed, index), Dropped::new()).map(|text| {
                println!("{text}");
                true
            })
        }
        Command::Work { plugin } => run::serve(&plugin).map(|()| true),
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
