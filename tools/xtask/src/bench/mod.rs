//! `cargo xtask bench`: what each call of our plugins and adapters costs, compared with the vendor's and with the driver alone.

mod chart;
mod costs;
mod instructions;
mod level_zero;
mod output;
mod report;
mod runtime;
mod stats;
mod tool;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Error, Result};
use clap::Args;

use crate::backend::Backend;
use crate::bench::costs::Costs;
use crate::bench::tool::Tool;
use crate::release;
use crate::releases::{self, Release};
use crate::workspace;

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// The release whose plugin or adapter is compared with ours
    #[arg(long, value_parser = releases::find_any, default_value = "2023.2.4")]
    release: &'static Release,
    /// Compare adapters, those of releases 2025.3.3 and 2026.1.2
    #[arg(long, conflicts_with_all = ["release", "backend"])]
    adapters: bool,
    /// Which plugin or adapter. For level-zero only driver calls are counted, on the software driver
    #[arg(long, value_enum, default_value_t = Backend::OpenCl)]
    backend: Backend,
    /// Few rounds, for a first look
    #[arg(long)]
    quick: bool,
    /// Only operations whose name contains this
    #[arg(long)]
    only: Option<String>,
    /// Count instructions instead of measuring time: the counts do not depend on what else the machine does
    #[arg(long)]
    instructions: bool,
    /// Compare the instruction counts with benches/instructions.json, or instructions-adapter.json. Ends with 1 if an operation takes 15 % more
    #[arg(long)]
    check: bool,
    /// Write this run's instruction counts to that file
    #[arg(long, conflicts_with_all = ["check", "only"])]
    accept: bool,
    /// Measure three PI versions, or the adapters, and write that part of docs/reports/benchmarks.md. For level-zero, write the
    /// table of driver calls in docs/reports/level-zero.md
    #[arg(long, conflicts_with_all = ["instructions", "check", "only"])]
    report: bool,
    /// Measure nothing: draw docs/reports/benchmarks.svg from the numbers in benchmarks.md
    #[arg(long, conflicts_with_all = ["instructions", "check", "only", "report"])]
    redraw: bool,
    /// Measure the runtime instead of the plugin: what it adds to a launch, and what its registry costs
    #[arg(long, conflicts_with_all = ["instructions", "check", "accept", "report", "only", "json", "plugin_file"])]
    runtime: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Measure this plugin or adapter instead of target/release/libpi_opencl.so or libur_adapter_opencl.so
    #[arg(long, value_name = "FILE")]
    plugin_file: Option<PathBuf>,
    /// Use the programs and the plugin in target/release as they are
    #[arg(long)]
    no_build: bool,
}

/// The page has these releases in addition to the chosen one: the oldest and the newest.
const OTHERS: [&str; 2] = ["2022.2.1", "2024.2.2"];
/// The releases whose adapters are compared: one from before a launch has its arguments, and one from after.
const WITH_ADAPTERS: [&str; 2] = ["2025.3.3", "2026.1.2"];

/// Builds, measures and prints. Ends with 1 if the costs are above the line.
pub(crate) fn run(args: &BenchArgs) -> Result<ExitCode> {
    if args.redraw {
        chart::draw()?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.runtime {
        return runtime::run(args.no_build);
    }
    if args.backend == Backend::LevelZero {
        let good = level_zero::run(args.release, args.json, args.report, args.no_build)?;
        return Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if args.backend == Backend::Cuda {
        anyhow::bail!(
            "a software GPU says nothing of speed; testing/gpu-bundle/bundle.py makes what measures on a GPU"
        );
    }
    if !args.no_build {
        let with_adapters = releases(args)?.iter().any(|release| release.has_adapters());
        let backend = Backend::OpenCl;
        release::build(if with_adapters { backend.adapter_packages() } else { backend.packages() })?;
        tool::build()?;
    }
    if args.instructions || args.check || args.accept { count(args) } else { measure(args) }
}

/// The releases that are compared with; the first one's operations are listed.
fn releases(args: &BenchArgs) -> Result<Vec<&'static Release>> {
    if args.adapters {
        let all = WITH_ADAPTERS.into_iter().map(releases::find_any);
        return all.collect::<Result<_, _>>().map_err(Error::msg);
    }
    let mut releases = vec![args.release];
    if args.report && !args.release.has_adapters() {
        let others = OTHERS.into_iter().filter_map(|version| releases::find(version).ok());
        releases.extend(others.filter(|other| other.version != args.release.version));
    }
    Ok(releases)
}

fn tool(args: &BenchArgs, release: &'static Release) -> Result<Tool> {
    let ours = || {
        if release.has_adapters() { Backend::OpenCl.our_adapter() } else { workspace::our_plugin() }
    };
    Tool::new(release, args.plugin_file.clone().unwrap_or_else(ours), args.only.clone())
}

fn count(args: &BenchArgs) -> Result<ExitCode> {
    let Some(release) = releases(args)?.first().copied() else { return Ok(ExitCode::SUCCESS) };
    let counted = tool(args, release)?.instructions()?;
    if args.check {
        return instructions::check(release, &counted);
    }
    if args.accept {
        instructions::accept(release, &counted)?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&counted)?);
    } else {
        println!("{}", instructions::table(&counted));
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(args: &BenchArgs) -> Result<ExitCode> {
    let mut all = Vec::new();
    for release in releases(args)? {
        let tool = tool(args, release)?;
        all.push(Costs::new(release, &tool.times(args.quick)?, &tool.system_calls()?));
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&all)?);
    } else {
        for costs in &all {
            println!("{}\n", report::operations(costs));
        }
        println!("{}", report::versions(&all));
    }
    if args.report {
        report::write(&all)?;
    }
    let good = all.iter().all(Costs::hold);
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
