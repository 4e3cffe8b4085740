//! The tests that `cargo test` runs without a driver.

use std::process::Command;

use anyhow::Result;

use crate::check;
use crate::packages;
use crate::process;
use crate::script;
use crate::totals::{self, Totals};
use crate::workspace;

/// Packages whose tests need a driver. Other parts run them.
const NEED_DRIVERS: [&str; 5] =
    ["testing-opencl", "testing-images", "software-level-zero", "testing-level-zero", "testing-cuda"];

/// Unit, golden and documentation tests of every package, and the tests of scripts.
pub(crate) fn run() -> Result<Totals> {
    let mut command = process::cargo();
    command.args(["test", "--workspace", "--no-fail-fast"]);
    command.args(NEED_DRIVERS.iter().flat_map(|package| ["--exclude", package]));
    let mut sum = Totals::of_one(check::one("targets"));
    sum += step("unit, golden and documentation tests", command)?;
    sum += script::run("testing/unit_tests.py", &[])?;
    Ok(sum)
}

/// Unit tests of the packages that are shipped.
pub(crate) fn unit_tests_of_the_product() -> Result<Totals> {
    let product = packages::all()?.into_iter().filter(|package| package.is_product());
    let mut command = process::cargo();
    command.args(["test", "--lib", "--bins", "--no-fail-fast"]);
    command.args(product.flat_map(|package| ["--package".to_owned(), package.name]));
    step("unit tests of the product", command)
}

fn step(title: &str, mut command: Command) -> Result<Totals> {
    totals::step(title, || Totals::of_tests(command.env("PI_TEST_PLUGIN", workspace::our_plugin())))
}
