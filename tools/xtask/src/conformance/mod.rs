//! `cargo xtask conformance`: the harness on our plugin and on the vendor's, and the table of it in `docs/`.

mod document;
mod outcome;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::process;
use crate::provision::environment::{self, Flavour};
use crate::provision::opencl::{self, Driver};
use crate::releases;
use crate::ui::Step;
use crate::workspace;
use outcome::Judgement;

/// The releases whose plugin ours is compared with: the oldest, the last that is no adapter, the newest.
const VENDORS: [&str; 3] = ["2022.2.1", "2023.2.4", "2024.2.2"];

/// Arguments of `conformance`.
#[derive(Debug, Args)]
pub(crate) struct ConformanceArgs {
    /// Only our plugin, and leave the document as it is
    #[arg(long)]
    ours: bool,
    /// Only cases whose id or entry point matches; leaves the document as it is
    #[arg(long)]
    filter: Vec<String>,
}

/// A plugin on a driver, as the document names them.
struct Subject {
    plugin: String,
    driver: Driver,
    file: PathBuf,
    /// A vendor's library folder, in front of the driver's.
    libraries: Option<PathBuf>,
}

/// Judges every subject; fails when our plugin does.
pub(crate) fn run(args: &ConformanceArgs) -> Result<ExitCode> {
    build()?;
    let mut subjects: Vec<Subject> = our_subjects().collect();
    for version in VENDORS.into_iter().filter(|_| !args.ours) {
        let Ok(release) = releases::find(version) else { bail!("release {version} is not known") };
        let vendor = environment::ensure(release, Flavour::Vendor)?;
        let (file, libraries) = (vendor.plugin(), Some(vendor.lib()));
        subjects.push(Subject {
            plugin: format!("vendor {version}"),
            driver: Driver::Intel2023,
            file,
            libraries,
        });
    }
    let mut judgements = Vec::new();
    for subject in &subjects {
        judgements.push(judge(subject, &args.filter)?);
    }
    if !args.ours && args.filter.is_empty() {
        document::write(&judgements)?;
    }
    let ours = judgements.iter().filter(|judgement| judgement.libraries.is_none());
    let failed: usize = ours.map(|judgement| judgement.totals().failed).sum();
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Our plugin on each driver.
fn our_subjects() -> impl Iterator<Item = Subject> {
    [Driver::Intel2023, Driver::IntelCurrent, Driver::Pocl].into_iter().map(|driver| Subject {
        plugin: "ours".into(),
        driver,
        file: workspace::our_plugin(),
        libraries: None,
    })
}

/// Judges our plugin on each driver at every version: how many cases passed, failed and were skipped.
pub(crate) fn ours() -> Result<(usize, usize, usize)> {
    build()?;
    let mut sum = (0, 0, 0);
    for subject in our_subjects() {
        let totals = judge(&subject, &[])?.totals();
        sum = (sum.0 + totals.passed, sum.1 + totals.failed, sum.2 + totals.skipped);
    }
    Ok(sum)
}

fn build() -> Result<()> {
    let step = Step::start("building the plugin and the harness in release mode");
    let mut command = process::cargo();
    command.args(["build", "--release", "--package", "pi_opencl", "--package", "pi-conformance"]);
    process::output(command.arg("--target-dir").arg(workspace::target()))?;
    step.done("");
    Ok(())
}

fn judge(subject: &Subject, filter: &[String]) -> Result<Judgement> {
    let step = Step::start(format!("conformance of {} on {}", subject.plugin, subject.driver));
    let environment = opencl::ensure(subject.driver)?;
    let mut command = Command::new(workspace::target().join("release").join("pi-conformance"));
    command.arg(&subject.file).arg("--json").envs(environment.variables()).stdin(Stdio::null());
    command.args(filter.iter().flat_map(|glob| ["--filter", glob]));
    match &subject.libraries {
        Some(libraries) => {
            command.args(["--survey", "--timeout", "10"]);
            command.env("LD_LIBRARY_PATH", joined(libraries, environment.folder())?);
        }
        None => {
            command.arg("--strict");
        }
    }
    let output = command.output().context("pi-conformance could not be started")?;
    if output.status.code().is_none_or(|code| code > 1) {
        bail!("{} on {}:\n{}", subject.plugin, subject.driver, process::tail(&output, 20));
    }
    let judgement = Judgement::parse(subject, &output.stdout)?;
    step.done(&judgement.totals().to_string());
    if subject.libraries.is_none() {
        judgement.print_failures();
    }
    Ok(judgement)
}

fn joined(first: &Path, second: &Path) -> Result<std::ffi::OsString> {
    std::env::join_paths([first, second]).context("a folder's name has a colon")
}
