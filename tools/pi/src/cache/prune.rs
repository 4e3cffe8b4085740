//! `pi cache prune` and `pi cache clear`

use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use sycl_pi_cache::Store;
use sycl_pi_cache::config::parse_size;
use sycl_pi_cache::store::Item;

use super::entry::CacheItem;
use super::ls::count;
use super::progress::Progress;
use super::select::Selection;
use crate::output::{CommandStatus, Output, Style, bytes};

#[derive(Args)]
pub struct PruneArguments {
    #[command(flatten)]
    selection: Selection,
    /// Remove the least recently used items until this size remains, e.g. 500M or 2G.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_size: Option<u64>,
    /// Remove items that were not used for this time, e.g. 12h or 30days.
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    older_than: Option<Duration>,
    /// Only print what would be removed.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Args)]
pub struct ClearArguments {
    /// Only print what would be removed.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct PruneSummary {
    dry_run: bool,
    removed: Vec<String>,
    removed_bytes: u64,
    /// Items that remain because a program is using them.
    busy: Vec<String>,
    left: usize,
    left_bytes: u64,
}

fn size(text: &str) -> Result<u64> {
    parse_size(text, 1).context("expected a number of bytes, or one with K, M, G or T")
}

/// `pi cache prune`
pub fn prune(store: &Store, arguments: &PruneArguments, output: &mut Output) -> Result<CommandStatus> {
    let PruneArguments { selection, dry_run, .. } = arguments;
    let (mut max_size, mut older_than) = (arguments.max_size, arguments.older_than);
    let by_what = max_size.is_some() || older_than.is_some();
    if !by_what && selection.is_all() {
        let limits = store.limits();
        (max_size, older_than) = (limits.max_size, limits.max_age);
        if max_size.is_none() && older_than.is_none() {
            bail!(
                "the variables set no limit; say what to remove, or \"pi cache clear\" to remove everything"
            );
        }
    }
    let items = selection.read(store)?;
    let doomed = if by_what || selection.is_all() {
        over(&items, max_size, older_than)
    } else {
        (0..items.len()).collect()
    };
    remove(store, &items, &doomed, *dry_run, output)
}

/// `pi cache clear`
pub fn clear(store: &Store, arguments: &ClearArguments, output: &mut Output) -> Result<CommandStatus> {
    let items = Selection::default().read(store)?;
    let all: Vec<usize> = (0..items.len()).collect();
    if !arguments.dry_run {
        for leftover in store.leftovers()? {
            store.remove_leftover(&leftover)?;
        }
    }
    remove(store, &items, &all, arguments.dry_run, output)
}

/// Returns the indices of the items that are too old, and of the least recently used that exceed the size.
fn over(items: &[(Item, CacheItem)], max_size: Option<u64>, older_than: Option<Duration>) -> Vec<usize> {
    let now = SystemTime::now();
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|index| items.get(*index).and_then(|(item, _)| item.last_used));
    let mut left: u64 = items.iter().map(|(item, _)| item.size).sum();
    order.retain(|index| {
        let Some((item, _)) = items.get(*index) else { return false };
        let age = item.last_used.and_then(|at| now.duration_since(at).ok());
        let old = older_than.is_some_and(|limit| age.is_some_and(|age| age > limit));
        let goes = old || max_size.is_some_and(|max| left > max);
        if goes {
            left -= item.size;
        }
        goes
    });
    order
}

fn remove(
    store: &Store,
    items: &[(Item, CacheItem)],
    doomed: &[usize],
    dry_run: bool,
    output: &mut Output,
) -> Result<CommandStatus> {
    let mut report = PruneSummary {
        dry_run,
        removed: Vec::new(),
        removed_bytes: 0,
        busy: Vec::new(),
        left: items.len(),
        left_bytes: items.iter().map(|(item, _)| item.size).sum(),
    };
    let mut told = Vec::new();
    let progress = Progress::start("removing", doomed.len());
    for (item, entry) in doomed.iter().filter_map(|index| items.get(*index)) {
        progress.step();
        if dry_run || store.remove(item)? {
            report.removed.push(entry.item.clone());
            report.removed_bytes += item.size;
            report.left -= 1;
            report.left_bytes -= item.size;
            told.push(format!("{} {}, {}", entry.item, entry.device(), bytes(item.size)));
        } else {
            report.busy.push(entry.item.clone());
        }
    }
    drop(progress);
    if output.is_json() {
        output.value(&report)?;
    } else {
        let verb = if dry_run { "would be removed" } else { "removed" };
        for line in told.iter().filter(|_| dry_run) {
            output.line(line)?;
        }
        for item in &report.busy {
            output.line(format!(
                "{item}: {}",
                output.paint(Style::Warning, "a program is at work on it; left")
            ))?;
        }
        let removed = format!("{} {verb}, {}", count(report.removed.len()), bytes(report.removed_bytes));
        output.line(format!("{removed}; {} left, {}", count(report.left), bytes(report.left_bytes)))?;
    }
    Ok(if report.busy.is_empty() { CommandStatus::Fine } else { CommandStatus::Problem })
}
