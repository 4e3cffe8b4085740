//! Building and running `pi-bench`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};
use serde::de::DeserializeOwned;

use crate::bench::data::{Counted, Run, Timed};
use crate::process;
use crate::provision::environment::{self, Environment, Flavour};
use crate::release;
use crate::releases::Release;
use crate::ui::Step;
use crate::workspace;

/// Builds the measuring program and the OpenCL driver that does nothing.
pub(super) fn build() -> Result<()> {
    let step = Step::start("building the benchmarks");
    let mut command = process::cargo();
    command.args(["build", "--release", "--package", "pi-benches"]);
    command.args(["--bin", "pi-bench", "--example", "idle_driver", "--target-dir"]).arg(workspace::target());
    process::output(&mut command)?;
    step.done("");
    Ok(())
}

/// The program with all that it needs.
pub(super) struct Tool {
    ours: PathBuf,
    environment: Environment,
    only: Option<String>,
}

impl Tool {
    pub(super) fn new(release: &'static Release, ours: PathBuf, only: Option<String>) -> Result<Self> {
        Ok(Tool { ours, environment: environment::ensure(release, Flavour::Vendor)?, only })
    }

    /// Instructions, on the driver that does nothing behind the release's own ICD loader.
    pub(super) fn count(&self) -> Result<Run<Counted>> {
        let step = Step::start("counting instructions");
        let driver = release::file("examples/libidle_driver.so");
        ensure!(driver.exists(), "there is no {}", driver.display());
        let mut variables = self.environment.variables()?;
        variables.retain(|(name, _)| *name != "OCL_ICD_FILENAMES");
        variables.push(("OCL_ICD_FILENAMES", driver.into_os_string()));
        let run = self.run(&["count"], &variables)?;
        step.done("");
        Ok(run)
    }

    /// Nanoseconds, on the release's driver: rounds of several processes, as memory lies differently in each.
    pub(super) fn time(&self, quick: bool) -> Result<Run<Timed>> {
        let (processes, rounds) = if quick { (1, "90") } else { (5, "120") };
        let step = Step::start("timing");
        let variables = self.environment.variables()?;
        let mut all: Run<Timed> = self.run(&["time", "--rounds", rounds], &variables)?;
        for number in 1..processes {
            step.note(&format!("process {} of {processes}", number + 1));
            let more: Run<Timed> = self.run(&["time", "--rounds", rounds], &variables)?;
            for (call, more) in all.calls.iter_mut().zip(more.calls) {
                call.rounds.ours.extend(more.rounds.ours);
                call.rounds.vendor.extend(more.rounds.vendor);
                call.rounds.bare.extend(more.rounds.bare);
                call.again.extend(more.again);
            }
        }
        step.done("");
        Ok(all)
    }

    fn run<T: DeserializeOwned>(&self, what: &[&str], variables: &[(&str, OsString)]) -> Result<T> {
        let mut command = Command::new(release::file("pi-bench"));
        command.args(what).arg("--ours").arg(&self.ours).arg("--vendor").arg(self.environment.plugin());
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        if let Some(only) = &self.only {
            command.arg("--only").arg(only);
        }
        Ok(serde_json::from_str(&process::text(&mut command)?)?)
    }
}
