//! `benches/instructions.json`: how many instructions each call may take on its way to the driver. They do not drift with the machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::bench::data::{Counted, Run};
use crate::workspace;

/// Room for what another compiler version does differently, in percent, and at least this many instructions.
const SLACK: (u64, u64) = (10, 4);

fn file() -> PathBuf {
    workspace::root().join("benches").join("instructions.json")
}

/// Makes this run's counts, with some slack, the ceilings.
pub(super) fn write(run: &Run<Counted>) -> Result<()> {
    let ceilings: BTreeMap<&str, u64> = run
        .calls
        .iter()
        .map(|call| {
            let way = call.counts.ours.way();
            (call.name.as_str(), way + (way * SLACK.0 / 100).max(SLACK.1))
        })
        .collect();
    Ok(fs::write(file(), serde_json::to_string_pretty(&ceilings)? + "\n")?)
}

/// Names every call that takes more than its ceiling; ends with 1 if there is one.
pub(super) fn check(run: &Run<Counted>) -> Result<ExitCode> {
    let text = fs::read_to_string(file()).context("no benches/instructions.json; --accept makes one")?;
    let ceilings: BTreeMap<String, u64> = serde_json::from_str(&text)?;
    let findings = findings(run, &ceilings);
    for finding in &findings {
        println!("{finding}");
    }
    println!("{} calls, {} over their ceiling", run.calls.len(), findings.len());
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn findings(run: &Run<Counted>, ceilings: &BTreeMap<String, u64>) -> Vec<String> {
    let mut findings = Vec::new();
    for call in &run.calls {
        let way = call.counts.ours.way();
        match ceilings.get(&call.name) {
            Some(ceiling) if way <= *ceiling => {}
            Some(ceiling) => findings.push(format!("{}: {way} instructions, {ceiling} allowed", call.name)),
            None => findings.push(format!("{}: no ceiling; --accept makes one", call.name)),
        }
        if call.counts.ours.driver_calls > call.counts.bare.driver_calls {
            let (ours, bare) = (call.counts.ours.driver_calls, call.counts.bare.driver_calls);
            findings.push(format!("{}: {ours} calls of the driver, {bare} are needed", call.name));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_over_its_ceiling_is_named() {
        let side = |total| format!(r#"{{"total": {total}, "driver": 2, "driver_calls": 1}}"#);
        let text = format!(
            r#"{{"pi": "12.27", "device": "", "calls": [{{"name": "x", "entry_points": [], "queued": false,
                "counts": {{"ours": {}, "vendor": {}, "bare": {}}}}}]}}"#,
            side(12),
            side(2),
            side(2)
        );
        let run: Run<Counted> = serde_json::from_str(&text).unwrap();
        assert!(findings(&run, &BTreeMap::from([("x".to_owned(), 10)])).is_empty());
        assert_eq!(findings(&run, &BTreeMap::from([("x".to_owned(), 9)])), ["x: 10 instructions, 9 allowed"]);
        assert_eq!(findings(&run, &BTreeMap::new()).len(), 1);
    }
}
