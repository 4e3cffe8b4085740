//! Generates the layouts of device queries, so that an adapter knows which queries its loader may send.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};
use sycl_ur_core::Layout;

use super::output::{Output, first_line};
use super::ur_enums::{Enumeration, Enums, GOLDEN, Value};

/// Generates the file from the enumeration of device queries.
pub(super) fn generate(golden: &Enums) -> Result<Output> {
    let mut enums = golden.enums.iter();
    output(enums.find(|of| of.name == "ur_device_info_t").context("there are no device queries")?)
}

fn output(queries: &Enumeration) -> Result<Output> {
    let mut text = first_line(GOLDEN);
    text += "//! The layouts of device queries.

use crate::{Layout, ur_device_info_t};

/// Returns the first and the last layout in which a number is a device query.
#[must_use]
pub const fn device_query_layouts(number: ur_device_info_t) -> Option<(Layout, Layout)> {
    Some(match number {
";
    for (numbers, [first, last]) in ranges(queries)? {
        let numbers = match numbers {
            (start, end) if start == end => format!("{start:#x}"),
            (start, end) => format!("{start:#x}..={end:#x}"),
        };
        let _ = writeln!(text, "        {numbers} => ({}, {}),", variant(first), variant(last));
    }
    text += "        _ => return None,\n    })\n}\n";
    Ok(Output { path: "ur-core/src/device_queries.rs".to_owned(), text })
}

fn variant(layout: Layout) -> String {
    format!("Layout::V{}", layout.name().replace('.', "_"))
}

/// Consecutive numbers with the first and the last layout that they all have.
type Range = ((u32, u32), [Layout; 2]);

fn ranges(queries: &Enumeration) -> Result<Vec<Range>> {
    let mut layouts: BTreeMap<u32, Vec<Layout>> = BTreeMap::new();
    for item in &queries.items {
        for (value, present) in item.forms(&queries.layouts)? {
            let Value::Number(number) = value else { continue };
            let of_number = layouts.entry(*number).or_default();
            for name in present {
                of_number.push(layout(name)?);
            }
        }
    }
    let mut ranges: Vec<Range> = Vec::new();
    for (number, mut present) in layouts {
        present.sort_unstable();
        present.dedup();
        let (first, last) = (present[0], present[present.len() - 1]);
        let between = Layout::ALL.iter().filter(|layout| (first..=last).contains(layout));
        ensure!(between.count() == present.len(), "{number:#x} is missing between {first:?} and {last:?}");
        match ranges.last_mut() {
            Some(((_, end), same)) if *end + 1 == number && *same == [first, last] => *end = number,
            _ => ranges.push(((number, number), [first, last])),
        }
    }
    Ok(ranges)
}

/// Returns the layout of a release. Two releases share one, and the second has more queries.
fn layout(release: &str) -> Result<Layout> {
    let name = if release == "2026.1.0" { "2026.0" } else { release };
    Layout::ALL.into_iter().find(|layout| layout.name() == name).with_context(|| format!("no layout {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_with_the_same_layouts_are_one_row() {
        let golden = r#"{"name": "ur_device_info_t", "layouts": ["2025.0", "2026.0", "2026.1.0", "2026.2"],
            "items": [{"name": "A", "value": 4, "present": ["2026.0", "2026.1.0"]},
            {"name": "B", "value": 5, "present": ["2026.1.0"]},
            {"name": "C", "value": 6, "present": ["2026.2"]},
            {"name": "OLD_C", "value_per_layout": {"2026.1.1": 6}, "present": ["2026.1.1"]}]}"#;
        let text = output(&serde_json::from_str(golden).unwrap()).unwrap().text;
        let rows: Vec<&str> = text.lines().filter(|line| line.contains("Layout::")).map(str::trim).collect();
        assert_eq!(
            rows,
            [
                "0x4..=0x5 => (Layout::V2026_0, Layout::V2026_0),",
                "0x6 => (Layout::V2026_1_1, Layout::V2026_2),"
            ]
        );
    }

    #[test]
    fn a_query_that_a_layout_between_lacks_is_refused() {
        let golden = r#"{"name": "ur_device_info_t", "layouts": ["2025.0", "2025.1", "2025.2"],
            "items": [{"name": "A", "value": 4, "present": ["2025.0", "2025.2"]}]}"#;
        assert!(output(&serde_json::from_str(golden).unwrap()).is_err());
    }
}
