//! The tests, one file per family.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

mod basics;
mod calls;
mod command_buffers;
mod commands;
mod devices;
mod images;
mod kernels;
mod life;
mod missing;
mod runtime;
mod sweep;

/// A named test.
pub(crate) type Case = (&'static str, fn());

/// Runs the tests that the arguments ask for, one at a time: some break a context on purpose.
pub fn run(mut arguments: Arguments) -> ExitCode {
    if let Some(code) = missing::child() {
        return code;
    }
    arguments.test_threads = Some(1);
    let cases = [
        basics::CASES,
        commands::CASES,
        devices::CASES,
        kernels::CASES,
        command_buffers::CASES,
        images::CASES,
        runtime::CASES,
        calls::CASES,
        sweep::CASES,
        missing::CASES,
        life::CASES,
    ]
    .concat();
    let trials = cases.into_iter().map(|(name, case)| {
        Trial::test(name, move || {
            case();
            Ok(())
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
