//! `cargo xtask cache`: our program cache with real programs, compared with the stock libsycl's.

mod bench;
mod beside;
mod processes;
mod programs;
mod run;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};

/// Arguments of `cache`.
#[derive(Debug, Args)]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Time the start of 20 kernels, cold, from the disk and from memory, with our cache and with the stock libsycl's
    Bench(bench::BenchArgs),
    /// Count what several processes, or the ranks of an MPI job, build of the same 20 kernels
    Processes(processes::ProcessesArgs),
    /// Let both caches use one folder, and check that neither reads, damages or removes the other's files
    Beside(beside::BesideArgs),
}

/// Runs one of them.
pub(crate) fn run(args: &CacheArgs) -> Result<ExitCode> {
    match &args.command {
        Command::Bench(args) => bench::run(args),
        Command::Processes(args) => processes::run(args),
        Command::Beside(args) => beside::run(args),
    }
}

pub(crate) use beside::check as check_beside;
pub(crate) use processes::check as check_processes;
