//! The tables, and the parts of `docs/reports/benchmarks.md` with them.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use anyhow::Result;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use crate::bench::chart;
use crate::bench::costs::{Costs, Line};
use crate::page::Page;
use crate::process;

/// Every operation of one version.
pub(crate) fn operations(costs: &Costs) -> Table {
    let mut table = table(&[
        "operation",
        "ours, ns",
        "vendor, ns",
        "driver, ns",
        "ours / vendor",
        "own share",
        "enters the system",
        "",
    ]);
    for cost in &costs.operations {
        table.add_row([
            cost.name.clone(),
            format!("{:.1}", cost.ours),
            format!("{:.1}", cost.vendor),
            format!("{:.1}", cost.bare),
            format!("{:.3}", cost.ratio.median),
            cost.own_in_words(),
            if cost.enters_system() { "yes" } else { "" }.to_owned(),
            if cost.is_above() { "above the line" } else { "" }.to_owned(),
        ]);
    }
    table
}

/// One row for each version.
pub(crate) fn versions(all: &[Costs]) -> Table {
    let mut table = table(&[
        all.first().map_or("version", Costs::interface),
        "release",
        "operations",
        "median of ours / vendor",
        "largest own share, not entering the system",
        "largest own share, entering the system",
        "rows above the line",
        "line",
    ]);
    for costs in all {
        let worst = |enters_system| {
            costs
                .worst(enters_system)
                .map_or_else(|| "-".to_owned(), |cost| format!("{} ({})", cost.own_in_words(), cost.name))
        };
        let above: Vec<&str> = costs.above().map(|cost| cost.name.as_str()).collect();
        table.add_row([
            costs.version.clone(),
            costs.release.to_owned(),
            costs.operations.len().to_string(),
            format!("{:.3}", costs.median_ratio()),
            worst(false),
            worst(true),
            if above.is_empty() { "0".to_owned() } else { format!("{}: {}", above.len(), above.join("; ")) },
            if costs.hold() { "holds" } else { "does not hold" }.to_owned(),
        ]);
    }
    table
}

fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header(head);
    table
}

/// Writes the page's part for plugins with the chart, or the one for adapters. The operations of the first version are listed.
pub(crate) fn write(all: &[Costs]) -> Result<()> {
    let Some(first) = all.first() else { return Ok(()) };
    let mut out = format!("{}\n\n{}\n\n", line(first), versions(all));
    writeln!(out, "{}, {} rounds of each operation, {}.\n", machine(), first.rounds, date()?)?;
    let (part, listed) = if first.is_of_adapters() { ("adapters", all) } else { ("plugins", &all[..1]) };
    for costs in listed {
        writeln!(out, "### Operations at {} {}\n", costs.interface(), costs.version)?;
        writeln!(out, "Driver: {}.\n", costs.device)?;
        if part == "plugins" {
            out.push_str("![The time of each call, with the driver alone, the vendor's plugin and ours](benchmarks.svg)\n\n");
        }
        writeln!(out, "{}\n", operations(costs))?;
    }
    Page::new("benchmarks.md").write(part, &out)?;
    if part == "plugins" { chart::draw() } else { Ok(()) }
}

/// The limits in words.
fn line(costs: &Costs) -> String {
    let Line { own_ns, own_share, median_ratio } = costs.line;
    let own = match own_share {
        None => format!("at most {own_ns} ns of our own per call, in every operation."),
        Some(share) => format!(
            "at most {own_ns} ns of our own per call in an operation that does not enter the system; at most {:.0} % of the\n\
             driver's time in one that does.",
            share * 100.0
        ),
    };
    format!("The line: {own} The median of ours / vendor over all operations is at most {median_ratio}.")
}

fn date() -> Result<String> {
    process::text(Command::new("date").arg("+%F"))
}

fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{cores} cores of {}", model.trim_start_matches([' ', '\t', ':']))
}
