//! Two runs of one suite, test by test. A test that differs is run three times more, alone, before it counts.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::backend::Backend;
use crate::clients::results::{self, Outcome, SuiteResult};
use crate::clients::suite;
use crate::provision::environment::{self, Flavour};
use crate::releases::Release;
use crate::ui::Step;

/// How often a test that differs is run again, alone, on each of the two.
pub(crate) const RERUNS: usize = 3;

/// With more candidates than this something is wrong in general, and running each again would only hide it for hours.
const MOST_RERUNS: usize = 60;

/// What a difference amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DifferenceKind {
    /// It works with the vendor's plugin or adapter and not with ours.
    Regression,
    /// It did not end the same way each time, with either.
    Flaky,
    /// It works with ours and not with the vendor's.
    Better,
    /// It works with neither, for different reasons.
    Neither,
}

/// A test that ended differently.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Difference {
    /// The test's id.
    pub(crate) name: String,
    /// With the vendor's; nothing if that run has no such test.
    pub(crate) vendor: Option<Outcome>,
    /// With ours.
    pub(crate) ours: Option<Outcome>,
    /// What the test said about itself where it did not pass.
    pub(crate) why: String,
    /// How it ended alone, with the vendor's.
    pub(crate) vendor_again: Vec<Outcome>,
    /// How it ended alone, with ours.
    pub(crate) ours_again: Vec<Outcome>,
    /// What it amounts to.
    pub(crate) kind: DifferenceKind,
}

/// All differences between two runs.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Comparison {
    /// Which runs were compared: a comparison of other runs is not reused.
    runs: String,
    /// The tests that differ, sorted by name.
    pub(crate) differences: Vec<Difference>,
}

impl Comparison {
    /// The differences of one kind.
    pub(crate) fn of_kind(&self, kind: DifferenceKind) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(move |difference| difference.kind == kind)
    }
}

/// Compares a release's two runs, running again what differs; a comparison of the same two runs is reused.
pub(crate) fn compare(
    release: &'static Release,
    vendor: &SuiteResult,
    ours: &SuiteResult,
) -> Result<Comparison> {
    if let Some(earlier) = load(release, vendor, ours) {
        return Ok(earlier);
    }
    let mut differences = differences(vendor, ours);
    run_again(release, ours.backend, &mut differences)?;
    let comparison = Comparison { runs: identity(vendor, ours), differences };
    fs::write(path(release, ours.backend), serde_json::to_string_pretty(&comparison)? + "\n")?;
    Ok(comparison)
}

/// An earlier comparison of these two runs.
pub(crate) fn load(release: &Release, vendor: &SuiteResult, ours: &SuiteResult) -> Option<Comparison> {
    let earlier: Comparison =
        serde_json::from_str(&fs::read_to_string(path(release, ours.backend)).ok()?).ok()?;
    (earlier.runs == identity(vendor, ours)).then_some(earlier)
}

fn path(release: &Release, backend: Backend) -> PathBuf {
    results::folder().join(format!("{}{}-compared.json", release.name(), backend.suffix()))
}

/// Which two runs a comparison is of: their files, and their times as good as names.
fn identity(vendor: &SuiteResult, ours: &SuiteResult) -> String {
    let one = |run: &SuiteResult| format!("{} {} {:.6}", run.plugin, run.plugin_sha256, run.seconds);
    format!("{} {}", one(vendor), one(ours))
}

/// The tests that ended differently, not yet run again.
fn differences(vendor: &SuiteResult, ours: &SuiteResult) -> Vec<Difference> {
    let mut names: Vec<&String> = vendor.tests.keys().chain(ours.tests.keys()).collect();
    names.sort();
    names.dedup();
    let mut found = Vec::new();
    for name in names {
        let (theirs, mine) = (vendor.tests.get(name), ours.tests.get(name));
        let (before, now) = (theirs.map(|test| test.outcome), mine.map(|test| test.outcome));
        if before != now {
            let why = mine.or(theirs).map(|test| test.why.clone()).unwrap_or_default();
            found.push(difference(name.clone(), before, now, why));
        }
    }
    for first in ours.bad_ends.difference(&vendor.bad_ends) {
        let name = format!("{first} (end of the process)");
        found.push(difference(
            name,
            Some(Outcome::Passed),
            Some(Outcome::Crashed),
            "the interpreter crashed at its end".into(),
        ));
    }
    found
}

