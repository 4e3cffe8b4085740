//! Building and running `pi-bench`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};
use serde::de::DeserializeOwned;
use sycl_ur_core::Layout;

use crate::bench::output::{Counted, Run, SystemCalls, Timed};
use crate::process;
use crate::provision::environment::{self, Environment, Flavour};
use crate::release;
use crate::releases::Release;
use crate::ui::Step;
use crate::workspace;

/// Processes whose rounds are put together, and rounds of each: the layout of memory differs between processes.
const ROUNDS: (usize, &str) = (5, "120");
const QUICK_ROUNDS: (usize, &str) = (1, "90");

/// Builds the measuring program and the idle OpenCL driver.
pub(crate) fn build() -> Result<()> {
    let step = Step::start("building the benchmarks");
    let mut command = process::cargo();
    command.args(["build", "--release", "--package", "pi-benches"]);
    command.args(["--bin", "pi-bench", "--example", "idle_driver", "--target-dir"]).arg(workspace::target());
    process::output(&mut command)?;
    step.done("");
    Ok(())
}

/// The measuring program in a release's environment.
pub(crate) struct Tool {
    ours: PathBuf,
    environment: Environment,
    /// Of the release's loader, if it loads adapters.
    layout: Option<&'static str>,
    only: Option<String>,
}

impl Tool {
    pub(crate) fn new(release: &'static Release, ours: PathBuf, only: Option<String>) -> Result<Self> {
        let layout = Layout::ALL.into_iter().find(|layout| layout.releases().contains(&release.version));
        let environment = environment::ensure(release, Flavour::Vendor)?;
        Ok(Tool { ours, environment, layout: layout.map(Layout::name), only })
    }

    /// Counts instructions, on the idle driver behind the release's own ICD loader.
    pub(crate) fn instructions(&self) -> Result<Run<Counted>> {
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

    /// Counts system calls, on the release's driver.
    pub(crate) fn system_calls(&self) -> Result<Run<SystemCalls>> {
        let step = Step::start("counting system calls");
        let run = self.run(&["system-calls"], &self.environment.variables()?)?;
        step.done("");
        Ok(run)
    }

    /// Measures nanoseconds, on the release's driver.
    pub(crate) fn times(&self, quick: bool) -> Result<Run<Timed>> {
        let (processes, rounds) = if quick { QUICK_ROUNDS } else { ROUNDS };
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
            }
        }
        step.done("");
        Ok(all)
    }

    fn run<T: DeserializeOwned>(&self, what: &[&str], variables: &[(&str, OsString)]) -> Result<T> {
        let mut command = Command::new(release::file("pi-bench"));
        command.args(what).arg("--ours").arg(&self.ours).arg("--vendor").arg(self.environment.plugin());
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        if let Some(layout) = self.layout {
            command.args(["--layout", layout]);
        }
        if let Some(only) = &self.only {
            command.arg("--only").arg(only);
        }
        Ok(serde_json::from_str(&process::text(&mut command)?)?)
    }
}
