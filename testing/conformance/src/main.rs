//! The conformance harness for PI plugins and UR adapters. It checks every requirement of the interface for a given
//! file, at every PI version that the plugin supports, or in every layout that the adapter supports. For each case it
//! reports the expected and the actual result.
//!
//! Cases run in worker processes, so that a crash of the plugin is only one case's failure. `cases/` contains them by
//! object and entry point. `cases.txt` has a line for every specified behaviour, and [`not_tested`] lists the lines
//! without a case, each with its reason.
#![expect(unsafe_code, reason = "calls plugins and adapters, rightly and wrongly")]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program: its output is its purpose"
)]

#[macro_use]
mod call;
mod case;
mod cases;
mod cli;
mod env;
mod expectations;
mod formats;
mod info;
mod interface;
mod names;
mod not_tested;
mod object_counter;
mod outcome;
mod report;
mod run;
mod skip;
mod values;
mod worker;

use std::io::{Error, ErrorKind};
use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = cli::Arguments::parse();
    let role = arguments.role();
    let unread = ExitCode::from(if matches!(role, cli::Role::List) { 0 } else { 2 });
    let result = match role {
        cli::Role::Worker(interface) => worker::work(&arguments, interface),
        cli::Role::Questions => worker::questions(&arguments),
        cli::Role::List => report::list(&arguments),
        cli::Role::Judge => run::run(&arguments),
    };
    result.unwrap_or_else(|error| {
        // The reader of the report closed it, e.g. `| head`.
        let closed = error.downcast_ref::<Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe);
        if closed {
            return unread;
        }
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}
