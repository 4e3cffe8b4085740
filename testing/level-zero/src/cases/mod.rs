//! The tests, one file per family.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

use crate::{Soft, fixture};

mod commands;
mod costs;
mod endurance;
pub mod faults;
mod intel;
mod kernels;
pub mod workload;

/// A named test, and the driver that it is for.
pub(crate) type Case = (&'static str, fn());

/// Runs the tests that the arguments ask for, one at a time: faults are the whole driver's. Without a driver, or with
/// another than a test is for, the test counts as ignored.
pub fn run(mut arguments: Arguments) -> ExitCode {
    arguments.test_threads = Some(1);
    let named = fixture::plugin_path().is_some();
    let soft = named && Soft::find().is_some();
    let trials = |cases: &[Case], here: bool| -> Vec<Trial> {
        let trial = |(name, case): &(&'static str, fn())| {
            let case = *case;
            let body = move || {
                case();
                Ok(())
            };
            Trial::test(*name, body).with_ignored_flag(!here)
        };
        cases.iter().map(trial).collect()
    };
    let mut all = Vec::new();
    for cases in [kernels::CASES, commands::CASES, costs::CASES, endurance::CASES, faults::CASES] {
        all.extend(trials(cases, soft));
    }
    all.extend(trials(intel::CASES, named && !soft));
    libtest_mimic::run(&arguments, all).exit_code()
}
