//! `cargo xtask conformance`: the harness on our plugins and on the vendor's, and the table of it in `docs/`.

mod document;
mod outcome;
pub(crate) mod subject;

use std::process::{Command, ExitCode};

use anyhow::{Result, bail};
use clap::Args;

use crate::process;
use crate::release;
use crate::ui::Step;
use outcome::Judgement;
use subject::Subject;

/// The releases whose plugin ours is compared with: the oldest, the last that is no adapter, the newest.
const VENDORS: [&str; 3] = ["2022.2.1", "2023.2.4", "2024.2.2"];

/// The driver that ends a process now and then, where a queue is released soon after its last command (docs/reports/robustness.md).
const RARELY_CRASHES: &str = "pocl";

/// Arguments of `conformance`.
#[derive(Debug, Args)]
pub(crate) struct ConformanceArgs {
    /// Only our plugins, and leave the document as it is
    #[arg(long)]
    ours: bool,
    /// Only cases whose id or entry point matches; leaves the document as it is
    #[arg(long)]
    filter: Vec<String>,
}

/// Judges every subject; fails when one of our plugins does.
pub(crate) fn run(args: &ConformanceArgs) -> Result<ExitCode> {
    subject::build()?;
    let mut subjects = subject::all()?;
    for version in VENDORS.into_iter().filter(|_| !args.ours) {
        subjects.push(subject::vendor(version)?);
    }
    let mut judgements = Vec::new();
    for subject in &subjects {
        judgements.push(judge(subject, &args.filter)?);
    }
    if !args.ours && args.filter.is_empty() {
        document::write(&judgements)?;
    }
    let ours = judgements.iter().filter(|judgement| judgement.libraries.is_none());
    let failed: usize = ours.map(|judgement| judgement.totals().failed).sum();
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Judges our OpenCL plugin on each driver at every version: how many cases passed, failed and were skipped.
pub(crate) fn ours() -> Result<(usize, usize, usize)> {
    subject::build()?;
    let mut sum = (0, 0, 0);
    for subject in subject::opencl()? {
        let judgement = judge(&subject, &[])?;
        let mut totals = judgement.totals();
        if subject.driver == RARELY_CRASHES && passes_again(&subject, &judgement)? {
            // Told above, and counted as what was not judged.
            (totals.skipped, totals.failed) = (totals.skipped + totals.failed, 0);
        }
        sum = (sum.0 + totals.passed, sum.1 + totals.failed, sum.2 + totals.skipped);
    }
    Ok(sum)
}

/// Whether the only failures are one or two crashes, and those cases pass three times more, alone.
fn passes_again(subject: &Subject, judgement: &Judgement) -> Result<bool> {
    const TIMES: usize = 3;
    let totals = judgement.totals();
    if !(1..=2).contains(&totals.crashed) || totals.failed != totals.crashed {
        return Ok(false);
    }
    let cases = judgement.failures();
    for _ in 0..TIMES {
        if judge(subject, &cases)?.totals().failed > 0 {
            return Ok(false);
        }
    }
    println!(
        "{}: crashed once and passed {TIMES} times again: see docs/reports/robustness.md",
        cases.join(", ")
    );
    Ok(true)
}

fn judge(subject: &Subject, filter: &[String]) -> Result<Judgement> {
    let step = Step::start(format!("conformance of {} on {}", subject.plugin, subject.driver));
    let mut command = Command::new(release::file("pi-conformance"));
    command.arg(&subject.file).arg("--json").envs(subject.variables.iter().cloned());
    command.args(filter.iter().flat_map(|glob| ["--filter", glob]));
    match &subject.libraries {
        Some(_) => command.args(["--survey", "--timeout", "10"]),
        None => command.arg("--strict"),
    };
    let output = process::tested(&mut command)?;
    if output.status.code().is_none_or(|code| code > 1) {
        bail!("{} on {}:\n{}", subject.plugin, subject.driver, process::tail(&output, 20));
    }
    let judgement = Judgement::parse(subject, &output.stdout)?;
    step.done(&judgement.totals().to_string());
    if subject.libraries.is_none() {
        judgement.print_failures();
    }
    Ok(judgement)
}
