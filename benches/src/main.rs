//! `pi-bench`: what each call of a PI plugin costs, beside another plugin and beside the bare driver.
//!
//! One process holds all three, and all three work on the same OpenCL objects. `cargo xtask bench` runs this program
//! with a driver's environment and reads what it prints: JSON.
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
mod output;
mod plugins;
mod trace;
mod world;

mod time;

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
    /// Nanoseconds, in interleaved rounds
    Time {
        #[command(flatten)]
        which: Which,
        /// Rounds per call and side
        #[arg(long, default_value_t = 300)]
        rounds: usize,
    },
    /// Instructions of the calling thread, stepped one by one
    Count {
        #[command(flatten)]
        which: Which,
    },
}

#[derive(Args)]
pub(crate) struct Which {
    /// The plugin under test
    #[arg(long)]
    ours: PathBuf,
    /// The plugin beside it
    #[arg(long)]
    vendor: PathBuf,
    /// Only calls whose name contains this
    #[arg(long)]
    only: Option<String>,
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Time { which, rounds } => output::print(&time::run(&which, rounds)?),
        Command::Count { which } => output::print(&count::run(&which)?),
    }
}
