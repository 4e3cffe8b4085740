//! Instruction counts as a table, and as a guard against regressions. They do not depend on what else the machine does.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use crate::bench::output::{Counted, Counts, Run};
use crate::releases::Release;
use crate::workspace;

/// A call may take so many percent more than the accepted count, and at least so many instructions more.
const TOLERANCE: (u64, u64) = (15, 4);

/// The accepted counts of our plugin or adapter.
fn file(release: &Release) -> PathBuf {
    let name = if release.has_adapters() { "instructions-adapter.json" } else { "instructions.json" };
    workspace::root().join("benches").join(name)
}

/// Every operation with the instructions on the way to the driver, and the calls of the driver.
pub(crate) fn table(run: &Run<Counted>) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header([
        "operation",
        "instructions to the driver: ours",
        "vendor",
        "ICD loader alone",
        "driver calls: ours",
        "vendor",
    ]);
    for call in &run.calls {
        let vendor = |number: fn(Counts) -> u64| {
            let counts = call.counts.vendor;
            if counts.is_counted() { number(counts).to_string() } else { "-".to_owned() }
        };
        table.add_row([
            call.name.clone(),
            call.counts.ours.to_the_driver().to_string(),
            vendor(Counts::to_the_driver),
            call.counts.bare.to_the_driver().to_string(),
            call.counts.ours.driver_calls.to_string(),
            vendor(|counts| counts.driver_calls),
        ]);
    }
    table
}

/// Accepts the counts of this run.
pub(crate) fn accept(release: &Release, run: &Run<Counted>) -> Result<()> {
    let counts: BTreeMap<&str, u64> =
        run.calls.iter().map(|call| (call.name.as_str(), call.counts.ours.to_the_driver())).collect();
    Ok(fs::write(file(release), serde_json::to_string_pretty(&counts)? + "\n")?)
}

/// Names every operation that takes more than was accepted. Returns 1 if there is one.
pub(crate) fn check(release: &Release, run: &Run<Counted>) -> Result<ExitCode> {
    let file = file(release);
    let text =
        fs::read_to_string(&file).with_context(|| format!("no {}; --accept writes one", file.display()))?;
    let accepted: BTreeMap<String, u64> = serde_json::from_str(&text)?;
    let regressions = regressions(run, &accepted);
    for regression in &regressions {
        println!("{regression}");
    }
    println!("{} operations, {} regressions", run.calls.len(), regressions.len());
    Ok(if regressions.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn regressions(run: &Run<Counted>, accepted: &BTreeMap<String, u64>) -> Vec<String> {
    let mut found = Vec::new();
    for call in &run.calls {
        let count = call.counts.ours.to_the_driver();
        let (percent, least) = TOLERANCE;
        match accepted.get(&call.name) {
            Some(accepted) if count <= accepted + (accepted * percent / 100).max(least) => {}
            Some(accepted) => {
                found.push(format!("{}: {count} instructions, accepted were {accepted}", call.name));
            }
            None => found.push(format!("{}: no accepted count; --accept writes it", call.name)),
        }
        if call.counts.ours.driver_calls > call.counts.bare.driver_calls {
            let (ours, bare) = (call.counts.ours.driver_calls, call.counts.bare.driver_calls);
            found.push(format!("{}: {ours} calls of the driver, {bare} are needed", call.name));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_beyond_the_tolerance_is_named() {
        let side = |total| format!(r#"{{"total": {total}, "driver": 2, "driver_calls": 1}}"#);
        let text = format!(
            r#"{{"version": "12.27", "device": "", "calls": [{{"name": "x",
                "counts": {{"ours": {}, "vendor": {}, "bare": {}}}}}]}}"#,
            side(117),
            side(2),
            side(2)
        );
        let run: Run<Counted> = serde_json::from_str(&text).unwrap();
        assert!(regressions(&run, &BTreeMap::from([("x".to_owned(), 100)])).is_empty());
        assert_eq!(
            regressions(&run, &BTreeMap::from([("x".to_owned(), 99)])),
            ["x: 115 instructions, accepted were 99"]
        );
        assert_eq!(regressions(&run, &BTreeMap::new()).len(), 1);
    }
}
