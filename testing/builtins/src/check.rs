//! Runs functions on a device, and compares the results with the expected ones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::device::Machine;
use crate::expected::shown;
use crate::functions::{Amount, Entry};
use crate::types::type_name;

/// The maximum number of wrong values shown for each function and type.
const SHOWN: usize = 3;
/// The maximum number of kernels in a module.
const KERNELS: usize = 18;

/// The result of testing a function with a type.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) function: String,
    #[serde(rename = "type")]
    pub(crate) ty: String,
    /// The number of compared results.
    pub(crate) values: u64,
    pub(crate) wrong: u64,
    /// The largest error in units in the last place, of results that have a bound.
    pub(crate) ulps: f64,
    /// OpenCL's bound, if there is one.
    pub(crate) bound: Option<f64>,
    /// Some of the wrong values, or why there are no results.
    pub(crate) examples: Vec<String>,
    /// The number of vector widths that could not be built or run.
    pub(crate) failed: u64,
}

impl Finding {
    /// Creates a finding for a function that could not be tested.
    pub(crate) fn without_results(function: &str, why: String) -> Self {
        let (function, ty) = (function.to_owned(), "-".to_owned());
        Self { function, ty, failed: 1, examples: vec![why], ..Self::default() }
    }

    pub(crate) fn is_right(&self) -> bool {
        self.wrong == 0 && self.failed == 0 && self.values > 0
    }
}

/// Tests a function with all its types.
pub(crate) fn check(machine: &Machine, entry: &Entry, amount: Amount) -> Vec<Finding> {
    let cases = entry.cases(amount);
    let mut findings: BTreeMap<(String, String), Finding> = BTreeMap::new();
    let mut order = Vec::new();
    for cases in cases.chunks(KERNELS) {
        let cases: Vec<&Case> = cases.iter().collect();
        // A single kernel may be the reason why a module cannot be built. So try the kernels one by one.
        let results = machine.run(&cases).unwrap_or_else(|_| {
            cases.iter().map(|case| machine.run(&[*case]).and_then(|mut all| all.remove(0))).collect()
        });
        for (case, results) in cases.iter().zip(results) {
            let key = (case.function.clone(), case.ty.clone());
            if !order.contains(&key) {
                order.push(key.clone());
            }
            let finding = findings.entry(key).or_insert_with(|| Finding {
                function: case.function.clone(),
                ty: case.ty.clone(),
                bound: case.bound.filter(|bound| bound.is_finite()),
                ..Finding::default()
            });
            match results {
                Ok(results) => compare(case, &results, finding),
                Err(error) => {
                    finding.failed += 1;
                    let text = format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ");
                    show(finding, format!("width {}: {text}", width(case)));
                }
            }
        }
    }
    order.iter().filter_map(|key| findings.remove(key)).collect()
}

fn width(case: &Case) -> usize {
    case.inputs.iter().map(|input| input.lanes).max().unwrap_or(1)
}

fn show(finding: &mut Finding, text: String) {
    if finding.examples.len() < SHOWN {
        finding.examples.push(text.chars().take(600).collect());
    }
}

fn compare(case: &Case, results: &[Vec<u64>], finding: &mut Finding) {
    for (number, (output, found)) in case.outputs.iter().zip(results).enumerate() {
        for (at, (expected, bits)) in output.expected.iter().zip(found).enumerate() {
            let judgement = expected.judge(output.ty, *bits);
            finding.values += 1;
            if judgement.ulps.is_finite() {
                finding.ulps = finding.ulps.max(judgement.ulps);
            }
            if judgement.is_right {
                continue;
            }
            finding.wrong += 1;
            let (item, lane) = (at / output.lanes, at % output.lanes);
            let operands = case.inputs.iter().map(|input| {
                let own = if input.lanes == output.lanes { lane..lane + 1 } else { 0..input.lanes };
                let own = own.filter_map(|lane| input.bits.get(item * input.lanes + lane));
                own.map(|bits| shown(input.ty, *bits)).collect::<Vec<_>>().join(" ")
            });
            let operands: Vec<String> = operands.collect();
            show(
                finding,
                format!(
                    "{}({}) result {number} of {}: {}, not {}",
                    case.function,
                    operands.join(", "),
                    type_name(output.ty, output.lanes),
                    shown(output.ty, *bits),
                    expected.text(output.ty)
                ),
            );
        }
    }
}
