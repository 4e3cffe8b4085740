//! `nvvm-modules`: the SPIR-V modules of stock libraries through the translator, libnvvm and ptxas; and damaged ones through the
//! translator. `nvvm.py` runs it, and reads what it prints: lines of fields with tabs between them.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program: its output is its purpose"
)]

mod check;
mod compile;
mod fuzz;
mod library;
mod mutate;
mod sums;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Translate every module, compile and assemble a sample of them
    Check(CheckArgs),
    /// Translate damaged modules
    Fuzz(FuzzArgs),
    /// Write mutated modules, with columns of numbers for them
    Mutate(MutateArgs),
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// How many modules are compiled, chosen at random from all
    #[arg(long)]
    sample: usize,
    /// Compile every module
    #[arg(long)]
    all: bool,
    /// What chooses the sample
    #[arg(long)]
    seed: u64,
    /// How many modules are worked on at once
    #[arg(long)]
    jobs: usize,
    /// The assembler
    #[arg(long)]
    ptxas: PathBuf,
    /// Where modules that fail are put
    #[arg(long)]
    keep: PathBuf,
    /// `package:name:file` of each library
    libraries: Vec<String>,
}

#[derive(Debug, Args)]
struct FuzzArgs {
    /// How many damaged modules are translated
    #[arg(long)]
    count: u64,
    /// What chooses the changes
    #[arg(long)]
    seed: u64,
    /// How many at once
    #[arg(long)]
    jobs: usize,
    /// Only the module of this number
    #[arg(long)]
    only: Option<u64>,
    /// Where modules that break something are put
    #[arg(long)]
    keep: PathBuf,
    /// `package:name:file` of each library
    libraries: Vec<String>,
}

#[derive(Debug, Args)]
struct MutateArgs {
    /// How many modules
    #[arg(long)]
    count: u64,
    /// What chooses them
    #[arg(long)]
    seed: u64,
    /// Where they are written
    folder: PathBuf,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Check(args) => check::run(&args),
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Mutate(args) => mutate::run(&args).map(|()| true),
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
