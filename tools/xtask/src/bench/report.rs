//! The tables, and `docs/reports/benchmarks.md` around them.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use anyhow::Result;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use crate::bench::chart;
use crate::bench::costs::{Costs, MOST_MEDIAN_RATIO, MOST_OWN_NS, MOST_OWN_SHARE};
use crate::process;
use crate::workspace;

/// Every operation of one PI version.
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

/// One row for each PI version.
pub(crate) fn versions(all: &[Costs]) -> Table {
    let mut table = table(&[
        "PI",
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
            costs.pi.clone(),
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

/// Writes the page and the chart. The operations of the first PI version are listed.
pub(crate) fn write(all: &[Costs]) -> Result<()> {
    let Some(first) = all.first() else { return Ok(()) };
    let docs = workspace::root().join("docs/reports");
    fs::write(docs.join("benchmarks.svg"), chart::svg(first))?;
    let mut out = String::from(HEAD);
    writeln!(
        out,
        "The line: at most {MOST_OWN_NS} ns of our own per call in an operation that does not enter the system; at most {:.0} % of the\n\
         driver's time in one that does. The median of ours / vendor over all operations is at most {MOST_MEDIAN_RATIO}. An operation\n\
         enters the system if it submits commands, waits for them, or makes system calls.\n",
        MOST_OWN_SHARE * 100.0
    )?;
    writeln!(out, "{}\n", versions(all))?;
    writeln!(out, "{}, {} rounds of each operation, {}.\n", machine(), first.rounds, date()?)?;
    writeln!(out, "## Operations at PI {}\n", first.pi)?;
    writeln!(out, "Driver: {}.\n", first.device)?;
    writeln!(
        out,
        "![What each plugin adds to the driver's own time](benchmarks.svg)\n\n{}",
        operations(first)
    )?;
    Ok(fs::write(docs.join("benchmarks.md"), out)?)
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

const HEAD: &str = "\
# What a call costs

Each operation with our OpenCL plugin, with the vendor's plugin of the same PI version, and with the driver alone: Intel's CPU OpenCL
runtime of the release. `cargo xtask bench --report` writes this page. How it measures: [benchmark-notes.md](benchmark-notes.md).

";
