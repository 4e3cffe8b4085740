//! The chart of `docs/reports/benchmarks.md`, drawn from the page's own table by `pi bench`.

use std::fs;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::{process, workspace};

/// Draws the chart of the page's first list of operations.
pub(crate) fn draw() -> Result<()> {
    let reports = workspace::root().join("docs/reports");
    let page = fs::read_to_string(reports.join("benchmarks.md"))?;
    let result = result_of(&page).context("benchmarks.md has no list of operations")?;
    let scratch = tempfile::tempdir()?;
    let file = scratch.path().join("result.json");
    fs::write(&file, serde_json::to_vec(&result)?)?;
    let mut pi = process::cargo();
    pi.args(["run", "--quiet", "--package", "pi", "--bin", "pi", "--", "bench", "--from"]).arg(file);
    process::output(pi.arg("--svg").arg(reports.join("benchmarks.svg"))).map(drop)
}

/// What `pi bench --json` would have printed: the first list of operations of a page.
fn result_of(page: &str) -> Option<Value> {
    let (_, list) = page.split_once("### Operations at ")?;
    let version = list.lines().next()?;
    let device = list.lines().find_map(|line| line.strip_prefix("Driver: "))?.trim_end_matches('.');
    let rows = list.lines().skip_while(|line| !line.starts_with("| operation")).skip(2);
    let call = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let number = |index: usize| cells.get(index)?.parse::<f64>().ok();
        let (ours, vendor, bare) = (number(2)?, number(3)?, number(4)?);
        Some(json!({ "name": cells.get(1)?, "ours": ours, "vendor": vendor, "bare": bare }))
    };
    let calls: Vec<Value> = rows.map_while(call).collect();
    (!calls.is_empty()).then(|| json!({ "version": version, "device": device, "calls": calls }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_list_of_a_page_is_a_result() {
        let page = "# a page\n\n### Operations at PI 12.27\n\nDriver: AMD, driver 1.2.\n\n\
                    | operation | ours, ns | vendor, ns | driver, ns | ours / vendor |\n|---|---|---|---|---|\n\
                    | a (b) | 10.0 | 9.5 | 8.1 | 1.057 |\n| c | 2.0 | 3.0 | 1.0 | 0.6 |\n\n\
                    ### Operations at PI 15.47\n";
        let result = result_of(page).unwrap();
        assert_eq!((&result["version"], &result["device"]), (&json!("PI 12.27"), &json!("AMD, driver 1.2")));
        assert_eq!(result["calls"].as_array().unwrap().len(), 2);
        assert_eq!(result["calls"][0], json!({ "name": "a (b)", "ours": 10.0, "vendor": 9.5, "bare": 8.1 }));
        assert!(result_of("# nothing").is_none());
    }
}
