//! `pi cache ls`

use std::cmp::Reverse;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use sycl_pi_cache::Store;

use super::entry::CacheItem;
use super::select::Selection;
use crate::output::{CommandStatus, Output, Style, bytes};

#[derive(Args)]
pub struct LsArguments {
    #[command(flatten)]
    selection: Selection,
    /// The order of the items.
    #[arg(long, value_enum, default_value_t = Sort::Age)]
    sort: Sort,
}

#[derive(Clone, Copy, ValueEnum)]
enum Sort {
    /// The last used first
    Age,
    /// The largest first
    Size,
    /// The most often loaded first
    Hits,
}

#[derive(Serialize)]
struct ItemList<'a> {
    root: String,
    size_bytes: u64,
    items: &'a [CacheItem],
}

/// The platform that is shown for compiled sources, which are for any device.
const SOURCE: &str = "SPIR-V of a source";

pub fn run(store: &Store, arguments: &LsArguments, output: &mut Output) -> Result<CommandStatus> {
    let mut entries: Vec<CacheItem> =
        arguments.selection.read(store)?.into_iter().map(|(_, entry)| entry).collect();
    match arguments.sort {
        Sort::Age => entries.sort_by_key(|entry| entry.age_seconds.unwrap_or(u64::MAX)),
        Sort::Size => entries.sort_by_key(|entry| Reverse(entry.size_bytes)),
        Sort::Hits => entries.sort_by_key(|entry| Reverse(entry.hits)),
    }
    let size_bytes = entries.iter().map(|entry| entry.size_bytes).sum();
    let root = store.root().map(|root| root.display().to_string()).unwrap_or_default();
    if output.is_json() {
        output.value(&ItemList { root, size_bytes, items: &entries })?;
        return Ok(CommandStatus::Fine);
    }
    let damaged = entries.iter().filter(|entry| entry.problem.is_some()).count();
    lines(&entries, output)?;
    output.line(format!("{}, {} in {root}", count(entries.len()), bytes(size_bytes)))?;
    if damaged > 0 {
        let line = format!("{damaged} of them cannot be used; \"pi cache verify\" removes them.");
        output.line(output.paint(Style::Warning, line))?;
    }
    Ok(CommandStatus::Fine)
}

fn lines(entries: &[CacheItem], output: &mut Output) -> Result<()> {
    for entry in entries {
        let what = match (&entry.details, &entry.problem) {
            (Some(details), _) if details.platform == SOURCE => SOURCE.to_owned(),
            (Some(details), _) => kernels(&details.kernels),
            (None, Some(problem)) => output.paint(Style::Bad, problem),
            (None, None) => String::new(),
        };
        let hits = if entry.hits == 1 { "1 hit".into() } else { format!("{} hits", entry.hits) };
        let line = format!(
            "{} {}: {what} ({}, used {} ago, {hits})",
            output.paint(Style::Good, &entry.item),
            entry.device(),
            bytes(entry.size_bytes),
            entry.age(),
        );
        output.hanging(4, &line)?;
        if let Some(details) = &entry.details {
            for (name, text) in [("options", details.options()), ("constants", details.constants())] {
                if !text.is_empty() {
                    output.paragraph(&format!("    {name}:"), 8, &text)?;
                }
            }
        }
    }
    Ok(())
}

/// Returns the first names, and the number of the others.
fn kernels(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    match names.len() {
        0 => "no kernel names".into(),
        count if count > SHOWN => format!("{}, and {} more", shown.join(", "), count - SHOWN),
        _ => shown.join(", "),
    }
}

/// `1 item`, `2 items`
pub fn count(items: usize) -> String {
    if items == 1 { "1 item".into() } else { format!("{items} items") }
}
