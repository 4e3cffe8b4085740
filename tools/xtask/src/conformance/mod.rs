//! `cargo xtask conformance`: the harness on our plugins and on the vendor's. It writes `docs/reports/conformance.md`.

mod document;
mod results;
pub(crate) mod subject;

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use crate::process;
use crate::release;
use crate::totals::Totals;
use crate::ui::Step;
use results::Results;
use subject::Subject;

/// The releases whose plugin ours is compared with: the oldest, the last one without adapters, and the newest.
const VENDORS: [&str; 3] = ["2022.2.1", "2023.2.4", "2024.2.2"];

/// The versions of PI and the layouts of UR that the tests use, including the oldest and the newest. `cargo xtask
/// conformance` uses all.
pub(crate) const SAMPLE: [&str; 3] = ["9.11", "12.27", "15.47"];
const SAMPLED_LAYOUTS: [&str; 3] = ["2025.0", "2025.3", "2026.2"];

/// This driver rarely crashes if a queue is released soon after its last command (docs/reports/robustness.md).
const RARELY_CRASHES: &str = "pocl";

/// Arguments of `conformance`.
#[derive(Debug, Args)]
pub(crate) struct ConformanceArgs {
    /// Only our plugins. docs/reports/conformance.md is not written
    #[arg(long)]
    ours: bool,
    /// Only our adapters. Only their table in docs/reports/conformance.md is written
    #[arg(long, conflicts_with = "ours")]
    adapters: bool,
    /// Only cases whose id or entry point matches, e.g. 'MEM-0*'. docs/reports/conformance.md is not written
    #[arg(long)]
    filter: Vec<String>,
    /// Use the files in target/release
    #[arg(long)]
    no_build: bool,
}

/// Runs the harness on every plugin and driver. Fails if a case fails on one of our plugins.
pub(crate) fn run(args: &ConformanceArgs) -> Result<ExitCode> {
    if !args.no_build {
        subject::build()?;
    }
    let mut subjects = if args.adapters { Vec::new() } else { subject::all()? };
    subjects.extend(subject::adapters()?);
    for version in VENDORS.into_iter().filter(|_| !args.ours && !args.adapters) {
        subjects.push(subject::vendor(version)?);
    }
    let mut all = Vec::new();
    for subject in &subjects {
        all.push(run_on(subject, &args.filter, &[])?);
    }
    match args.filter.is_empty() {
        true if args.adapters => document::write_layouts(&all)?,
        true if !args.ours => document::write(&all)?,
        _ => {}
    }
    let ours = all.iter().filter(|results| results.libraries.is_none());
    let failed: usize = ours.map(|results| results.totals().failed).sum();
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the harness on our OpenCL plugin with each driver, and on our adapters, at a sample of versions and
/// layouts.
pub(crate) fn ours() -> Result<Totals> {
    subject::build()?;
    let mut sum = Totals::default();
    for subject in subject::opencl()?.into_iter().chain(subject::adapters()?) {
        let results = run_on(&subject, &[], &sampled(&subject))?;
        let cases = results.totals();
        let mut totals = Totals { passed: cases.passed, failed: cases.failed, skipped: cases.skipped };
        if subject.driver == RARELY_CRASHES && passes_again(&subject, &results)? {
            // `passes_again` printed them.
            (totals.skipped, totals.failed) = (totals.skipped + totals.failed, 0);
        }
        sum += totals;
    }
    sum += in_roots()?;
    Ok(sum)
}

/// The same on drivers in root file systems, at one version. To make one takes minutes, so that it is left to `cargo xtask env`.
fn in_roots() -> Result<Totals> {
    let (subjects, missing) = subject::in_roots()?;
    let mut sum = Totals { skipped: missing.len(), ..Totals::default() };
    for driver in missing {
        println!(
            "conformance on {driver}: skipped (`cargo xtask env --driver {driver}` makes its root file system)"
        );
    }
    for subject in subjects {
        let cases = run_on(&subject, &[], &["--pi-version", SAMPLE[2]])?.totals();
        sum += Totals { passed: cases.passed, failed: cases.failed, skipped: cases.skipped };
    }
    Ok(sum)
}

/// Returns whether the only failures are one or two crashes, and these cases pass three more times alone.
fn passes_again(subject: &Subject, results: &Results) -> Result<bool> {
    const TIMES: usize = 3;
    let totals = results.totals();
    if !(1..=2).contains(&totals.crashed) || totals.failed != totals.crashed {
        return Ok(false);
    }
    let cases = results.failures();
    for _ in 0..TIMES {
        if run_on(subject, &cases, &[])?.totals().failed > 0 {
            return Ok(false);
        }
    }
    println!(
        "{}: crashed once and passed {TIMES} times again: see docs/reports/robustness.md",
        cases.join(", ")
    );
    Ok(true)
}

/// Returns the arguments for a sample of versions or layouts.
fn sampled(subject: &Subject) -> Vec<&'static str> {
    let is_adapter =
        subject.file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libur_"));
    let (option, values) = if is_adapter { ("--layout", SAMPLED_LAYOUTS) } else { ("--pi-version", SAMPLE) };
    values.into_iter().flat_map(|value| [option, value]).collect()
}

/// Runs the harness. `more` are additional arguments.
fn run_on(subject: &Subject, filter: &[String], more: &[&str]) -> Result<Results> {
    let step = Step::start(format!("conformance of {} on {}", subject.plugin, subject.driver));
    let mut command = subject.command(&release::test_file("pi-conformance"));
    command.arg(&subject.file).arg("--json");
    command.args(filter.iter().flat_map(|glob| ["--filter", glob])).args(more);
    match &subject.libraries {
        Some(_) => command.args(["--survey", "--timeout", "10"]),
        None => command.arg("--strict"),
    };
    let finished = process::tested(&mut command)?;
    if finished.end.code().is_none_or(|code| code > 1) {
        bail!("{} on {}: {}", subject.plugin, subject.driver, finished.summary(20));
    }
    let results = Results::parse(subject, &finished.stdout)?;
    step.done(&results.totals().to_string());
    if subject.libraries.is_none() {
        results.print_failures();
    }
    Ok(results)
}
