//! The tests, one file per family.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

use crate::{Soft, fixture};

mod command_buffers;
mod commands;
mod costs;
mod endurance;
pub mod faults;
mod intel;
mod kernels;
pub mod workload;

/// A named test.
pub(crate) type Case = (&'static str, fn());

/// Runs the tests that the arguments ask for, one at a time: faults are the whole driver's. The driver decides which;
/// without one all are there and count as ignored.
pub fn run(mut arguments: Arguments) -> ExitCode {
    arguments.test_threads = Some(1);
    let on_software = [
        kernels::CASES,
        commands::CASES,
        command_buffers::CASES,
        costs::CASES,
        endurance::CASES,
        faults::CASES,
    ]
    .concat();
    let ready = fixture::plugin_path().is_some();
    let cases = match (ready, Soft::find()) {
        (true, Some(_)) => on_software,
        (true, None) => intel::CASES.to_vec(),
        (false, _) => [on_software, intel::CASES.to_vec()].concat(),
    };
    let trial = |(name, case): Case| {
        let body = move || {
            case();
            Ok(())
        };
        Trial::test(name, body).with_ignored_flag(!ready)
    };
    libtest_mimic::run(&arguments, cases.into_iter().map(trial).collect()).exit_code()
}
