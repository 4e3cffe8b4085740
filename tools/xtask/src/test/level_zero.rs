//! The Level Zero plugin without a GPU: on the software driver with the loader's validation layer, and on Intel's own
//! driver, which compiles and links for real devices and executes nothing.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};

use crate::backend::Backend;
use crate::clients;
use crate::plugin;
use crate::process;
use crate::provision::level_zero::{self, IntelDriver};
use crate::provision::opencl::{self, Driver};
use crate::releases;
use crate::test::tally::Tally;
use crate::ui::Step;
use crate::workspace;

/// The release whose stock runtime and client run on the plugin here.
const RELEASE: &str = "2023.2.4";

/// What Intel's driver is told to be: product, its own switches, and what the tests expect of that.
const DEVICES: [(&str, &[Setting], &[Setting]); 4] = [
    ("skl", &[], &[]),
    ("tgllp", &[], &[]),
    ("tgllp", &[("CreateMultipleRootDevices", "2")], &[("PI_TEST_ROOTS", "2")]),
    ("tgllp", &[("CreateMultipleSubDevices", "2")], &[("PI_TEST_PARTS", "2")]),
];

type Setting = (&'static str, &'static str);

/// Runs everything there is for this plugin.
pub(crate) fn run() -> Result<Tally> {
    plugin::build_for(Backend::LevelZero)?;
    let software = software()?;
    let mut total = tests("on the software driver", &software)?;
    total += conformance(&software)?;
    let intel = level_zero::ensure_intel()?;
    for device in DEVICES {
        total += on_intel(&intel, device)?;
    }
    total += client()?;
    Ok(total)
}

/// The software driver on Intel's CPU runtime, with the loader's checks.
fn software() -> Result<Vec<(&'static str, OsString)>> {
    let environment = opencl::ensure(Driver::Intel2023)?;
    let mut variables: Vec<(&'static str, OsString)> =
        environment.variables().map(|(name, value)| (name, value.clone())).collect();
    variables.extend(level_zero::software_variables()?);
    variables.extend(level_zero::validation_variables());
    Ok(variables)
}

/// `testing/level-zero` in one environment.
fn tests(place: &str, variables: &[(&'static str, OsString)]) -> Result<Tally> {
    let step = Step::start(format!("the Level Zero plugin's tests {place}"));
    let mut command = process::cargo();
    command.args(["test", "--package", "pi-level-zero-tests", "--test", "level_zero"]);
    command.env("PI_TEST_PLUGIN", Backend::LevelZero.our_plugin());
    let output = command.envs(variables.iter().cloned()).stdin(Stdio::null()).output()?;
    let tally = tally_of(&output, &String::from_utf8_lossy(&output.stdout));
    step.done(&tally.to_string());
    Ok(tally)
}

fn on_intel(
    driver: &IntelDriver,
    (product, switches, expected): (&str, &[Setting], &[Setting]),
) -> Result<Tally> {
    let mut variables = driver.variables(product, switches);
    variables.extend(expected.iter().map(|(name, value)| (*name, OsString::from(value))));
    let more: Vec<String> = switches.iter().map(|(name, value)| format!(", {name}={value}")).collect();
    tests(&format!("on Intel's driver as {product}{}", more.concat()), &variables)
}

/// The conformance harness, at every PI version.
fn conformance(variables: &[(&'static str, OsString)]) -> Result<Tally> {
    let mut build = process::cargo();
    build.args(["build", "--release", "--package", "pi-conformance", "--target-dir"]);
    process::output(build.arg(workspace::target()))?;
    let step = Step::start("conformance of the Level Zero plugin on the software driver");
    let harness: PathBuf = workspace::target().join("release").join("pi-conformance");
    let output = Command::new(harness)
        .arg(Backend::LevelZero.our_plugin())
        .arg("--strict")
        .envs(variables.iter().cloned())
        // Several devices with parts: some cases are about them.
        .envs([("PI_SOFT_ZE_DEVICES", "2"), ("PI_SOFT_ZE_SUBDEVICES", "2")])
        .stdin(Stdio::null())
        .output()
        .context("pi-conformance could not be started")?;
    let text = String::from_utf8_lossy(&output.stdout);
    // The last line is the sum of those before it.
    let tally = tally_of(&output, text.lines().last().unwrap_or_default());
    step.done(&tally.to_string());
    Ok(tally)
}

/// dpctl's whole suite on a stock libsycl.
fn client() -> Result<Tally> {
    let Ok(release) = releases::find(RELEASE) else { bail!("release {RELEASE} is not known") };
    let step =
        Step::start(format!("dpctl's suite on the stock libsycl of {RELEASE} with our Level Zero plugin"));
    let judged = clients::judge_ours(release, Backend::LevelZero)?;
    for line in &judged.remarks {
        println!("{RELEASE}: {line}");
    }
    let tally = Tally { passed: judged.passed, failed: judged.failed, skipped: judged.skipped };
    step.done(&tally.to_string());
    Ok(tally)
}

/// Counts, and shows the end of the output where something failed or nothing ran.
fn tally_of(output: &Output, text: &str) -> Tally {
    let mut tally = Tally::of_output(text);
    if !output.status.success() || tally.passed == 0 {
        println!("{}", process::tail(output, 80));
        tally.failed = tally.failed.max(1);
    }
    tally
}
