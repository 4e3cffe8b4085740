//! The tests that `cargo test` runs.

use anyhow::Result;

use crate::process;
use crate::test::tally::Tally;
use crate::ui::Step;
use crate::workspace;

/// Unit, golden and documentation tests; those that need a driver come with the drivers.
pub(crate) fn run() -> Result<Tally> {
    let step = Step::start("unit, golden and documentation tests");
    let mut command = process::cargo();
    command.args([
        "test",
        "--workspace",
        "--exclude",
        "testing-opencl",
        "--exclude",
        "testing-images",
        "--exclude",
        "software-level-zero",
        "--exclude",
        "testing-level-zero",
        "--exclude",
        "testing-cuda",
        "--no-fail-fast",
    ]);
    command.env("PI_TEST_PLUGIN", workspace::our_plugin());
    let tally = Tally::of_tests(&mut command)?;
    step.done(&tally.to_string());
    Ok(tally)
}
