//! `cargo xtask conformance`: the harness on our plugins and on the vendor's. It writes `docs/reports/conformance.md`.

mod document;
pub(crate) mod object_counter;
mod results;
pub(crate) mod subject;

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use sycl_pi_core::Version;
use sycl_ur_core::Layout;

use crate::process;
use crate::release;
use crate::sample;
use crate::totals::{self, Totals};
use crate::ui::Step;
use results::Results;
use subject::Subject;

/// The releases whose plugin ours is compared with: the oldest, the last one without adapters, and the newest.
const VENDORS: [&str; 3] = ["2022.2.1", "2023.2.4", "2024.2.2"];

/// Drivers on which a file is tested at one version a day. Versions differ in tables and calls, which are the file's, so
/// that the other drivers at two versions a day show most of what a version does wrong.
const ONE_VERSION: [&str; 3] = ["intel-2023", "pocl", "software Level Zero"];

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
        all.push(run_on(subject, &args.filter, &[], Objects::NotCounted)?);
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

/// Whether the driver's objects are counted after each case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Objects {
    Counted,
    NotCounted,
}

/// Runs the harness on our OpenCL plugin with each driver, and on our adapters, at a sample of versions and
/// layouts. After each case of a plugin, the driver has as many objects as before.
pub(crate) fn ours() -> Result<Totals> {
    subject::build()?;
    let mut sum = Totals::default();
    let plugins = subject::opencl()?.into_iter().map(|subject| (subject, Objects::Counted));
    let adapters = subject::adapters()?.into_iter().map(|subject| (subject, Objects::NotCounted));
    for (who, (subject, objects)) in plugins.chain(adapters).enumerate() {
        let results = run_on(&subject, &[], &sampled(&subject, who), objects)?;
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

/// The same on a driver in a root file system, another one each day, at one version.
fn in_roots() -> Result<Totals> {
    let (subjects, missing) = subject::in_roots()?;
    let mut sum = totals::without_root("conformance", &missing);
    let names: Vec<&str> = subjects.iter().map(|subject| subject.driver.as_str()).collect();
    let taken =
        sample::of_the_day("conformance on drivers in root file systems", "conformance", &names, 1, 0);
    for subject in subjects.iter().filter(|subject| taken.contains(&subject.driver.as_str())) {
        let newest = ["--pi-version", Version::NEWEST.text()];
        let cases = run_on(subject, &[], &newest, Objects::NotCounted)?.totals();
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
        if run_on(subject, &cases, &[], Objects::Counted)?.totals().failed > 0 {
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
fn sampled(subject: &Subject, who: usize) -> Vec<&'static str> {
    let is_adapter =
        subject.file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libur_"));
    let (option, all) = match is_adapter {
        true => ("--layout", Layout::ALL.map(Layout::name).to_vec()),
        false => ("--pi-version", Version::ALL.map(Version::text).to_vec()),
    };
    let (what, part) = (format!("conformance of {subject}"), "conformance");
    let values = match ONE_VERSION.contains(&subject.driver.as_str()) {
        true => sample::of_the_day(&what, part, &all, 1, who),
        false => newest_and_another(&what, part, &all, who),
    };
    values.into_iter().flat_map(|value| [option, value]).collect()
}

/// Returns the versions of PI that `what` in a part of the tests uses: the newest, and another one each day.
pub(crate) fn versions(what: &str, part: &str, who: usize) -> Vec<&'static str> {
    newest_and_another(what, part, &Version::ALL.map(Version::text), who)
}

/// Returns one version of PI each day.
pub(crate) fn version(what: &str, part: &str, who: usize) -> Vec<&'static str> {
    sample::of_the_day(what, part, &Version::ALL.map(Version::text), 1, who)
}

fn newest_and_another<'t>(what: &str, part: &str, all: &[&'t str], who: usize) -> Vec<&'t str> {
    let Some((newest, others)) = all.split_last() else { return Vec::new() };
    let mut taken = sample::of_the_day(&format!("{what} beside {newest}"), part, others, 1, who);
    taken.push(newest);
    taken
}

/// Runs the harness. `more` are additional arguments.
fn run_on(subject: &Subject, filter: &[String], more: &[&str], objects: Objects) -> Result<Results> {
    let step = Step::start(format!("conformance of {} on {}", subject.plugin, subject.driver));
    let mut command = subject.command(&release::test_file("pi-conformance"));
    command.arg(&subject.file).arg("--json");
    command.args(filter.iter().flat_map(|glob| ["--filter", glob])).args(more);
    match &subject.libraries {
        Some(_) => command.args(["--survey", "--timeout", "10"]),
        None => command.arg("--strict"),
    };
    if objects == Objects::Counted {
        command.arg("--object-counter").arg(object_counter::of(subject)?);
    }
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