fn difference(name: String, vendor: Option<Outcome>, ours: Option<Outcome>, why: String) -> Difference {
    let kind = kind(vendor, ours, &[], &[]);
    Difference { name, vendor, ours, why, vendor_again: Vec::new(), ours_again: Vec::new(), kind }
}

/// What outcomes amount to, the ones of the runs alone included.
fn kind(
    vendor: Option<Outcome>,
    ours: Option<Outcome>,
    vendor_again: &[Outcome],
    ours_again: &[Outcome],
) -> DifferenceKind {
    let good = |outcome: Option<Outcome>| outcome.is_some_and(Outcome::is_good);
    let all_good = |outcomes: &[Outcome]| outcomes.iter().all(|outcome| outcome.is_good());
    // The difference stands as long as the side that worked works each time alone, and the other does not.
    let stands =
        |worked: &[Outcome], other: &[Outcome]| other.is_empty() || (all_good(worked) && !all_good(other));
    match (good(vendor), good(ours)) {
        (true, false) if stands(vendor_again, ours_again) => DifferenceKind::Regression,
        (false, true) if stands(ours_again, vendor_again) => DifferenceKind::Better,
        (true, false) | (false, true) => DifferenceKind::Flaky,
        _ => DifferenceKind::Neither,
    }
}

/// Runs alone, on both, what passed with one of them only.
fn run_again(release: &'static Release, backend: Backend, differences: &mut [Difference]) -> Result<()> {
    let mut candidates: Vec<&mut Difference> =
        differences.iter_mut().filter(|difference| difference.kind != DifferenceKind::Neither).collect();
    if candidates.is_empty() || candidates.len() > MOST_RERUNS {
        return Ok(());
    }
    let ready = |flavour| environment::ensure_for(release, flavour, backend);
    let (vendor, ours) = (ready(Flavour::Vendor)?, ready(Flavour::Ours)?);
    let name = format!("{}{}-again.log", release.name(), backend.suffix());
    let log = results::folder().join("logs").join(name);
    let step =
        Step::start(format!("{}: running {} differing tests again, alone", release.name(), candidates.len()));
    for candidate in &mut candidates {
        step.note(&candidate.name);
        for _ in 0..RERUNS {
            candidate.ours_again.push(suite::run_alone(&ours, &candidate.name, &log)?);
            candidate.vendor_again.push(suite::run_alone(&vendor, &candidate.name, &log)?);
        }
        candidate.kind =
            kind(candidate.vendor, candidate.ours, &candidate.vendor_again, &candidate.ours_again);
    }
    let left = candidates.iter().filter(|candidate| candidate.kind == DifferenceKind::Regression).count();
    step.done(&format!("{left} fail with our {} only", release.loads()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Crashed, Failed, Passed, Skipped};
    use super::*;

    #[test]
    fn only_what_works_with_the_vendors_plugin_alone_is_a_regression() {
        assert_eq!(kind(Some(Passed), Some(Failed), &[], &[]), DifferenceKind::Regression);
        assert_eq!(kind(Some(Passed), Some(Skipped), &[], &[]), DifferenceKind::Regression);
        assert_eq!(kind(Some(Passed), None, &[], &[]), DifferenceKind::Regression);
        assert_eq!(kind(Some(Failed), Some(Passed), &[], &[]), DifferenceKind::Better);
        assert_eq!(kind(Some(Failed), Some(Crashed), &[], &[]), DifferenceKind::Neither);
    }

    #[test]
    fn a_test_is_flaky_when_it_passes_alone_or_fails_with_the_vendors_plugin_too() {
        let all = [Passed, Passed, Passed];
        let some = [Passed, Failed, Passed];
        assert_eq!(kind(Some(Passed), Some(Failed), &all, &all), DifferenceKind::Flaky);
        assert_eq!(kind(Some(Passed), Some(Failed), &some, &some), DifferenceKind::Flaky);
        assert_eq!(kind(Some(Passed), Some(Failed), &all, &some), DifferenceKind::Regression);
        assert_eq!(kind(Some(Failed), Some(Passed), &all, &all), DifferenceKind::Flaky);
        assert_eq!(kind(Some(Failed), Some(Passed), &some, &all), DifferenceKind::Better);
    }
}
