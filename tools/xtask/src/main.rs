//! Developer commands: everything that needs more setup than `cargo` does.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program: its output is its purpose"
)]

mod backend;
mod cargo_tool;
mod check;
mod conformance;
mod docs;
mod env_cmd;
mod fsutil;
mod headers;
mod packages;
mod page;
mod plugin;
mod process;
mod provision;
mod random_program;
mod release;
mod releases;
mod sample;
mod script;
mod test;
mod test_programs;
mod totals;
mod ui;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Developer commands of sycl-pi.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Install what the tests need, and run all tests
    Test(test::TestArgs),
    /// Make random calls to our plugins and adapters, for any length of time
    RandomCalls(test::RandomCallsArgs),
    /// Put random commands into the queues of our plugins and adapters, and check that each sees only what it may
    Order(test::OrderArgs),
    /// Create the book of the documentation in target/book/html, and check its links
    Docs(docs::DocsArgs),
    /// Print the environment of an OpenCL driver or of a release, or run a command in it
    Env(env_cmd::EnvArgs),
    /// Run the conformance harness on our plugins and the vendor's, on every driver
    Conformance(conformance::ConformanceArgs),
    /// Check format, lints, layers, names, the C header, documentation and packages
    Check(check::CheckArgs),
    /// Write the generated files: the C header, and constants, types and lists of functions
    Headers(headers::HeadersArgs),
    /// Download and unpack what the other commands need
    Provision(provision::ProvisionArgs),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Test(args) => test::run(&args),
        Command::RandomCalls(args) => test::random_calls(&args),
        Command::Order(args) => test::order(&args),
        Command::Docs(args) => docs::run(&args),
        Command::Env(args) => env_cmd::run(&args),
        Command::Conformance(args) => conformance::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Headers(args) => headers::run(&args),
        Command::Provision(args) => provision::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
