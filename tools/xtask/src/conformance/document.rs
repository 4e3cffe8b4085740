//! `docs/reports/conformance.md`: families of cases by plugin, and the names of failed ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::Result;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use super::results::{CaseTotals, Results, Run};
use crate::page::Page;

/// The subject of each family, in the order of the list of cases.
const FAMILIES: [(&str, &str); 25] = [
    ("LD", "load and table"),
    ("PLT", "platforms"),
    ("DEV", "devices"),
    ("SEL", "choice among binaries"),
    ("CTX", "contexts"),
    ("QUE", "queues"),
    ("MEM", "buffers"),
    ("IMG", "images"),
    ("SMP", "samplers"),
    ("PRG", "programs"),
    ("SPC", "specialization constants"),
    ("KRN", "kernels"),
    ("ENQ", "rules for all commands"),
    ("BUF", "buffer commands"),
    ("LCH", "kernel launches"),
    ("EVT", "events"),
    ("USM", "USM"),
    ("DGV", "device globals"),
    ("PIP", "host pipes"),
    ("NAT", "native handles"),
    ("CMB", "command buffers"),
    ("ENU", "enumerators"),
    ("THR", "threads"),
    ("TDN", "tear-down"),
    ("UR", "what Unified Runtime asks beside PI"),
];

/// Writes the parts of the page.
pub(crate) fn write(all: &[Results]) -> Result<()> {
    let page = Page::new("conformance.md");
    page.write("families", &families(all).to_string())?;
    page.write("versions", &versions(all, "ours").to_string())?;
    write_layouts(all)?;
    let mut vendor = String::new();
    for results in all.iter().filter(|results| results.libraries.is_some()) {
        failures(&mut vendor, results)?;
    }
    page.write("vendor", &vendor)
}

/// Writes only the table of adapters.
pub(crate) fn write_layouts(all: &[Results]) -> Result<()> {
    Page::new("conformance.md").write("layouts", &versions(all, "our adapter").to_string())
}

fn cell(totals: CaseTotals) -> String {
    let failed = totals.failed - totals.crashed;
    format!("{} / {failed} / {} / {}", totals.passed, totals.crashed, totals.skipped)
}

fn families(all: &[Results]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    let heads = all.iter().map(|results| format!("{} on {}", results.plugin, results.driver));
    table.set_header(std::iter::once("family".to_owned()).chain(heads));
    let counts: Vec<BTreeMap<&str, CaseTotals>> = all.iter().map(Results::by_family).collect();
    for (family, about) in FAMILIES {
        let cells = counts.iter().map(|counts| cell(counts.get(family).copied().unwrap_or_default()));
        table.add_row(std::iter::once(format!("{family}: {about}")).chain(cells));
    }
    let sums = all.iter().map(|results| cell(results.totals()));
    table.add_row(std::iter::once("all".to_owned()).chain(sums));
    table
}

/// Returns the results of our plugins by PI version, or of our adapter by layout.
fn versions(all: &[Results], plugin: &str) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    let ours: Vec<&Results> = all.iter().filter(|results| results.plugin == plugin).collect();
    let versions = ours.first().into_iter().flat_map(|first| &first.runs).map(Run::version);
    table.set_header(std::iter::once("driver".to_owned()).chain(versions));
    for results in ours {
        let cells = results.runs.iter().map(|run| {
            let mut totals = CaseTotals::default();
            run.cases.iter().for_each(|case| totals += case.totals());
            cell(totals)
        });
        table.add_row(std::iter::once(results.driver.clone()).chain(cells));
    }
    table
}

/// Writes the failed and crashed cases of a vendor's plugin by id. `pi-conformance --list` describes each.
fn failures(out: &mut String, results: &Results) -> Result<()> {
    writeln!(out, "\n## {} on {}\n\n| result | cases |\n| --- | --- |", results.plugin, results.driver)?;
    for (result, crashed) in [("crashed", true), ("failed", false)] {
        let ids: BTreeSet<&str> = results
            .runs
            .iter()
            .flat_map(|run| &run.cases)
            .filter(|case| case.totals().failed > 0 && (case.totals().crashed > 0) == crashed)
            .map(|case| case.id.as_str())
            .collect();
        let ids =
            if ids.is_empty() { "none".to_owned() } else { ids.into_iter().collect::<Vec<_>>().join(" ") };
        writeln!(out, "| {result} | {ids} |")?;
    }
    Ok(())
}
