//! `pi image`: compiles and shows device images, and splits, links and converts them.

mod cli;
mod compare;
mod compile;
mod config;
mod document;
mod dot;
mod emulate;
mod extract;
mod file;
mod filter;
mod link;
mod show;
mod specialize;
mod split;
mod wrap;

use anyhow::Result;

use crate::CommandStatus;
use crate::output::Output;
use crate::written;
pub use cli::ImageArguments;
use cli::ImageCommand;

/// `pi image`
pub fn run(arguments: &ImageArguments, output: &mut Output) -> Result<CommandStatus> {
    match &arguments.command {
        ImageCommand::Show(arguments) => show::run(arguments, output),
        ImageCommand::Compile(arguments) => compile::run(arguments, output),
        ImageCommand::Extract(arguments) => extract::run(arguments, output),
        ImageCommand::Split(arguments) => split::run(arguments, output),
        ImageCommand::Filter(arguments) => filter::run(&arguments.words, output),
        ImageCommand::Config(arguments) => config::run(arguments, output),
        ImageCommand::Link(arguments) => link::run(arguments, output),
        ImageCommand::Specialize(arguments) => specialize::run(arguments, output),
        ImageCommand::Emulate(arguments) => emulate::run(arguments, output),
        ImageCommand::Wrap(arguments) => wrap::run(arguments, output),
        ImageCommand::Compare(arguments) => compare::run(arguments, output),
    }
}
