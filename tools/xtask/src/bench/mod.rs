//! `cargo xtask bench`: what each call of our plugins costs, beside the vendor's plugin and the bare driver.

mod ceilings;
mod chart;
mod data;
mod level_zero;
mod report;
mod row;
mod runtime;
mod stats;
mod tool;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use crate::backend::Backend;
use crate::bench::row::Rows;
use crate::bench::tool::Tool;
use crate::release;
use crate::releases::{self, Release};
use crate::ui;
use crate::workspace;

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// The release whose plugin stands beside ours
    #[arg(long, value_parser = releases::find, default_value = "2023.2.4")]
    release: &'static Release,
    /// Which plugin; for level-zero, driver calls and time per operation on the software driver, with --quick, --json and
    /// --report (the part of docs/reports/level-zero.md)
    #[arg(long, value_enum, default_value_t = Backend::OpenCl)]
    backend: Backend,
    /// Few rounds: a first look
    #[arg(long)]
    quick: bool,
    /// Only calls whose name contains this
    #[arg(long)]
    only: Option<String>,
    /// Instruction counts only: they do not depend on what else the machine does
    #[arg(long)]
    instructions: bool,
    /// Hold the instruction counts to benches/instructions.json; ends with 1 if a call takes more
    #[arg(long)]
    check: bool,
    /// Make this run's instruction counts the ceilings of benches/instructions.json
    #[arg(long, conflicts_with_all = ["check", "only"])]
    accept: bool,
    /// Write docs/reports/benchmarks.md and docs/reports/benchmarks.svg
    #[arg(long, conflicts_with_all = ["instructions", "check", "only"])]
    report: bool,
    /// The runtime instead of the plugin: what it adds to a launch, and what its registry costs
    #[arg(long, conflicts_with_all = ["instructions", "check", "accept", "report", "only", "json", "plugin_file"])]
    runtime: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// A libpi_opencl.so that counts as our plugin, instead of target/release/libpi_opencl.so
    #[arg(long, value_name = "FILE")]
    plugin_file: Option<PathBuf>,
    /// Use the programs and the plugin that target/release holds
    #[arg(long)]
    no_build: bool,
}

/// The oldest and the newest release, which the page shows too.
const OTHERS: [&str; 2] = ["2022.2.1", "2024.2.2"];

fn other(version: &str, ours: &Path, quick: bool) -> Result<Rows> {
    let Ok(release) = releases::find(version) else { bail!("release {version} is not known") };
    let tool = Tool::new(release, ours.to_owned(), None)?;
    let counted = tool.count()?;
    Ok(Rows::new(release, Some(tool.time(quick)?), counted))
}

/// Builds, measures, shows.
pub(crate) fn run(args: &BenchArgs) -> Result<ExitCode> {
    if args.runtime {
        return runtime::run(args.no_build);
    }
    if args.backend == Backend::LevelZero {
        let good = level_zero::run(args.release, args.quick, args.json, args.report, args.no_build)?;
        return Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if !args.no_build {
        release::build(Backend::OpenCl.packages())?;
        tool::build()?;
    }
    let ours = args.plugin_file.clone().unwrap_or_else(workspace::our_plugin);
    let tool = Tool::new(args.release, ours.clone(), args.only.clone())?;
    let counted = tool.count()?;
    if args.check {
        return ceilings::check(&counted);
    }
    if args.accept {
        ceilings::write(&counted)?;
    }
    let timed = if args.instructions || args.accept { None } else { Some(tool.time(args.quick)?) };
    let rows = Rows::new(args.release, timed, counted);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
    } else {
        println!("{}", report::table(&rows));
        println!("{}", report::summary(&rows));
    }
    if args.report {
        let others = OTHERS.iter().map(|version| other(version, &ours, args.quick));
        report::write(&rows, &others.collect::<Result<Vec<_>>>()?)?;
        ui::info("docs/reports/benchmarks.md and docs/reports/benchmarks.svg are written");
    }
    Ok(ExitCode::SUCCESS)
}
