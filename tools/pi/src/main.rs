//! `pi`: lists plugins and devices, diagnoses a setup, and installs this project's plugins and adapters.
#![deny(unsafe_code)]
// Nothing of a program is reachable from outside: `pub` means "of this module".
#![allow(unreachable_pub)]

mod bench;
mod cache;
mod child;
mod cli;
mod doctor;
mod image;
mod install;
mod ls;
mod opencl;
mod output;
mod own_package;
mod pages;
mod plugins;
mod probe;
mod regular;
mod shell;
mod sycl;
mod waiting;
mod written;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::cli::{Cli, Command};
use crate::output::{CommandStatus, Output};

fn main() -> ExitCode {
    child::leave_current_folder_out();
    sycl_pi_logger::start("pi");
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return wrong_command_line(&error),
    };
    let mut output = Output::new(cli.json, cli.color, cli.quiet);
    let done = match &cli.command {
        Command::Ls(arguments) => ls::run(arguments, &mut output),
        Command::Doctor(arguments) => doctor::run(arguments, &mut output),
        Command::Install(arguments) => install::install(arguments, &mut output),
        Command::Uninstall(arguments) => install::uninstall(arguments, &mut output),
        Command::Status(arguments) => install::status(arguments, &mut output),
        Command::Run(arguments) => install::run(arguments, &mut output),
        Command::Env(arguments) => install::env(arguments, &mut output),
        Command::Bench(arguments) => bench::run(arguments, &mut output),
        Command::Image(arguments) => image::run(arguments, &mut output),
        Command::Cache(arguments) => cache::run(arguments, &mut output),
        Command::Completions(arguments) => pages::completions(arguments, Cli::command()),
        Command::Man(arguments) => pages::man(arguments, Cli::command()),
        Command::Plugins(arguments) => ls::plugins(arguments, &mut output),
        Command::Adapter(arguments) => ls::adapter(arguments, &mut output),
        Command::Sycl(arguments) => sycl::run(arguments, &mut output),
        Command::Driver { driver, only_open } => probe::driver(driver, *only_open, &mut output),
        Command::Probe { plugin } => probe::run(plugin, &mut output),
        Command::Smoke { plugin, number, layout } => {
            probe::smoke(plugin, *number, layout.as_deref(), &mut output)
        }
    };
    finish(done, &mut output)
}

/// Prints an error of the command line, or the help that it asks for.
fn wrong_command_line(error: &clap::Error) -> ExitCode {
    // The command line can contain file names, e.g. those that match a shell's pattern.
    let is_obeyed = |word: OsString| output::escaped(&word.to_string_lossy()) != word.to_string_lossy();
    if error.use_stderr() && std::env::args_os().any(is_obeyed) {
        output::tell(&error.render().to_string());
    } else {
        // A failure to print cannot be reported.
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Prints an error, and returns the exit code.
fn finish(done: anyhow::Result<CommandStatus>, output: &mut Output) -> ExitCode {
    match done {
        Ok(outcome) => ExitCode::from(outcome as u8),
        // The reader closed the pipe, e.g. in `pi ls | head -1`.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output.failure(&error);
            ExitCode::from(CommandStatus::Problem as u8)
        }
    }
}
