//! Building and running `pi-bench`.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;

use crate::bench::data::{Counted, Run, Timed};
use crate::process;
use crate::provision::environment::{self, Environment, Flavour};
use crate::releases::Release;
use crate::ui::Step;
use crate::workspace;

/// Builds the measuring program and the OpenCL library that does nothing.
pub(super) fn build() -> Result<()> {
    let step = Step::start("building the benchmarks");
    let mut command = process::cargo();
    command.args(["build", "--release", "--package", "pi-benches"]);
    command.args(["--bin", "pi-bench", "--example", "OpenCL", "--target-dir"]).arg(workspace::target());
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

    /// Instructions, on the library that does nothing.
    pub(super) fn count(&self) -> Result<Run<Counted>> {
        let step = Step::start("counting instructions");
        let folder = workspace::target().join("bench").join("stub");
        fs::create_dir_all(&folder)?;
        let library = workspace::target().join("release").join("examples").join("libOpenCL.so");
        let place = folder.join("libOpenCL.so.1");
        // Another process may have the old one mapped: replaced, not written over.
        let new = folder.join(format!("new-{}", std::process::id()));
        fs::copy(&library, &new).with_context(|| format!("there is no {}", library.display()))?;
        fs::rename(new, place)?;
        let mut path = folder.into_os_string();
        path.push(":");
        path.push(self.environment.lib());
        let run = self.run(&["count"], &[("LD_LIBRARY_PATH", path)])?;
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
            }
        }
        step.done("");
        Ok(all)
    }

    fn run<T: DeserializeOwned>(&self, what: &[&str], variables: &[(&str, OsString)]) -> Result<T> {
        let mut command = Command::new(workspace::target().join("release").join("pi-bench"));
        command.args(what).arg("--ours").arg(&self.ours).arg("--vendor").arg(self.environment.plugin());
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        if let Some(only) = &self.only {
            command.arg("--only").arg(only);
        }
        Ok(serde_json::from_str(&process::text(&mut command)?)?)
    }
}
