//! The OpenCL plugin's integration tests on every OpenCL driver that needs no GPU.

use std::path::Path;

use anyhow::{Result, bail};

use crate::provision::environment::{self, Flavour};
use crate::provision::opencl::{self, Driver};
use crate::provision::python;
use crate::releases;
use crate::sample;
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
    sum += coarse()?;
    sum += rewritten()?;
    sum += rewrites()?;
    sum += software_level_zero()?;
    Ok(sum)
}

/// Tests USM on a driver that has only coarse-grained shared virtual memory. Commands are complete when they return
/// there, so tests that hold commands up cannot run.
fn coarse() -> Result<Totals> {
    let driver = Driver::IntelCoarse;
    let environment = opencl::ensure(driver)?;
    totals::step(format!("USM on {driver}"), || {
        let mut sum = Totals::default();
        for filter in ["usm_turns", "without_usm_shared_virtual_memory_stands_in"] {
            let tests = Tests::named("testing-opencl", "opencl")?.arg(filter).arg("--include-ignored");
            let tests = tests
                .env("PI_TEST_PLUGIN", workspace::our_plugin())
                .env("PI_TEST_DRIVER", driver.to_string());
            sum += tests.envs(environment.variables()).run()?;
        }
        Ok(sum)
    })
}

/// Tests the rewrites for other drivers with small kernels, on a driver that needs none of them.
fn rewritten() -> Result<Totals> {
    let environment = opencl::ensure(Driver::IntelCurrent)?;
    let tests = Tests::named("testing-legalize", "drivers")?.arg("--ignored").envs(environment.variables());
    totals::step("rewritten kernels", || tests.run())
}

/// Small kernels on a driver for which SPIR-V is rewritten, another one each day: with the rewrites all are right, and
/// without the one that each needs it is not. A kernel that cannot be rewritten is refused with its reason.
fn rewrites() -> Result<Totals> {
    const REFUSED: &str = "kernel::one_that_the_driver_cannot_have_is_refused_with_the_reason";
    let all = [Driver::Pocl6, Driver::Pocl7, Driver::Rusticl25, Driver::Rusticl26];
    let (made, missing) = opencl::in_roots(&all);
    let mut sum = totals::without_root("rewrites", &missing);
    for driver in sample::of_the_day("rewrites of SPIR-V for OpenCL drivers", "drivers", &made, 1, 0) {
        let environment = opencl::ensure(driver)?;
        let kernels = Tests::named("testing-legalize", "drivers")?.arg("--ignored");
        let refused = Tests::named("testing-opencl", "opencl")?
            .env("PI_TEST_PLUGIN", workspace::our_plugin())
            .arg(REFUSED);
        sum += totals::step(format!("rewrites on {driver}"), || {
            let mut sum = Totals::default();
            for tests in [kernels, refused] {
                sum += tests.envs(environment.variables()).behind(environment.launcher()).run()?;
            }
            Ok(sum)
        })?;
    }
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
