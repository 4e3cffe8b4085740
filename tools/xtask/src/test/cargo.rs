//! The tests that `cargo test` runs without a driver.

use std::process::Command;

use anyhow::Result;

use crate::check;
use crate::packages;
use crate::process;
use crate::script;
use crate::test_programs::{self, Tests};
use crate::totals::{self, Totals};
use crate::workspace;

/// Packages whose tests need a driver or NVIDIA's files. Other parts run them.
const NEED_MORE: [&str; 7] = [
    "testing-opencl",
    "testing-images",
    "software-level-zero",
    "testing-level-zero",
    "testing-cuda",
    "testing-nvvm",
    "pi-nvvm",
];

/// Unit, golden and documentation tests of every package, and the tests of scripts.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = Totals::of_one(check::one("targets"));
    sum += totals::step("unit and golden tests", || {
        let tests = Tests::without(&NEED_MORE)?.env("PI_TEST_PLUGIN", workspace::our_plugin());
        // The runtime's tests on a driver are a separate part.
        tests.env("PI_TEST_WITHOUT_DRIVER", "1").run()
    })?;
    sum += step("tests of this program", process::cargo().args(["test", "--package", test_programs::XTASK]))?;
    let mut examples = process::cargo();
    examples.args(["test", "--doc", "--no-fail-fast", "--workspace"]).args(test_programs::excluded());
    sum += step("examples of the documentation", &mut examples)?;
    sum += script::run("testing/unit_tests.py", &[])?;
    Ok(sum)
}

/// Unit tests of the packages that are shipped.
pub(crate) fn unit_tests_of_the_product() -> Result<Totals> {
    let product = packages::all()?.into_iter().filter(|package| package.is_product());
    let mut command = process::cargo();
    command.args(["test", "--lib", "--bins", "--no-fail-fast"]);
    command.args(product.flat_map(|package| ["--package".to_owned(), package.name]));
    step("unit tests of the product", &mut command)
}

fn step(title: &str, command: &mut Command) -> Result<Totals> {
    totals::step(title, || Totals::of_tests(command.env("PI_TEST_PLUGIN", workspace::our_plugin())))
}
