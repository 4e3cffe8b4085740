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

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use testing_ur_host::{Layout, layout_of_release};

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

#[derive(Args)]
pub(crate) struct Which {
    /// The plugin or adapter under test
    #[arg(long)]
    ours: PathBuf,
    /// The vendor's plugin of the same PI version, or the vendor's adapter of that layout
    #[arg(long)]
    vendor: PathBuf,
    /// The two are adapters of Unified Runtime: the release of DPC++ to load them for, such as 2025.3.3 or 2025.3
    #[arg(long = "release", value_parser = layout_of_release)]
    layout: Option<Layout>,
    /// Only operations whose name contains this
    #[arg(long)]
    only: Option<String>,
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Time { which, rounds } => output::print(&timing::run(&which, rounds)?),
        Command::Compare { which, rounds } => output::print(&compare::run(&which, rounds)?),
        Command::Count { which } => output::print(&count::run(&which)?),
    }
}
