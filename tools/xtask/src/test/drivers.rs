//! The OpenCL plugin's integration tests on every OpenCL driver that needs no GPU.

use std::path::Path;

use anyhow::{Result, bail};

use crate::provision::environment::{self, Flavour};
use crate::provision::opencl::{self, Driver};
use crate::provision::python;
use crate::releases;
use crate::test_programs::Tests;
use crate::totals::{self, Totals};
use crate::workspace;

/// The release whose plugin answers the same device queries, for comparison.
const VENDOR: &str = "2023.2.4";

/// Runs `testing/opencl` on each driver, and the tests of the software Level Zero driver.
pub(crate) fn run() -> Result<Totals> {
    // One test also opens each driver with Debian's library.
    install_library("libOpenCL.so.1", "ocl-icd-libopencl1")?;
    let mut sum = Totals::default();
    for driver in [Driver::Intel2023, Driver::IntelCurrent, Driver::Pocl] {
        sum += on(driver)?;
    }
    sum += software_level_zero()?;
    Ok(sum)
}

/// Runs `testing/opencl` on one driver.
pub(crate) fn on(driver: Driver) -> Result<Totals> {
    let environment = opencl::ensure(driver)?;
    let tests = Tests::of("testing-opencl")?;
    let mut tests =
        tests.env("PI_TEST_PLUGIN", workspace::our_plugin()).env("PI_TEST_DRIVER", driver.to_string());
    if driver == Driver::Intel2023 {
        let Ok(release) = releases::find(VENDOR) else { bail!("release {VENDOR} is not known") };
        tests = tests.env("PI_VENDOR_PLUGIN", environment::ensure(release, Flavour::Vendor)?.plugin());
    }
    let tests = tests.envs(environment.variables());
    totals::step(format!("the OpenCL plugin on {driver}"), || tests.run())
}

/// Installs a library of Debian if it is missing.
fn install_library(file: &str, package: &str) -> Result<()> {
    if Path::new("/usr/lib/x86_64-linux-gnu").join(file).exists() {
        return Ok(());
    }
    python::install_debian_packages(&[package])
}

/// Tests the software Level Zero driver under the stock loader, with kernels that run on Intel's CPU runtime.
fn software_level_zero() -> Result<Totals> {
    install_library("libze_loader.so.1", "libze1")?;
    let environment = opencl::ensure(Driver::Intel2023)?;
    let tests = Tests::of("software-level-zero")?.arg("--include-ignored").envs(environment.variables());
    totals::step("the software Level Zero driver", || tests.run())
}
