//! Tries what may end a process on any PI plugin: many threads on the same objects, every order in which a process can
//! end, two runtimes of different PI versions at the same time, no memory.
//!
//! `docs/reports/robustness.md` has the results of long runs. `cargo xtask test --only robustness` runs the short
//! forms.
#![expect(unsafe_code, reason = "calls plugins from many threads")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program: its output is its purpose"
)]

mod code;
mod exit_order;
mod host;
mod out_of_memory;
mod stress;
mod totals;
mod two_runtimes;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use sycl_pi_loader::Version;

/// Tries what may end a process on a PI plugin.
///
/// Ends with 0 when nothing failed, with 1 when something did, with 2 when it could not be tried. The last line is
/// "N passed, N failed, N skipped".
#[derive(Debug, Parser)]
#[command(name = "testing-robustness", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Threads share contexts, queues, programs, events, buffers, USM and command buffers; what they compute is checked
    Stress {
        /// The plugin's file
        plugin: PathBuf,
        /// How long, in seconds
        #[arg(long, default_value_t = 10)]
        seconds: u64,
        /// How many threads
        #[arg(long, default_value_t = 8)]
        threads: usize,
        /// A PI version; several are used at once, by threads in turn (default: the newest)
        #[arg(long, value_parser = parse_version)]
        pi_version: Vec<Version>,
        /// No out-of-order queue: for drivers that lock up when threads share one
        #[arg(long)]
        in_order: bool,
        /// A step that is left out, for a driver that breaks at it by itself (repeatable)
        #[arg(long)]
        without: Vec<String>,
        /// Only these steps (repeatable), to find out which one something is about
        #[arg(long)]
        step: Vec<String>,
        /// Seed of the threads' random choices
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Fork children all the time, which make and release objects: no lock of the plugin may hold them up
        #[arg(long)]
        forks: bool,
        /// A kernel image for the software CUDA driver (default: built with cc from the sources of this checkout)
        #[arg(long)]
        image: Option<PathBuf>,
    },
    /// Programs in C and C++ that end in every order; each must end by its own code, without a signal and soon
    ExitOrder {
        /// The plugin's file
        plugin: PathBuf,
        /// Only scenarios whose name has this in it
        #[arg(long, default_value = "")]
        filter: String,
        /// A scenario that is left out, for a driver that breaks at it by itself (repeatable)
        #[arg(long)]
        without: Vec<String>,
        /// Run only every Nth scenario
        #[arg(long, default_value_t = 1)]
        every: usize,
        /// The number of the first one
        #[arg(long, default_value_t = 0)]
        from: usize,
        /// How often each is run
        #[arg(long, default_value_t = 1)]
        rounds: usize,
        /// Seconds after which a program counts as hung
        #[arg(long, default_value_t = 60)]
        timeout: u64,
        /// A kernel image for the software CUDA driver (default: built with cc from the sources of this checkout)
        #[arg(long)]
        image: Option<PathBuf>,
    },
    /// Calls that need more memory than the process gets; each must answer an error
    OutOfMemory {
        /// The plugin's file
        plugin: PathBuf,
        /// libpi_runtime.so, whose calls are tried too
        #[arg(long)]
        runtime: Option<PathBuf>,
        /// The tool `pi`, whose commands for images are tried too
        #[arg(long)]
        pi: Option<PathBuf>,
        /// A kernel image for the software CUDA driver (default: built with cc from the sources of this checkout)
        #[arg(long)]
        image: Option<PathBuf>,
    },
    /// Two runtimes of different PI versions in one process, of which one tears down while the other goes on
    TwoRuntimes {
        /// The plugin's file
        plugin: PathBuf,
        /// Another plugin for the second runtime, such as one that calls a UR adapter; both at the newest version
        #[arg(long)]
        other: Option<PathBuf>,
        /// A kernel image for the software CUDA driver (default: built with cc from the sources of this checkout)
        #[arg(long)]
        image: Option<PathBuf>,
    },
}

fn parse_version(text: &str) -> Result<Version, String> {
    Version::from_text(text.as_bytes()).ok_or_else(|| "not a PI version known here".to_owned())
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Stress {
            plugin,
            seconds,
            threads,
            pi_version,
            in_order,
            without,
            step,
            seed,
            forks,
            image,
        } => {
            let plan = stress::Plan {
                seconds,
                threads,
                versions: pi_version,
                in_order,
                without,
                steps: step,
                seed,
                forks,
            };
            stress::run(&plugin, &plan, image)
        }
        Command::ExitOrder { plugin, filter, without, every, from, rounds, timeout, image } => {
            let plan = exit_order::Plan { filter, without, every, from, rounds, timeout };
            exit_order::run(&plugin, &plan, image)
        }
        Command::OutOfMemory { plugin, runtime, pi, image } => {
            out_of_memory::run(&plugin, runtime.as_deref(), pi.as_deref(), image)
        }
        Command::TwoRuntimes { plugin, other: None, image } => two_runtimes::run(&plugin, image),
        Command::TwoRuntimes { plugin, other: Some(other), image } => {
            two_runtimes::of_two_files(&plugin, &other, image)
        }
    };
    match result {
        Ok(totals) => {
            println!("{} passed, {} failed, {} skipped", totals.passed, totals.failed, totals.skipped);
            ExitCode::from(u8::from(totals.failed > 0))
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
