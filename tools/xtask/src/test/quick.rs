//! `cargo xtask test --quick`: a first result.

use anyhow::Result;

use crate::backend::Backend;
use crate::check;
use crate::provision::opencl::{self, Driver};
use crate::release;
use crate::test::{cargo, clients, drivers, harness};
use crate::totals::Totals;
use crate::workspace;

/// The driver of the tests.
const DRIVER: Driver = Driver::Intel2023;
/// The release whose stock runtime and client are used, and its PI version.
const RELEASE: (&str, &str) = ("2023.2.4", "12.27");
/// A file of dpctl's suite that creates queues, copies memory and runs kernels.
const CLIENT_TESTS: &str = "test_sycl_kernel_submit";

/// Runs one sample of each kind of test.
pub(crate) fn run() -> Result<Totals> {
    let (release, pi_version) = RELEASE;
    release::build(&["pi_opencl", "pi", "pi-conformance"])?;
    let mut sum = Totals::of_one(check::one("format"));
    sum += cargo::unit_tests_of_the_product()?;
    sum += drivers::on(DRIVER)?;
    let environment = opencl::ensure(DRIVER)?;
    let variables = environment.variables().map(|(name, value)| (name, value.clone()));
    let what = format!("the OpenCL plugin at PI {pi_version} on {DRIVER}");
    sum += harness::conformance(&what, &workspace::our_plugin(), &[pi_version], None, variables)?;
    sum += clients::dpctl(release, Backend::OpenCl, CLIENT_TESTS)?;
    Ok(sum)
}
