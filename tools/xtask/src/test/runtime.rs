//! The runtime on real drivers: every image and every behaviour, with each of our plugins that has a driver here.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;

use crate::backend::Backend;
use crate::provision::level_zero;
use crate::provision::opencl::{self, Driver};
use crate::sample;
use crate::test_programs::Tests;
use crate::totals::{self, Totals};
use crate::workspace;

/// Runs the tests of `runtime/loader` and `runtime/runtime` that need a driver, once per stack.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = Totals::default();
    let drivers = [Driver::Intel2023, Driver::IntelCurrent];
    for driver in sample::of_the_day("the runtime through the OpenCL plugin", "runtime", &drivers, 1, 0) {
        let environment = opencl::ensure(driver)?;
        let variables = environment.variables().map(|(name, value)| (name, value.clone())).collect();
        sum += on(&format!("the OpenCL plugin with {driver}"), workspace::our_plugin(), variables)?;
    }
    sum += on_level_zero()?;
    Ok(sum)
}

/// Tests our Level Zero plugin on the software driver, whose kernels run on Intel's CPU runtime.
fn on_level_zero() -> Result<Totals> {
    let environment = opencl::ensure(Driver::IntelCurrent)?;
    let mut variables: Vec<(&str, OsString)> =
        environment.variables().map(|(name, value)| (name, value.clone())).collect();
    variables.extend(level_zero::software_variables()?);
    // From version 26 on, drivers return the addresses of variables in modules that are linked later without a flag.
    variables.push(("PI_SOFT_ZE_TAKE_ADDRESS", "0".into()));
    // The contents of each device of a context are only visible with two devices.
    variables.push(("PI_SOFT_ZE_DEVICES", "2".into()));
    let plugin = Backend::LevelZero.our_plugin();
    on("the Level Zero plugin with the software driver", plugin, variables)
}

fn on(stack: &str, plugin: PathBuf, variables: Vec<(&str, OsString)>) -> Result<Totals> {
    let mut sum = Totals::default();
    for (part, tests) in [
        ("the loader", Tests::named("sycl-pi-loader", "handshake")?.arg("--ignored")),
        ("the runtime", Tests::named("sycl-pi-runtime", "driver")?),
    ] {
        let tests = tests.env("PI_TEST_PLUGIN", &plugin);
        let tests = tests.envs(variables.iter().map(|(name, value)| (*name, value)));
        sum += totals::step(format!("{part} through {stack}"), || tests.run())?;
    }
    Ok(sum)
}
