//! Random calls over the whole function table of a PI plugin, in child processes.
#![expect(unsafe_code, reason = "calls plugins rightly and wrongly")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program: its output is its purpose"
)]

mod arguments;
mod cli;
mod contract;
mod crash;
mod effects;
mod ending;
mod enumerators;
mod fixture;
mod foreign;
mod fork;
mod invoke;
mod journal;
mod memory;
mod messages;
mod model;
mod pools;
mod random;
mod report;
mod run;
mod structures;
mod worker;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = cli::Arguments::parse();
    let result = match arguments.worker() {
        Some(worker) => worker::work(&arguments, &worker),
        None => run::run(&arguments),
    };
    result.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
