//! Runs the tests on the software driver. Builds the plugin, the driver and the kernels, and restarts itself with
//! them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod environment;

use std::env;
use std::process::ExitCode;

use environment::Environment;

/// The variable that marks the restarted process.
const READY: &str = "PI_TEST_ON_SOFTWARE_CUDA";

fn main() -> ExitCode {
    if env::var_os(READY).is_some() {
        return testing_cuda::cases::run(libtest_mimic::Arguments::from_args());
    }
    let mut command = Environment::new(&[]).command(&env::current_exe().unwrap());
    let status = command.args(env::args_os().skip(1)).env(READY, "1").status().unwrap();
    if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
