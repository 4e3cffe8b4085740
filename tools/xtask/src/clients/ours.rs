//! A suite on our plugin or adapter only. The vendor's runs just the tests that did not pass.

use anyhow::Result;

use crate::backend::Backend;
use crate::clients::results::{self, Outcome};
use crate::clients::suite;
use crate::plugin;
use crate::provision::environment::{self, Environment, Flavour};
use crate::provision::level_zero;
use crate::releases::Release;
use crate::totals::Totals;

/// Test processes at a time.
const JOBS: usize = 2;

/// Runs the suite, or of it the files whose path contains `only`. A test that does not pass runs alone again, there and on the
/// vendor's. It counts as failed if it passes there only, and as skipped if it passes on neither. The second result is a
/// remark for each such test.
pub(crate) fn run_on_ours(
    release: &'static Release,
    backend: Backend,
    only: Option<&str>,
) -> Result<(Totals, Vec<String>)> {
    let ours = plugin::environment(release, backend, None)?;
    let checks = match backend {
        Backend::OpenCl | Backend::Cuda => Vec::new(),
        Backend::LevelZero => level_zero::validation_variables(),
    };
    let ours = ours.with(checks);
    run_in(release, &ours, only)
}

/// As [`run_on_ours`], in an environment that has ours in its place.
pub(crate) fn run_in(
    release: &'static Release,
    ours: &Environment,
    only: Option<&str>,
) -> Result<(Totals, Vec<String>)> {
    let backend = ours.backend();
    let result = suite::run(release, Flavour::Ours, ours, JOBS, only, 1)?;
    let mut totals = Totals::default();
    let mut remarks = Vec::new();
    let log = results::folder().join("logs").join("again.log");
    for (name, test) in &result.tests {
        match test.outcome {
            Outcome::Passed | Outcome::Xpassed => totals.passed += 1,
            Outcome::Skipped | Outcome::Xfailed => totals.skipped += 1,
            bad => {
                let vendor = environment::ensure_for(release, Flavour::Vendor, backend)?;
                if suite::run_alone(ours, name, &log)?.is_good() {
                    totals.passed += 1;
                    remarks.push(format!("{name}: {bad} in the suite, passed alone"));
                } else if suite::run_alone(&vendor, name, &log)?.is_good() {
                    totals.failed += 1;
                    remarks.push(format!("{name}: {bad} with our {} only: {}", release.loads(), test.why));
                } else {
                    totals.skipped += 1;
                    remarks.push(format!("{name}: {bad} with ours and with the vendor's"));
                }
            }
        }
    }
    Ok((totals, remarks))
}
