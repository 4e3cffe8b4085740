//! `nvvm-modules`: runs the SPIR-V modules of stock libraries through the translator, libnvvm and ptxas, and
//! damaged ones through the translator. `nvvm.py` runs it, and reads its output: lines of fields separated by tabs.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program: its output is its purpose"
)]

mod check;
mod compile;
mod fuzz;
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
    /// Write mutated modules, with columns of input numbers
    Mutate(MutateArgs),
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// The number of modules to compile, chosen at random from all
    #[arg(long)]
    sample: usize,
    /// Compile every module
    #[arg(long)]
    all: bool,
    /// The seed of the sample
    #[arg(long)]
    seed: u64,
    /// The number of parallel jobs
    #[arg(long)]
    jobs: usize,
    /// The assembler
    #[arg(long)]
    ptxas: PathBuf,
    /// The folder for modules that fail
    #[arg(long)]
    keep: PathBuf,
    /// `package:name:file` of each library
    libraries: Vec<String>,
}

#[derive(Debug, Args)]
struct FuzzArgs {
    /// The number of damaged modules to translate
    #[arg(long)]
    count: u64,
    /// The seed of the changes
    #[arg(long)]
    seed: u64,
    /// The number of parallel jobs
    #[arg(long)]
    jobs: usize,
    /// Only the module with this number
    #[arg(long)]
    only: Option<u64>,
    /// The folder for modules that break something
    #[arg(long)]
    keep: PathBuf,
    /// `package:name:file` of each library
    libraries: Vec<String>,
}

#[derive(Debug, Args)]
struct MutateArgs {
    /// The number of modules
    #[arg(long)]
    count: u64,
    /// The seed
    #[arg(long)]
    seed: u64,
    /// The output folder
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
