//! Named tests.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// A named test.
pub type Case = (&'static str, fn());

/// Runs the tests that the arguments ask for, one at a time: faults are the whole driver's, and some break a context on
/// purpose. Those that `is_missing` names count as ignored.
pub fn run(mut arguments: Arguments, cases: Vec<Case>, is_missing: impl Fn(&str) -> bool) -> ExitCode {
    arguments.test_threads = Some(1);
    let trial = |(name, case): Case| {
        let body = move || {
            case();
            Ok(())
        };
        Trial::test(name, body).with_ignored_flag(is_missing(name))
    };
    libtest_mimic::run(&arguments, cases.into_iter().map(trial).collect()).exit_code()
}
