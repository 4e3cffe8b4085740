//! The wheel in the environment of a stock release: dpctl's tests run on what it brought, and nothing of it stays.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::wheel::{Target, differences, of_nobody, outcome, said};
use crate::backend::Backend;
use crate::dist::Built;
use crate::process;
use crate::provision::environment::{self, Environment, Flavour};
use crate::releases::{self, Release};
use crate::test::clients;
use crate::totals::Totals;
use crate::workspace;

/// A release with plugins, and one with adapters.
pub(super) const VERSIONS: [&str; 2] = ["2024.2.2", "2025.3.3"];

/// The files of dpctl's suite that run: they create queues, copy memory and run kernels.
const SUITE: &str = "dpctl/tests/test_sycl_queue";

/// Runs the test on one release.
pub(super) fn run(version: &str, built: &Built, wheel: &Path) -> Result<Totals> {
    let release = releases::find_any(version).map_err(anyhow::Error::msg)?;
    let vendor = environment::ensure(release, Flavour::Vendor)?;
    let scratch = tempfile::tempdir_in(workspace::target())?;
    let ours = vendor.copy_to(&scratch.path().join("environment"))?;
    let target = Target::new(ours.root());
    let mut sum = used(release, &ours, &target, built, wheel)?;
    // They run in this order.
    for (what, done) in [
        ("pi bench", compared(&ours, built, scratch.path())),
        ("pi uninstall, then pip uninstall", in_order(&target).and_then(|()| is_as_before(&vendor, &ours))),
        (
            "pip uninstall, then pi uninstall",
            in_wrong_order(&ours, &target, built, wheel).and_then(|()| is_as_before(&vendor, &ours)),
        ),
    ] {
        if let Err(error) = &done {
            println!("{version}, {what}: {error:#}");
        }
        sum += Totals::of_one(done.is_ok());
    }
    Ok(sum)
}

/// Installs the wheel, and ours from it. The suite's own proof is /proc/self/maps: each process loaded this one file.
fn used(
    release: &'static Release,
    ours: &Environment,
    target: &Target,
    built: &Built,
    wheel: &Path,
) -> Result<Totals> {
    target.pip_install(wheel)?;
    process::output(&mut target.pi(&["install"]))?;
    process::output(&mut target.pi(&["status"]))?;
    let name = if release.has_adapters() { "libur_adapter_opencl.so" } else { Backend::OpenCl.file_name() };
    let (wanted, found) = (process::sha256(&built.file(name))?, process::sha256(ours.plugin())?);
    ensure!(found == wanted, "{} is not the wheel's {name}", ours.plugin().display());
    clients::dpctl_in(release, ours, SUITE)
}

/// `pi bench` measures the vendor's file, which is kept beside ours, and ours.
fn compared(ours: &Environment, built: &Built, scratch: &Path) -> Result<()> {
    let picture = scratch.join("costs.svg");
    let mut bench = Command::new(built.file("pi"));
    of_nobody(&mut bench);
    bench.args(["bench", "--json"]).arg(ours.root()).arg("--svg").arg(&picture);
    bench.envs(ours.variables()?).env_remove("ONEAPI_DEVICE_SELECTOR");
    let measured: Value = serde_json::from_str(&process::text(&mut bench)?)?;
    let calls = measured.get("calls").and_then(Value::as_array).context("no calls were measured")?;
    let is_measured = |call: &Value| {
        let time = |side: &str| call.get(side).and_then(Value::as_f64).unwrap_or_default();
        time("ours") > 0.0 && time("vendor") > 0.0
    };
    ensure!(calls.len() > 20 && calls.iter().all(is_measured), "times are missing: {measured}");
    let picture = fs::read_to_string(picture)?;
    ensure!(
        picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"),
        "the picture is not whole"
    );
    Ok(())
}

fn in_order(target: &Target) -> Result<()> {
    process::output(&mut target.pi(&["uninstall"]))?;
    target.pip_uninstall()
}

/// The package is removed first. `pi doctor` says so, and any `pi` puts the vendor's files back.
fn in_wrong_order(ours: &Environment, target: &Target, built: &Built, wheel: &Path) -> Result<()> {
    target.pip_install(wheel)?;
    process::output(&mut target.pi(&["install"]))?;
    target.pip_uninstall()?;
    let mut doctor = Command::new(built.file("pi"));
    of_nobody(&mut doctor);
    doctor.args(["doctor", "--json"]).env("VIRTUAL_ENV", ours.root());
    let output = outcome(&mut doctor)?;
    let diagnosis: Value = serde_json::from_slice(&output.stdout).with_context(|| said(&output))?;
    let is_it = |finding: &Value| {
        let text = |key: &str| finding.get(key).and_then(Value::as_str).unwrap_or_default();
        text("severity") == "warning"
            && text("why").contains("site-packages/sycl_pi")
            && text("command").starts_with("pi uninstall")
    };
    if !diagnosis.get("findings").and_then(Value::as_array).is_some_and(|all| all.iter().any(is_it)) {
        bail!("pi doctor does not notice that the package is gone: {diagnosis}");
    }
    let mut uninstall = Command::new(built.file("pi"));
    of_nobody(&mut uninstall);
    process::output(uninstall.arg("uninstall").arg(ours.root())).map(drop)
}

fn is_as_before(vendor: &Environment, ours: &Environment) -> Result<()> {
    let found = differences(vendor.root(), ours.root())?;
    if !found.is_empty() {
        bail!(
            "{} differences, such as {}",
            found.len(),
            found.iter().take(5).cloned().collect::<Vec<_>>().join("; ")
        );
    }
    let files = fs::read_dir(ours.lib())?.count();
    ensure!(files > 0, "{} is empty", ours.lib().display());
    Ok(())
}
