//! The Level Zero plugin without a GPU: on the software driver with the loader's validation layer, and on Intel's
//! own driver. The latter compiles and links for real devices, but executes nothing.

use std::ffi::OsString;

use anyhow::Result;
use sycl_pi_core::Version;

use crate::backend::Backend;
use crate::conformance::{self, object_counter, subject};
use crate::provision::level_zero::{self, IntelDriver};
use crate::provision::opencl::{self, Driver};
use crate::test::{clients, harness};
use crate::test_programs::Tests;
use crate::totals::{self, Totals};

/// The release whose stock runtime and client run on the plugin.
const RELEASE: &str = "2023.2.4";

/// The devices that Intel's driver simulates: the product, the driver's own settings, and what the tests then
/// expect.
const DEVICES: [(&str, &[Setting], &[Setting]); 4] = [
    ("skl", &[], &[]),
    ("tgllp", &[], &[]),
    ("tgllp", &[("CreateMultipleRootDevices", "2")], &[("PI_TEST_ROOTS", "2")]),
    ("tgllp", &[("CreateMultipleSubDevices", "2")], &[("PI_TEST_PARTS", "2")]),
];

/// Two devices of the software driver with parts, whose engines for copies come first.
const PARTS: [Setting; 3] =
    [("PI_SOFT_ZE_DEVICES", "2"), ("PI_SOFT_ZE_SUBDEVICES", "2"), ("PI_SOFT_ZE_COPY_FIRST", "1")];

type Setting = (&'static str, &'static str);

/// Runs all of them.
pub(crate) fn run() -> Result<Totals> {
    let software = software()?;
    let mut sum = tests("on the software driver", &software)?;
    let in_order = keeping_order(&software);
    // Commands that are not ordered run in another order than they were appended.
    let reordering = software.clone().into_iter().chain([("PI_SOFT_ZE_REORDER", OsString::from("1"))]);
    sum += harness::conformance(
        "the Level Zero plugin on the software driver, which reorders what it may",
        &Backend::LevelZero.our_plugin(),
        &[Version::NEWEST.text()],
        None,
        reordering,
    )?;
    let parts: Vec<_> =
        in_order.iter().cloned().chain(PARTS.map(|(name, value)| (name, value.into()))).collect();
    sum += tests("on the software driver, which keeps lists in order, on devices with parts", &parts)?;
    // Several devices with sub-devices, which some cases need.
    let devices = ["PI_SOFT_ZE_DEVICES", "PI_SOFT_ZE_SUBDEVICES"].map(|name| (name, OsString::from("2")));
    let what = "the Level Zero plugin on the software driver";
    sum += harness::conformance(
        what,
        &Backend::LevelZero.our_plugin(),
        &conformance::versions(what, "level-zero", 1),
        Some(&object_counter::of(&subject::software_level_zero()?)?),
        software.into_iter().chain(devices),
    )?;
    let what_in_order = "the Level Zero plugin on the software driver, which keeps lists in order";
    sum += harness::conformance(
        what_in_order,
        &Backend::LevelZero.our_plugin(),
        &conformance::version(what_in_order, "level-zero", 2),
        None,
        in_order.iter().cloned(),
    )?;
    sum += harness::without_options(what, &Backend::LevelZero.our_plugin(), "12.27", in_order)?;
    let intel = level_zero::ensure_intel()?;
    for device in DEVICES {
        sum += on_intel(&intel, device)?;
    }
    // A sample. `testing/clients/clients.py --backend level-zero` runs the whole suites.
    sum += clients::dpctl(RELEASE, Backend::LevelZero, "dpctl/tests/test_sycl_")?;
    Ok(sum)
}

/// Returns the variables of the software driver on Intel's CPU runtime, with the loader's checks.
fn software() -> Result<Vec<(&'static str, OsString)>> {
    let environment = opencl::ensure(Driver::Intel2023)?;
    let mut variables: Vec<(&'static str, OsString)> =
        environment.variables().map(|(name, value)| (name, value.clone())).collect();
    variables.extend(level_zero::software_variables()?);
    variables.extend(level_zero::validation_variables());
    Ok(variables)
}

/// Returns the same for newer drivers, without the checks that do not support them, and with as many sub-slices as
/// a queue has lists.
fn keeping_order(software: &[(&'static str, OsString)]) -> Vec<(&'static str, OsString)> {
    let known = software.iter().filter(|(name, _)| *name != "ZE_ENABLE_PARAMETER_VALIDATION").cloned();
    let (name, minor) = level_zero::KEEPS_ORDER;
    known.chain([(name, minor.into()), ("PI_SOFT_ZE_SUBSLICES", "4".into())]).collect()
}

/// Runs `testing/level-zero` in one environment.
fn tests(driver: &str, variables: &[(&'static str, OsString)]) -> Result<Totals> {
    let tests = Tests::named("testing-level-zero", "level_zero")?
        .env("PI_TEST_PLUGIN", Backend::LevelZero.our_plugin())
        .envs(variables.iter().map(|(name, value)| (*name, value)));
    totals::step(format!("the Level Zero plugin's tests {driver}"), || tests.run())
}

fn on_intel(
    driver: &IntelDriver,
    (product, switches, expected): (&str, &[Setting], &[Setting]),
) -> Result<Totals> {
    let mut variables = driver.variables(product, switches);
    variables.extend(expected.iter().map(|(name, value)| (*name, OsString::from(value))));
    let more: Vec<String> = switches.iter().map(|(name, value)| format!(", {name}={value}")).collect();
    tests(&format!("on Intel's driver as {product}{}", more.concat()), &variables)
}
