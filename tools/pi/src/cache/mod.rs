//! `pi cache`: shows, checks and removes the programs that are cached on disk.

mod entry;
mod ls;
mod paths;
mod progress;
mod prune;
mod select;
mod show;
mod verify;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use sycl_pi_cache::{Config, Store};

use crate::output::{CommandStatus, Output};

/// Arguments of `pi cache`.
#[derive(Args)]
pub struct CacheArguments {
    /// Use this folder instead of the one that SYCL programs use here.
    #[arg(long, global = true, value_name = "DIR")]
    dir: Option<PathBuf>,
    #[command(subcommand)]
    command: CacheCommand,
}

#[derive(Subcommand)]
enum CacheCommand {
    /// List the items with device, kernels, options, size, age, and how often each was loaded.
    #[command(after_help = "Examples:\n  pi cache ls\n  pi cache ls --device A770 --sort size\n  \
                            pi cache ls --json | jq '.items[].kernels[]'")]
    Ls(ls::LsArguments),
    /// Show all details of items, or write an item's images or binary to a file.
    #[command(after_help = "Examples:\n  pi cache show 1f0c\n  pi cache show 1f0c/88aa --binary program.bin")]
    Show(show::ShowArguments),
    /// Check every byte of every item, and remove damaged items and files left by killed programs.
    ///
    /// A damaged item is never loaded, and the next program that needs it builds it again, so this only frees space.
    /// With --dry-run it exits with 1 if something is damaged.
    #[command(after_help = "Examples:\n  pi cache verify --dry-run\n  pi cache verify")]
    Verify(verify::VerifyArguments),
    /// Remove items by size, age, device or image. Without any of these, remove the items over the limits set by
    /// the variables.
    #[command(after_help = "Examples:\n  pi cache prune\n  pi cache prune --max-size 500M\n  \
                            pi cache prune --older-than 30days --device A770 --dry-run\n  pi cache prune --image 88aa")]
    Prune(prune::PruneArguments),
    /// Remove all items. Other files in the folder stay.
    #[command(after_help = "Example:\n  pi cache clear")]
    Clear(prune::ClearArguments),
    /// Print the folder where programs are cached.
    #[command(after_help = "Example:\n  du -sh $(pi cache path)")]
    Path,
}

/// `pi cache ...`
pub fn run(arguments: &CacheArguments, output: &mut Output) -> Result<CommandStatus> {
    let (mut config, complaints) = Config::from_variables(|name| std::env::var_os(name));
    for complaint in complaints {
        output.warning(&complaint.to_string());
    }
    // A folder on the command line is used even if programs cache nothing.
    let in_use = config.persistent;
    config.persistent = true;
    if let Some(folder) = &arguments.dir {
        config.root = Some(std::path::absolute(folder)?);
    }
    let store = Store::open(&config);
    match &arguments.command {
        CacheCommand::Ls(arguments) => ls::run(&store, arguments, output),
        CacheCommand::Show(arguments) => show::run(&store, arguments, output),
        CacheCommand::Verify(arguments) => verify::run(&store, arguments, output),
        CacheCommand::Prune(arguments) => prune::prune(&store, arguments, output),
        CacheCommand::Clear(arguments) => prune::clear(&store, arguments, output),
        CacheCommand::Path => paths::run(&store, in_use, output),
    }
}
