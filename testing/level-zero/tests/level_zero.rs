//! Runs the tests. `cargo xtask test --only level-zero` provides the drivers; without one, every test counts as ignored.

use std::process::ExitCode;

use testing_level_zero::cases;

fn main() -> ExitCode {
    if std::env::var_os(cases::faults::CHILD).is_some() {
        return cases::faults::child();
    }
    if std::env::var_os(cases::unified_runtime::CHILD).is_some() {
        return cases::unified_runtime::child();
    }
    cases::run(libtest_mimic::Arguments::from_args())
}
