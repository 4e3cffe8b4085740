//! The clients' part of `docs/reports/nvvm-execution.md`: dpctl's suite through the translator, on the software CUDA driver.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use crate::backend::Backend;
use crate::clients::results::{Outcome, SuiteResult};
use crate::page::Page;
use crate::provision::environment::Flavour;
use crate::releases::{RELEASES, Release};

/// The part of the tests that pass on the CPU runtime which must pass here.
const ENOUGH: f64 = 0.99;

/// A test that passes on the CPU runtime and not here.
struct Other<'a> {
    name: &'a str,
    outcome: Option<Outcome>,
    why: &'a str,
}

/// What of the CPU runtime's passed tests passes here.
struct Share<'a> {
    on_cpu: usize,
    others: Vec<Other<'a>>,
}

impl<'a> Share<'a> {
    fn new(vendor: &'a SuiteResult, ours: &'a SuiteResult) -> Self {
        let mut share = Self { on_cpu: 0, others: Vec::new() };
        for (name, _) in vendor.tests.iter().filter(|(_, test)| test.outcome.is_good()) {
            share.on_cpu += 1;
            match ours.tests.get(name) {
                Some(test) if test.outcome.is_good() => {}
                Some(test) => share.others.push(Other { name, outcome: Some(test.outcome), why: &test.why }),
                None => share.others.push(Other { name, outcome: None, why: "the test is not there" }),
            }
        }
        share
    }

    fn part(&self) -> f64 {
        (self.on_cpu - self.others.len()) as f64 / self.on_cpu.max(1) as f64
    }
}

/// Says which part passes; true if it is enough.
pub(super) fn show(vendor: &SuiteResult, ours: &SuiteResult) -> bool {
    let share = Share::new(vendor, ours);
    for other in share.others.iter().filter(|other| !other.outcome.is_some_and(Outcome::is_skip)) {
        println!("{}: {}", other.name, other.why);
    }
    let passed = share.on_cpu - share.others.len();
    println!("{passed} of {} tests that pass on the CPU runtime: {:.2} %", share.on_cpu, 100.0 * share.part());
    share.part() >= ENOUGH
}

/// Writes the part from the results at hand; true if enough tests pass in each release.
pub(super) fn write() -> Result<bool> {
    let load = |release: &Release, flavour| SuiteResult::load(release, flavour, Backend::Cuda);
    let runs: Vec<(&Release, SuiteResult, SuiteResult)> = RELEASES
        .iter()
        .filter_map(|release| Some((release, load(release, Flavour::Vendor)?, load(release, Flavour::Ours)?)))
        .collect();
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header(["release", "client", "passed on the CPU runtime", "of these here", "part", "here in all"]);
    let (mut lists, mut good) = (String::new(), !runs.is_empty());
    for (release, vendor, ours) in &runs {
        let share = Share::new(vendor, ours);
        good &= share.part() >= ENOUGH;
        table.add_row([
            release.version.to_owned(),
            release.client(),
            share.on_cpu.to_string(),
            (share.on_cpu - share.others.len()).to_string(),
            format!("{:.2} %", 100.0 * share.part()),
            ours.totals.to_string(),
        ]);
        let mut by_reason: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for other in &share.others {
            let outcome = other.outcome.map_or_else(|| "missing".to_owned(), |outcome| outcome.to_string());
            by_reason.entry(format!("{outcome}: {}", other.why.replace('`', "'"))).or_default().push(other.name);
        }
        for (reason, names) in by_reason {
            write!(lists, "\n- {}, {reason}:", release.version)?;
            for name in names {
                write!(lists, "\n  - `{name}`")?;
            }
        }
    }
    let text = format!("{table}\n\nPassed on the CPU runtime and not here:\n{lists}\n");
    Page::new("nvvm-execution.md").write("clients", &text)?;
    Ok(good)
}
