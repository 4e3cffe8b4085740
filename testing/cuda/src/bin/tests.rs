//! Runs the tests on the driver of this machine.

use std::process::ExitCode;

fn main() -> ExitCode {
    pi_cuda_tests::cases::run(libtest_mimic::Arguments::from_args())
}
