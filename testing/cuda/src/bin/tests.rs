//! Runs the tests on the driver of this machine.

use std::process::ExitCode;

fn main() -> ExitCode {
    testing_cuda::cases::run(libtest_mimic::Arguments::from_args())
}
