//! Our plugin's run of a suite, where the vendor's plugin is asked only about the tests that did not pass.

use anyhow::Result;

use crate::backend::Backend;
use crate::clients::results::Outcome;
use crate::clients::suite;
use crate::plugin;
use crate::provision::environment::{self, Flavour};
use crate::provision::level_zero;
use crate::releases::Release;

/// What a suite's run on our plugin comes to.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// Skipped by the client, or failing on the vendor's plugin as well.
    pub(crate) skipped: usize,
    /// What is worth saying about tests that did not pass.
    pub(crate) remarks: Vec<String>,
}

/// Test processes at a time.
const JOBS: usize = 2;

/// Runs the suite on our plugin; each test that does not pass runs alone again, there and on the vendor's plugin.
pub(crate) fn judge_ours(release: &'static Release, backend: Backend) -> Result<Judged> {
    let ours = environment::ensure_for(release, Flavour::Ours, backend)?;
    plugin::install(ours.root(), &backend.our_plugin(), &ours.plugin())?;
    let checks = match backend {
        Backend::OpenCl => Vec::new(),
        Backend::LevelZero => level_zero::validation_variables(),
    };
    let ours = ours.with(checks);
    let result = suite::run(release, Flavour::Ours, &ours, JOBS, None)?;
    let mut judged = Judged::default();
    let log = super::results::folder().join("logs").join("judge.log");
    for (name, test) in &result.tests {
        match test.outcome {
            Outcome::Passed | Outcome::Xpassed => judged.passed += 1,
            Outcome::Skipped | Outcome::Xfailed => judged.skipped += 1,
            bad => {
                let vendor = environment::ensure_for(release, Flavour::Vendor, backend)?;
                if suite::run_alone(&ours, name, &log)?.is_good() {
                    judged.passed += 1;
                    judged.remarks.push(format!("{name}: {bad} in the suite, passed alone"));
                } else if suite::run_alone(&vendor, name, &log)?.is_good() {
                    judged.failed += 1;
                    judged.remarks.push(format!("{name}: {bad} with our plugin only: {}", test.why));
                } else {
                    judged.skipped += 1;
                    judged.remarks.push(format!("{name}: {bad} with our plugin and with the vendor's"));
                }
            }
        }
    }
    Ok(judged)
}
