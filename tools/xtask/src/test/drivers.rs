//! The plugin's integration tests on every OpenCL driver that needs no GPU.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;
use crate::provision::environment::{self, Flavour};
use crate::provision::opencl::{self, Driver};
use crate::provision::python;
use crate::releases;
use crate::test::tally::Tally;
use crate::ui::Step;
use crate::workspace;

/// Which of the vendor's plugins the device queries are compared with here.
const VENDOR: &str = "2023.2.4";

/// Runs `testing/opencl` twice per driver: with texts asked for, and as runtimes do, which do not and whose calls jump to
/// the driver then.
pub(crate) fn run() -> Result<Tally> {
    let mut total = Tally::default();
    for driver in [Driver::Intel2023, Driver::IntelCurrent, Driver::Pocl] {
        total += on(driver, "asked")?;
        total += on(driver, "never")?;
    }
    total += software_level_zero()?;
    Ok(total)
}

/// The software Level Zero driver under the stock loader, with kernels that run on Intel's CPU runtime.
fn software_level_zero() -> Result<Tally> {
    if !Path::new("/usr/lib/x86_64-linux-gnu/libze_loader.so.1").exists() {
        python::install_debian_packages(&["libze1"])?;
    }
    let environment = opencl::ensure(Driver::Intel2023)?;
    let step = Step::start("the software Level Zero driver");
    let mut command = cargo_test("software-level-zero");
    command.args(["--", "--include-ignored"]);
    let tally = Tally::of_tests(command.envs(environment.variables()))?;
    step.done(&tally.to_string());
    Ok(tally)
}

fn cargo_test(package: &str) -> Command {
    let mut command = process::cargo();
    command.args(["test", "--package", package]);
    command
}

fn on(driver: Driver, texts: &str) -> Result<Tally> {
    let environment = opencl::ensure(driver)?;
    let step = Step::start(format!("the OpenCL plugin on {driver}, texts: {texts}"));
    let mut command = cargo_test("testing-opencl");
    command.env("PI_TEST_PLUGIN", workspace::our_plugin()).env("PI_TEST_DRIVER", driver.to_string());
    command.env("PI_TEST_TEXTS", texts);
    if driver == Driver::Intel2023 {
        let Ok(release) = releases::find(VENDOR) else { bail!("release {VENDOR} is not known") };
        command.env("PI_VENDOR_PLUGIN", environment::ensure(release, Flavour::Vendor)?.plugin());
    }
    let tally = Tally::of_tests(command.envs(environment.variables()))?;
    step.done(&tally.to_string());
    Ok(tally)
}
