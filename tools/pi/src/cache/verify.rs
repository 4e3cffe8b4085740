//! `pi cache verify`

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use sycl_pi_cache::Store;

use super::ls::count;
use super::progress::Progress;
use super::select;
use crate::output::{CommandStatus, Output, Style, bytes};

#[derive(Args)]
pub struct VerifyArguments {
    /// Only report damaged items.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Default, Serialize)]
struct VerifySummary {
    items: usize,
    good: usize,
    damaged: Vec<Damaged>,
    leftovers: Vec<Leftover>,
    dry_run: bool,
}

#[derive(Serialize)]
struct Damaged {
    item: String,
    problem: String,
    removed: bool,
}

#[derive(Serialize)]
struct Leftover {
    path: String,
    size_bytes: u64,
    removed: bool,
}

pub fn run(store: &Store, arguments: &VerifyArguments, output: &mut Output) -> Result<CommandStatus> {
    let items = select::items(store)?;
    let mut report =
        VerifySummary { items: items.len(), dry_run: arguments.dry_run, ..VerifySummary::default() };
    let progress = Progress::start("checking", items.len());
    for item in &items {
        progress.step();
        match store.check(item) {
            Ok(()) => report.good += 1,
            // A program has removed it in the meantime.
            Err(problem) if problem.is_absent() => report.items -= 1,
            Err(problem) => {
                let removed = !arguments.dry_run && store.remove(item)?;
                let problem = problem.to_string();
                report.damaged.push(Damaged { item: item.name(), problem, removed });
            }
        }
    }
    drop(progress);
    for leftover in store.leftovers()? {
        let removed = !arguments.dry_run && store.remove_leftover(&leftover).is_ok();
        let path = leftover.path.display().to_string();
        report.leftovers.push(Leftover { path, size_bytes: leftover.size, removed });
    }
    let left = report.damaged.iter().any(|damaged| !damaged.removed);
    if output.is_json() {
        output.value(&report)?;
    } else {
        tell(&report, output)?;
    }
    Ok(if left { CommandStatus::Problem } else { CommandStatus::Fine })
}

fn tell(report: &VerifySummary, output: &mut Output) -> Result<()> {
    let done = |removed| if removed { "removed" } else { "left" };
    for Damaged { item, problem, removed } in &report.damaged {
        output.line(format!("{}: {problem}; {}", output.paint(Style::Bad, item), done(*removed)))?;
    }
    for Leftover { path, size_bytes, removed } in &report.leftovers {
        let what = format!("left by a killed program, {}", bytes(*size_bytes));
        output.line(format!("{}: {what}; {}", output.paint(Style::Warning, path), done(*removed)))?;
    }
    let good =
        format!("{} checked, {} good, {} damaged", count(report.items), report.good, report.damaged.len());
    let style = if report.damaged.is_empty() { Style::Good } else { Style::Warning };
    output.line(output.paint(style, good))
}
