//! The table, and its part of the page docs/reports/nvvm.md.

use std::fmt::Write as _;

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use super::modules::{Asked, Checked, Row};

const COLUMNS: [&str; 9] = [
    "package",
    "library",
    "modules",
    "different",
    "translated",
    "kernels",
    "chosen",
    "compiled",
    "assembled",
];

/// The fields of a row.
fn fields(row: &Row) -> [String; 9] {
    let both = |[a, b]: [usize; 2]| format!("{a} / {b}");
    let numbers =
        [row.modules, row.unique, row.translated, row.kernels, row.sampled].map(|number| number.to_string());
    let [modules, unique, translated, kernels, sampled] = numbers;
    [
        row.package.clone(),
        row.name.clone(),
        modules,
        unique,
        translated,
        kernels,
        sampled,
        both(row.compiled),
        both(row.assembled),
    ]
}

/// The rows of libraries that have modules, and their sum.
fn rows(checked: &Checked) -> Vec<Row> {
    let mut sum = Row { package: "all".into(), ..Row::default() };
    let mut rows = Vec::new();
    for row in checked.libraries.iter().filter(|row| row.modules > 0) {
        sum.modules += row.modules;
        sum.unique += row.unique;
        sum.kernels += row.kernels;
        sum.refused += row.refused;
        sum.translated += row.translated;
        sum.sampled += row.sampled;
        sum.unoptimized += row.unoptimized;
        for at in 0..2 {
            sum.compiled[at] += row.compiled[at];
            sum.assembled[at] += row.assembled[at];
        }
        rows.push(Row { package: row.package.clone(), name: row.name.clone(), ..*row });
    }
    rows.push(sum);
    rows
}

/// The table, for a terminal and the page.
pub(super) fn table(checked: &Checked) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN).set_header(COLUMNS);
    for row in rows(checked) {
        table.add_row(fields(&row));
    }
    table
}

/// Seed, times, and what failed.
pub(super) fn summary(checked: &Checked, asked: &Asked) -> String {
    let [median, slow, most] = checked.times;
    let mut text = match asked.sample {
        Some(sample) => format!("Seed {}, a sample of {sample} modules. ", asked.seed),
        None => "Every module was compiled. ".to_owned(),
    };
    let rows = rows(checked);
    let (refused, unoptimized) = rows.last().map_or((0, 0), |sum| (sum.refused, sum.unoptimized));
    let _ = writeln!(
        text,
        "The translator takes {median} µs for a module in the median, {slow} µs for the slowest hundredth, {most} µs at most. \
         {refused} kernels ask for what a GPU has not. {unoptimized} compilations were repeated without optimisation."
    );
    if checked.failures.is_empty() {
        text.push_str("No module failed.\n");
    }
    for failure in &checked.failures {
        let _ = writeln!(
            text,
            "- {} {}: {} modules failed in {}: {} (the first is {})",
            failure.package, failure.name, failure.count, failure.stage, failure.reason, failure.file
        );
    }
    text
}

/// The part of the page that the command writes.
pub(super) fn part(checked: &Checked, asked: &Asked) -> String {
    // Where a module was put is for whoever runs the command.
    let mut summary = summary(checked, asked);
    while let Some(at) = summary.find(" (the first is ") {
        let end = summary.get(at..).and_then(|rest| rest.find(')')).map_or(summary.len(), |end| at + end + 1);
        summary.replace_range(at..end, "");
    }
    format!("{}\n\n{summary}", table(checked))
}
