//! `pi-bench` measures the cost of each call with our plugin or adapter, with the vendor's, and with the driver alone.
//!
//! One process contains all three, and all three use the same OpenCL objects. An adapter has its own handles for them.
//! `benches/bench.py` runs this program in a driver's environment and reads its output, which is JSON.
#![expect(unsafe_code, reason = "measures C functions")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measuring program: a call that fails spoils the measurement and ends it"
)]

mod callgrind;
mod cases;
mod compare;
mod count;
mod driver;
mod objects;
mod output;
mod plugins;
mod timing;
mod which;

use anyhow::Result;
use clap::{Parser, Subcommand};

use which::Which;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure nanoseconds, in interleaved rounds
    Time {
        #[command(flatten)]
        which: Which,
        /// Rounds for each operation and side
        #[arg(long, default_value_t = 300)]
        rounds: usize,
    },
    /// Print the median nanoseconds of each side, for `pi bench`
    Compare {
        #[command(flatten)]
        which: Which,
        /// Rounds for each operation and side
        #[arg(long, default_value_t = 150)]
        rounds: usize,
    },
    /// Run each operation once on each side, for Callgrind to count its instructions
    Count {
        #[command(flatten)]
        which: Which,
    },
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Time { which, rounds } => output::print(&timing::run(&which, rounds)?),
        Command::Compare { which, rounds } => output::print(&compare::run(&which, rounds)?),
        Command::Count { which } => output::print(&count::run(&which)?),
    }
}
