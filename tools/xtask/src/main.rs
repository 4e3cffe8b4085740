//! Developer commands: everything that needs more set-up than `cargo` does.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line program: its output is its purpose"
)]

mod backend;
mod cargo_tool;
mod check;
mod conformance;
mod demo;
mod dist;
mod docs;
mod env_cmd;
mod fresh_roots;
mod fsutil;
mod gpu_bundle;
mod headers;
mod math;
mod packages;
mod page;
mod plugin;
mod process;
mod provision;
mod release;
mod releases;
mod script;
mod test;
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
    /// Build ours, install a stock DPC++ runtime, and run a real program through our plugin or adapter
    Demo(demo::DemoArgs),
    /// Install what the tests need, and run every test
    Test(test::TestArgs),
    /// Make random calls on our plugins and adapters, for as long as you like
    RandomCalls(test::RandomCallsArgs),
    /// Build the packages of a release into target/dist: wheel, Debian package, crates
    Dist(dist::DistArgs),
    /// Make the book of the documentation in target/book/html, and check its links
    Docs(docs::DocsArgs),
    /// Print the environment of an OpenCL driver or of a release, or run a command in it
    Env(env_cmd::EnvArgs),
    /// Run the conformance harness on our plugins and the vendor's, on every driver
    Conformance(conformance::ConformanceArgs),
    /// Check format, lints, layers, names, generated files, documentation and packages
    Check(check::CheckArgs),
    /// Write the C header and the other files that are generated from pi-core
    Headers(headers::HeadersArgs),
    /// Go a stranger's way in fresh Debian roots: the wheel, pi doctor, every line that it prints typed, programs
    FreshRoots(fresh_roots::FreshRootsArgs),
    /// Collect in one folder what a machine with a GPU needs to test and time the CUDA plugin
    GpuBundle(gpu_bundle::GpuBundleArgs),
    /// Build the drop-ins for oneMKL's libraries, and check dpnp with them on the software GPU
    Math(math::MathArgs),
    /// Download and unpack what the other commands need
    Provision(provision::ProvisionArgs),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Demo(args) => demo::run(&args),
        Command::Test(args) => test::run(&args),
        Command::RandomCalls(args) => test::random_calls(&args),
        Command::Dist(args) => dist::run(&args),
        Command::Docs(args) => docs::run(&args),
        Command::Env(args) => env_cmd::run(&args),
        Command::Conformance(args) => conformance::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Headers(args) => headers::run(&args),
        Command::FreshRoots(args) => fresh_roots::run(&args),
        Command::GpuBundle(args) => gpu_bundle::run(&args),
        Command::Math(args) => math::run(&args),
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
