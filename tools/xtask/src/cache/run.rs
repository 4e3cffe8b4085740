//! One run of either side's program in a driver's environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::programs::Programs;
use crate::process;
use crate::provision::environment::{self, Flavour};
use crate::provision::opencl::{self, Driver, OpenClEnvironment};
use crate::releases::Release;
use crate::workspace;

/// What a program prints of itself, in seconds.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Times {
    /// Until all kernels were ready, from when their images were registered.
    pub(super) first: f64,
    /// Until all of them were had once more.
    pub(super) again: f64,
    /// The same in processor time of all threads.
    pub(super) first_cpu: f64,
    pub(super) again_cpu: f64,
    pub(super) kernels: usize,
    /// Programs from the disk, and built ones; only our side tells.
    #[serde(default)]
    pub(super) loaded: u64,
    #[serde(default)]
    pub(super) built: u64,
    /// The whole process, from its start to its end.
    #[serde(skip)]
    pub(super) process: f64,
}

/// A side: its program, and what it needs in its environment.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) program: PathBuf,
    arguments: Vec<OsString>,
    variables: Vec<(&'static str, OsString)>,
}

impl Side {
    pub(super) fn ours(programs: &Programs, driver: &OpenClEnvironment) -> Self {
        let mut arguments = vec![workspace::our_plugin().into_os_string()];
        arguments.push(programs.images().into_os_string());
        arguments.extend(programs.kernels.iter().map(OsString::from));
        let variables = driver.variables().map(|(name, value)| (name, value.clone())).collect();
        Self { program: programs.ours(), arguments, variables }
    }

    /// The stock libsycl of a release with the plugin that it ships, on the same driver.
    pub(super) fn stock(
        programs: &Programs,
        release: &'static Release,
        driver: &OpenClEnvironment,
    ) -> Result<Self> {
        let stock = environment::ensure(release, Flavour::Vendor)?;
        let mut arguments = vec![programs.images().into_os_string()];
        arguments.extend(programs.kernels.iter().map(OsString::from));
        let mut variables: Vec<_> = driver.variables().map(|(name, value)| (name, value.clone())).collect();
        for (_, value) in variables.iter_mut().filter(|(name, _)| *name == "LD_LIBRARY_PATH") {
            for folder in [stock.lib(), stock.site_packages().join("dpctl")] {
                value.push(":");
                value.push(folder);
            }
        }
        variables.push(("ONEAPI_DEVICE_SELECTOR", "opencl:cpu".into()));
        variables.push(("SYCL_CACHE_PERSISTENT", "1".into()));
        Ok(Self { program: programs.stock(release.version, &stock)?, arguments, variables })
    }

    /// The same, which asks for one kernel after the other instead of all at once.
    pub(super) fn one_by_one(&self) -> Self {
        let mut side = self.clone();
        side.variables.push(("ONE_BY_ONE", "1".into()));
        side
    }

    /// The program with its arguments and environment; `cache` is the folder of its cache on disk.
    pub(super) fn command(&self, cache: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        self.prepare(&mut command, cache);
        command
    }

    /// Gives a command this side's environment.
    pub(super) fn prepare(&self, command: &mut Command, cache: &Path) {
        command.envs(self.variables.iter().map(|(name, value)| (name, value))).env("SYCL_CACHE_DIR", cache);
    }

    /// The words of its command line.
    pub(super) fn words(&self) -> Vec<OsString> {
        std::iter::once(self.program.clone().into_os_string()).chain(self.arguments.iter().cloned()).collect()
    }

    pub(super) fn run(&self, cache: &Path) -> Result<Times> {
        let start = Instant::now();
        let text = process::text(&mut self.command(cache))?;
        let process = start.elapsed().as_secs_f64();
        let mut times = parse(&text)?;
        times.process = process;
        Ok(times)
    }
}

/// Reads the one JSON line of a program.
pub(super) fn parse(text: &str) -> Result<Times> {
    serde_json::from_str(text.trim()).with_context(|| format!("the program printed {text:?}"))
}

/// A driver for images of current compilers.
pub(super) fn driver() -> Result<OpenClEnvironment> {
    opencl::ensure(Driver::IntelCurrent)
}
