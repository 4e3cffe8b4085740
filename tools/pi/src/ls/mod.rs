//! `pi ls`: plugins, adapters, platforms and devices.

mod gather;
pub mod report;
mod show;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use sycl_pi_loader::{Backend, Environment};
use sycl_ur_host::layout_of_name;

use crate::install::{Seen, TreeArguments};
use crate::output::{CommandStatus, Output};
pub use report::{DeviceReport, Listing, PluginReport};

#[derive(Args)]
pub struct LsArguments {
    #[command(flatten)]
    pub tree: TreeArguments,
    /// Show everything that was tried, platforms, and each device's properties and aspects.
    #[arg(short, long)]
    pub verbose: bool,
    /// Use only this plugin or adapter. May be given more than once.
    #[arg(long, visible_alias = "adapter", value_name = "FILE")]
    pub plugin: Vec<PathBuf>,
}

#[derive(Args)]
pub struct PluginsArguments {
    /// The plugins. Default: those that a search finds.
    pub plugins: Vec<PathBuf>,
    /// Only this backend's search.
    #[arg(long)]
    pub backend: Option<String>,
}

#[derive(Args)]
pub struct AdapterArguments {
    /// The adapter.
    pub adapter: PathBuf,
    /// The name of the layout.
    pub layout: String,
}

/// `pi ls`
pub fn run(arguments: &LsArguments, output: &mut Output) -> Result<CommandStatus> {
    let environment = Environment::from_env();
    let seen = Seen::in_environment(arguments.tree.folder.as_deref(), &environment)?;
    let report = Listing::gather(&seen, &arguments.plugin, &environment);
    if output.is_json() {
        output.value(&report)?;
    } else {
        show::show(&report, arguments.verbose, arguments.tree.folder.as_deref(), output)?;
    }
    let visible = report.devices.iter().any(|device| device.hidden_by.is_none());
    // A program ends with an exception if a filter cannot be read.
    let readable = report.filters.iter().all(|filter| filter.error.is_none());
    Ok(if visible && readable { CommandStatus::Fine } else { CommandStatus::Problem })
}

/// `pi __plugins [--backend NAME] [FILE ...]`
pub fn plugins(arguments: &PluginsArguments, output: &mut Output) -> Result<CommandStatus> {
    let backend = Backend::ALL.into_iter().find(|one| arguments.backend.as_deref() == Some(one.name()));
    output.value(&Listing::of_plugins(&arguments.plugins, backend))?;
    Ok(CommandStatus::Fine)
}

/// `pi __adapter FILE LAYOUT`
pub fn adapter(arguments: &AdapterArguments, output: &mut Output) -> Result<CommandStatus> {
    let layout = layout_of_name(&arguments.layout).context("no layout has that name")?;
    let answer = Listing::of_adapter(&arguments.adapter, layout).map_err(|error| format!("{error:#}"));
    output.value(&answer)?;
    Ok(CommandStatus::Fine)
}
