//! The clients' parts of `docs/reports/level-zero.md`: dpctl's suite on both plugins, or adapters, over the software driver.

use std::fmt::Write as _;

use anyhow::Result;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use crate::backend::Backend;
use crate::clients::compare::{self, Comparison, DifferenceKind};
use crate::clients::report;
use crate::clients::results::SuiteResult;
use crate::page::Page;
use crate::provision::environment::{self, Flavour};
use crate::provision::level_zero;
use crate::releases::{self, RELEASES, Release};

/// A release that was run.
struct Row {
    release: &'static Release,
    vendor: Option<SuiteResult>,
    ours: SuiteResult,
    comparison: Option<Comparison>,
}

/// Writes the tables of plugins and of adapters from the results at hand; true if they show no test that works with the vendor's only.
/// Without any result a table stays as it is.
pub(super) fn write() -> Result<bool> {
    let load = |release: &Release, flavour| SuiteResult::load(release, flavour, Backend::LevelZero);
    let rows = |releases: &mut dyn Iterator<Item = &'static Release>| -> Vec<Row> {
        releases
            .filter_map(|release| {
                let ours = load(release, Flavour::Ours)?;
                let vendor = load(release, Flavour::Vendor).filter(|vendor| vendor.every == ours.every);
                let comparison = vendor.as_ref().and_then(|vendor| compare::load(release, vendor, &ours));
                Some(Row { release, vendor, ours, comparison })
            })
            .collect()
    };
    let (page, mut worse) = (Page::new("level-zero.md"), 0);
    let parts =
        [("clients", rows(&mut RELEASES.iter())), ("adapter-clients", rows(&mut releases::with_adapters()))];
    for (part, rows) in parts.iter().filter(|(_, rows)| !rows.is_empty()) {
        page.write(part, &text(rows)?)?;
        let comparisons = rows.iter().flat_map(|row| &row.comparison);
        worse += comparisons.flat_map(|all| all.of_kind(DifferenceKind::Regression)).count();
    }
    Ok(worse == 0)
}

fn text(rows: &[Row]) -> Result<String> {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header([
        "release",
        "interface",
        "client",
        "Intel's: passed / failed / skipped",
        "ours: passed / failed / skipped",
        "worse",
        "flaky",
        "better",
    ]);
    for row in rows {
        let count = |kind| {
            row.comparison.as_ref().map_or("-".to_owned(), |all| all.of_kind(kind).count().to_string())
        };
        let vendor = row.vendor.as_ref();
        let folder = environment::folder(row.release, Flavour::Vendor, Backend::LevelZero);
        let file = if row.release.has_adapters() {
            Backend::LevelZero.adapter_name()
        } else {
            Backend::LevelZero.file_name()
        };
        let missing = level_zero::missing_functions(&folder.join("lib").join(file));
        table.add_row([
            row.release.version.to_owned(),
            row.release.interface.to_string(),
            row.ours.client(row.release),
            match vendor {
                Some(run) => report::totals(&run.totals),
                None if missing.is_empty() => "not run".to_owned(),
                None => format!("the loader lacks {}", missing.join(", ")),
            },
            report::totals(&row.ours.totals),
            if vendor.is_some() { count(DifferenceKind::Regression) } else { "-".to_owned() },
            if vendor.is_some() { count(DifferenceKind::Flaky) } else { "-".to_owned() },
            if vendor.is_some() { count(DifferenceKind::Better) } else { "-".to_owned() },
        ]);
    }
    let mut out = format!(
        "Loader: Debian's libze1 {}. Below adapters the software driver stands in for it.\n\n{table}\n",
        level_zero::loader_version()
    );
    for row in rows.iter().filter(|row| row.ours.every > 1) {
        let files: Vec<String> = row.ours.files().into_iter().map(|file| format!("`{file}`")).collect();
        write!(out, "\n- {}: {} files, {}", row.release.version, files.len(), files.join(", "))?;
    }
    for row in rows {
        let Some(comparison) = &row.comparison else { continue };
        for kind in [DifferenceKind::Regression, DifferenceKind::Flaky, DifferenceKind::Better] {
            for difference in comparison.of_kind(kind) {
                let line = report::outcomes(difference);
                write!(out, "\n- {} `{}`: {line}", row.release.version, difference.name)?;
            }
        }
        for (name, test) in row.ours.tests.iter().filter(|(_, test)| !test.outcome.is_good()) {
            let same = row.vendor.as_ref().and_then(|run| run.tests.get(name));
            let skipped = test.outcome.is_skip();
            if !skipped && same.is_some_and(|same| same.outcome == test.outcome) {
                let why = test.why.replace('`', "'");
                write!(out, "\n- {} `{name}`: {} with both ({why})", row.release.version, test.outcome)?;
            }
        }
    }
    Ok(out)
}
