//! Runs the tests on the software driver: builds plugin, driver and kernels, and starts itself anew with them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod environment;

use std::env;
use std::process::ExitCode;

use environment::Environment;

/// Set for the run that has everything.
const READY: &str = "PI_TEST_ON_SOFTWARE_CUDA";

fn main() -> ExitCode {
    if env::var_os(READY).is_some() {
        return testing_cuda::cases::run(libtest_mimic::Arguments::from_args());
    }
    let mut command = Environment::new(&[]).command(&env::current_exe().unwrap());
    let status = command.args(env::args_os().skip(1)).env(READY, "1").status().unwrap();
    if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
