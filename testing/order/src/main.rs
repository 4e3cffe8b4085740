//! Runs random commands on several queues. A model determines which values each may see.
#![expect(unsafe_code, reason = "calls plugins and adapters")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "a command-line program: its output is its purpose"
)]
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

mod cli;
mod code;
mod commands;
mod draw;
mod order;
mod program;
#[path = "../../random-calls/src/random.rs"]
mod random;
mod recorded;
mod report;
mod run;
mod shape;
mod shrink;
mod updates;
mod values;
mod watchdog;
mod world;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = cli::Arguments::parse();
    report::run(&arguments).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
