//! `pi-bench`: what each call costs with our plugin, with the vendor's, and with the driver alone.
//!
//! One process holds all three, and all three use the same OpenCL objects. `cargo xtask bench` runs this program in a driver's
//! environment and reads its output, which is JSON.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measuring program: a call that fails spoils the measurement and ends it"
)]

mod cases;
mod count;
mod driver;
mod objects;
mod output;
mod plugins;
mod timing;
mod tracer;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

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
    /// Count the instructions of the calling thread, by stepping through them
    Count {
        #[command(flatten)]
        which: Which,
    },
    /// Count the system calls of the calling thread, on the driver alone
    SystemCalls {
        #[command(flatten)]
        which: Which,
    },
}

#[derive(Args)]
pub(crate) struct Which {
    /// The plugin under test
    #[arg(long)]
    ours: PathBuf,
    /// The vendor's plugin of the same PI version
    #[arg(long)]
    vendor: PathBuf,
    /// Only operations whose name contains this
    #[arg(long)]
    only: Option<String>,
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Time { which, rounds } => output::print(&timing::run(&which, rounds)?),
        Command::Count { which } => output::print(&count::instructions(&which)?),
        Command::SystemCalls { which } => output::print(&count::system_calls(&which)?),
    }
}
