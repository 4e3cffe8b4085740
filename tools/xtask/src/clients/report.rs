//! `docs/reports/clients.md`: the comparison of all releases as a table, and the tests behind it by name.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use crate::backend::Backend;
use crate::clients::cache;
use crate::clients::compare::{self, Comparison, Difference, DifferenceKind};
use crate::clients::results::{Outcome, SuiteResult, SuiteTotals};
use crate::page::Page;
use crate::provision::environment::Flavour;
use crate::releases::{self, MORE, RELEASES, Release};
use crate::workspace;

/// What is known of one release.
#[derive(Debug)]
struct Row {
    release: &'static Release,
    vendor: Option<SuiteResult>,
    ours: Option<SuiteResult>,
    comparison: Option<Comparison>,
}

/// Where the report is kept.
pub(crate) fn path() -> PathBuf {
    workspace::root().join("docs/reports").join("clients.md")
}

impl Row {
    fn of(release: &'static Release) -> Self {
        let load = |flavour| SuiteResult::load(release, flavour, Backend::OpenCl);
        let (vendor, ours) = (load(Flavour::Vendor), load(Flavour::Ours));
        let both = vendor.as_ref().zip(ours.as_ref()).filter(|(vendor, ours)| vendor.every == ours.every);
        let comparison = both.and_then(|(vendor, ours)| compare::load(release, vendor, ours));
        Row { release, vendor, ours, comparison }
    }
}

/// Writes the report from the results at hand; true if all releases have been run and nothing works with the vendor's only.
pub(crate) fn write() -> Result<bool> {
    let rows: Vec<Row> = RELEASES.iter().chain(MORE).chain(releases::with_adapters()).map(Row::of).collect();
    let page = Page::new("clients.md");
    page.write("releases", &releases(&rows)?)?;
    page.write("tests", &tests(&rows)?)?;
    page.write("cache", &cache::text(&cache::load()))?;
    let is_clean = |comparison: &Comparison| comparison.of_kind(DifferenceKind::Regression).next().is_none();
    let compared = rows.iter().all(|row| row.comparison.as_ref().is_some_and(is_clean));
    Ok(compared && ["plugin", "adapter"].iter().all(|kind| our_hashes(&rows, kind).len() == 1))
}

/// The files of ours that the releases with plugins, or those with adapters, were run with.
fn our_hashes<'a>(rows: &'a [Row], kind: &str) -> BTreeSet<&'a str> {
    let meant = rows.iter().filter(|row| row.release.loads() == kind);
    meant.filter_map(|row| row.ours.as_ref()).map(|ours| ours.plugin_sha256.as_str()).collect()
}

/// The table, and which files of ours it is about.
fn releases(rows: &[Row]) -> Result<String> {
    let mut out = format!("{}\n\n", table(rows));
    for kind in ["plugin", "adapter"] {
        file_line(&mut out, rows, kind)?;
    }
    Ok(out)
}

/// The tests behind the table, by name.
fn tests(rows: &[Row]) -> Result<String> {
    let mut out = String::new();
    section(&mut out, rows, "Works with the vendor's only", DifferenceKind::Regression)?;
    section(&mut out, rows, "Flaky", DifferenceKind::Flaky)?;
    section(&mut out, rows, "Works with ours only", DifferenceKind::Better)?;
    section(&mut out, rows, "Works with neither, and ends differently", DifferenceKind::Neither)?;
    same_failures(&mut out, rows)?;
    Ok(out)
}

/// The table of releases.
fn table(rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header([
        "release",
        "interface",
        "client",
        "vendor: passed / failed / skipped",
        "s",
        "ours: passed / failed / skipped",
        "s",
        "worse",
        "flaky",
    ]);
    for row in rows {
        let count = |kind| {
            row.comparison.as_ref().map_or("-".to_owned(), |all| all.of_kind(kind).count().to_string())
        };
        table.add_row([
            row.release.version.to_owned(),
            row.release.interface.to_string(),
            row.ours.as_ref().map_or_else(|| row.release.client(), |ours| ours.client(row.release)),
            row.vendor.as_ref().map_or("not run".to_owned(), |run| totals(&run.totals)),
            row.vendor.as_ref().map_or("-".to_owned(), |run| format!("{:.0}", run.seconds)),
            row.ours.as_ref().map_or("not run".to_owned(), |run| totals(&run.totals)),
            row.ours.as_ref().map_or("-".to_owned(), |run| format!("{:.0}", run.seconds)),
            count(DifferenceKind::Regression),
            count(DifferenceKind::Flaky),
        ]);
    }
    table
}

