//! dpctl's suite through the translator, on the software CUDA driver.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::Result;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use crate::backend::Backend;
use crate::clients::results::{Outcome, SuiteResult, TestResult};
use crate::provision::environment::Flavour;
use crate::releases::{RELEASES, Release};

/// The part that must pass here, of the tests that pass on the CPU runtime and that the suite does not skip on a GPU.
const ENOUGH: f64 = 0.99;

/// A test that passes on the CPU runtime and not here.
struct Other<'a> {
    name: &'a str,
    outcome: Option<Outcome>,
    why: &'a str,
}

impl Other<'_> {
    fn is_skip(&self) -> bool {
        self.outcome.is_some_and(Outcome::is_skip)
    }
}

/// What of the CPU runtime's passed tests passes here.
struct Share<'a> {
    on_cpu: usize,
    /// Under the same name.
    same: usize,
    /// Those about a CPU device, which pass here about a GPU.
    on_gpu: usize,
    others: Vec<Other<'a>>,
}

impl<'a> Share<'a> {
    fn new(vendor: &'a SuiteResult, ours: &'a SuiteResult) -> Self {
        let mut share = Self { on_cpu: 0, same: 0, on_gpu: 0, others: Vec::new() };
        let is_good = |test: &TestResult| test.outcome.is_good();
        for name in vendor.tests.iter().filter(|(_, test)| is_good(test)).map(|(name, _)| name) {
            share.on_cpu += 1;
            let here = ours.tests.get(name);
            if here.is_some_and(is_good) {
                share.same += 1;
            } else if counterpart(name).and_then(|name| ours.tests.get(&name)).is_some_and(is_good) {
                share.on_gpu += 1;
            } else {
                let (outcome, why) = (here.map(|test| test.outcome), here.map_or("", |test| &test.why));
                share.others.push(Other { name, outcome, why });
            }
        }
        share
    }

    fn skipped(&self) -> usize {
        self.others.iter().filter(|other| other.is_skip()).count()
    }

    /// Without those that the suite skips here.
    fn part(&self) -> f64 {
        (self.same + self.on_gpu) as f64 / (self.on_cpu - self.skipped()).max(1) as f64
    }

    fn part_of_all(&self) -> f64 {
        (self.same + self.on_gpu) as f64 / self.on_cpu.max(1) as f64
    }
}

/// The test with a GPU in place of the CPU among its parameters: `test_filter_string[cpu]`.
fn counterpart(name: &str) -> Option<String> {
    let (test, parameters) = name.split_once('[').filter(|(_, parameters)| parameters.contains("cpu"))?;
    Some(format!("{test}[{}", parameters.replace("cpu", "gpu")))
}

/// Says which part passes; true if it is enough.
pub(super) fn show(vendor: &SuiteResult, ours: &SuiteResult) -> bool {
    let share = Share::new(vendor, ours);
    for other in share.others.iter().filter(|other| !other.is_skip()) {
        println!("{}: {}", other.name, other.why);
    }
    println!(
        "of {} tests that pass on the CPU runtime, {} pass, {} pass about a GPU, {} are skipped on a GPU: {:.2} %",
        share.on_cpu,
        share.same,
        share.on_gpu,
        share.skipped(),
        100.0 * share.part()
    );
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
    table.set_header([
        "release",
        "client",
        "pass on the CPU runtime",
        "of these here",
        "here about a GPU",
        "skipped here",
        "not passed",
        "part",
        "part with the skipped ones",
        "the suite here",
        "s",
    ]);
    let (mut lists, mut good) = (String::new(), !runs.is_empty());
    for (release, vendor, ours) in &runs {
        let share = Share::new(vendor, ours);
        good &= share.part() >= ENOUGH;
        table.add_row([
            release.version.to_owned(),
            release.client(),
            share.on_cpu.to_string(),
            share.same.to_string(),
            share.on_gpu.to_string(),
            share.skipped().to_string(),
            (share.others.len() - share.skipped()).to_string(),
            format!("{:.2} %", 100.0 * share.part()),
            format!("{:.2} %", 100.0 * share.part_of_all()),
            ours.totals.to_string(),
            format!("{:.0}", ours.seconds),
        ]);
        write!(lists, "\n### {}\n", release.version)?;
        let mut by_reason: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for other in &share.others {
            let outcome = other.outcome.map_or_else(|| "missing".to_owned(), |outcome| outcome.to_string());
            let why = other.why.replace('`', "'").replace("Skipped: ", "");
            by_reason.entry(format!("{outcome} ({why})")).or_default().push(other.name);
        }
        for (reason, names) in by_reason {
            write!(lists, "\n- {reason}:\n")?;
            for name in names {
                writeln!(lists, "  - `{}`", name.trim_start_matches("dpctl/tests/"))?;
            }
        }
    }
    println!("{table}\n{lists}");
    Ok(good)
}

#[cfg(test)]
mod tests {
    use super::counterpart;

    #[test]
    fn a_test_about_a_cpu_has_one_about_a_gpu_beside_it() {
        assert_eq!(counterpart("t.py::test_a[opencl:cpu-x]").as_deref(), Some("t.py::test_a[opencl:gpu-x]"));
        assert_eq!(counterpart("t_cpu.py::test_cpu[x]"), None);
    }
}
