//! The runtime on real drivers: every image and every behaviour, through each of our plugins that has a driver here.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;

use crate::backend::Backend;
use crate::process;
use crate::provision::level_zero;
use crate::provision::opencl::{self, Driver};
use crate::test::tally::Tally;
use crate::ui::Step;
use crate::workspace;

/// Runs the tests of `runtime/runtime` that need a driver, once per stack.
pub(crate) fn run() -> Result<Tally> {
    let mut total = Tally::default();
    for driver in [Driver::Intel2023, Driver::IntelCurrent] {
        let environment = opencl::ensure(driver)?;
        let variables = environment.variables().map(|(name, value)| (name, value.clone())).collect();
        total += on(&format!("the OpenCL plugin with {driver}"), workspace::our_plugin(), variables)?;
    }
    total += on_level_zero()?;
    Ok(total)
}

/// Our Level Zero plugin on the software driver, whose kernels run on Intel's CPU runtime.
fn on_level_zero() -> Result<Tally> {
    let environment = opencl::ensure(Driver::IntelCurrent)?;
    let mut variables: Vec<(&str, OsString)> =
        environment.variables().map(|(name, value)| (name, value.clone())).collect();
    variables.extend(level_zero::software_variables()?);
    // As drivers from version 26 on: modules that are linked later need no flag for the addresses of their variables.
    variables.push(("PI_SOFT_ZE_TAKE_ADDRESS", "0".into()));
    let plugin = Backend::LevelZero.our_plugin();
    on("the Level Zero plugin with the software driver", plugin, variables)
}

fn on(stack: &str, plugin: PathBuf, variables: Vec<(&str, OsString)>) -> Result<Tally> {
    let step = Step::start(format!("the runtime through {stack}"));
    let mut command = process::cargo();
    command.args(["test", "--package", "sycl-pi-runtime", "--test", "driver"]).env("PI_TEST_PLUGIN", plugin);
    let tally = Tally::of_tests(command.envs(variables))?;
    step.done(&tally.to_string());
    Ok(tally)
}