/// SuiteTotals in a cell: the rare kinds only where there are any.
pub(super) fn totals(totals: &SuiteTotals) -> String {
    let mut text = format!("{} / {} / {}", totals.passed, totals.failed, totals.skipped);
    let rare = [
        (totals.errors, "error"),
        (totals.crashed, "crashed"),
        (totals.hung, "hung"),
        (totals.xfailed, "xfailed"),
        (totals.xpassed, "xpassed"),
    ];
    for (count, name) in rare.iter().filter(|(count, _)| *count > 0) {
        text.push_str(&format!(", {count} {name}"));
    }
    text
}

fn file_line(out: &mut String, rows: &[Row], kind: &str) -> Result<()> {
    let hashes: Vec<&str> = our_hashes(rows, kind).into_iter().collect();
    match hashes.as_slice() {
        [] => writeln!(out, "Our {kind} has not been run yet.")?,
        [one] => writeln!(out, "Our {kind} was the same file in every row: SHA-256 `{one}`.")?,
        several => {
            writeln!(out, "**Our {kind} was not the same file in every row**: {}.", several.join(", "))?
        }
    }
    Ok(())
}

/// A list of the tests of one kind, with every run of them.
fn section(out: &mut String, rows: &[Row], title: &str, kind: DifferenceKind) -> Result<()> {
    writeln!(out, "\n## {title}\n")?;
    let mut none = true;
    for row in rows {
        for difference in row.comparison.iter().flat_map(|comparison| comparison.of_kind(kind)) {
            none = false;
            writeln!(out, "- {} `{}`: {}", row.release.name(), difference.name, outcomes(difference))?;
        }
    }
    if none {
        writeln!(out, "None.")?;
    }
    Ok(())
}

pub(super) fn outcomes(difference: &Difference) -> String {
    let word = |outcome: Option<Outcome>| outcome.map_or("absent".to_owned(), |outcome| outcome.to_string());
    let mut text = format!("vendor {}, ours {}", word(difference.vendor), word(difference.ours));
    if !difference.ours_again.is_empty() {
        let list =
            |outcomes: &[Outcome]| outcomes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let (vendor, ours) = (list(&difference.vendor_again), list(&difference.ours_again));
        text.push_str(&format!("; alone: vendor {vendor}, ours {ours}"));
    }
    if !difference.why.is_empty() {
        text.push_str(&format!(" ({})", difference.why.replace('`', "'")));
    }
    text
}

/// The tests that fail the same way with both: the clients' own troubles.
fn same_failures(out: &mut String, rows: &[Row]) -> Result<()> {
    writeln!(out, "\n## Fails with both\n")?;
    for row in rows {
        let (Some(vendor), Some(ours)) = (&row.vendor, &row.ours) else { continue };
        for (name, test) in &vendor.tests {
            let bad = !matches!(test.outcome, Outcome::Skipped | Outcome::Xfailed) && !test.outcome.is_good();
            if bad && ours.tests.get(name).is_some_and(|mine| mine.outcome == test.outcome) {
                writeln!(
                    out,
                    "- {} `{name}`: {} ({})",
                    row.release.name(),
                    test.outcome,
                    test.why.replace('`', "'")
                )?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(plugin: &str, outcome: &str) -> SuiteResult {
        let tests = json!({ "t.py::a": { "outcome": outcome, "seconds": 0.5, "why": "it broke" } });
        serde_json::from_value(json!({
            "format": 1, "release": "2023.2.4", "plugin": plugin, "plugin_sha256": "abc", "driver": "", "seconds": 1.0,
            "totals": SuiteTotals::of(&serde_json::from_value::<Vec<_>>(json!([tests["t.py::a"]])).unwrap()),
            "loaded": [], "bad_ends": [], "tests": tests,
        }))
        .unwrap()
    }

    #[test]
    fn a_test_that_is_worse_with_ours_is_counted_and_named() {
        let comparison = json!({ "runs": "", "differences": [{
            "name": "t.py::a", "vendor": "passed", "ours": "failed", "why": "it broke",
            "vendor_again": ["passed"], "ours_again": ["failed"], "kind": "regression",
        }]});
        let row = Row {
            release: &RELEASES[3],
            vendor: Some(run("vendor", "passed")),
            ours: Some(run("ours", "failed")),
            comparison: Some(serde_json::from_value(comparison).unwrap()),
        };
        let rows = [row];
        let table = releases(&rows).unwrap();
        assert!(table.contains("| 1 / 0 / 0"), "the vendor's totals");
        assert!(table.contains("| 0 / 1 / 0"), "our totals");
        let text = tests(&rows).unwrap();
        let line =
            "- 2023.2.4 `t.py::a`: vendor passed, ours failed; alone: vendor passed, ours failed (it broke)";
        assert!(text.contains(line), "{text}");
    }
}
