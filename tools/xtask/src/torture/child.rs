//! The processes that are killed: two programs of `testing/programs` with the same command line.

use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::backend::Backend;
use crate::provision::opencl::{self, Driver};
use crate::{process, release, workspace};

/// How long the checks may take, as `timeout` reads it: nothing waits for a killed process.
const PATIENCE: &str = "120";

/// A program that writes, runs and verifies a cache, with what it needs in its environment.
#[derive(Debug)]
pub(super) struct Program {
    file: PathBuf,
    variables: Vec<(&'static str, OsString)>,
}

impl Program {
    /// The one that only has bytes for programs: as many kills as can be.
    pub(super) fn of_bytes() -> Result<Self> {
        Ok(Self { file: build("cache-torture")?, variables: Vec::new() })
    }

    /// The one that builds and runs device images through the runtime, on Intel's CPU runtime.
    pub(super) fn of_images() -> Result<Self> {
        release::build(Backend::OpenCl.packages())?;
        let driver = opencl::ensure(Driver::IntelCurrent)?;
        let mut variables: Vec<_> = driver.variables().map(|(name, value)| (name, value.clone())).collect();
        variables.push(("PI_TEST_PLUGIN", workspace::our_plugin().into_os_string()));
        Ok(Self { file: build("cached-programs")?, variables })
    }

    fn prepare(&self, command: &mut Command) {
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
    }
}

fn build(program: &str) -> Result<PathBuf> {
    let mut command = process::cargo();
    command.args(["build", "--release", "--quiet", "--package", "testing-programs", "--bin", program]);
    command.arg("--target-dir").arg(workspace::target());
    process::output(&mut command)?;
    Ok(release::file(program))
}

/// A process that uses the cache until it is killed.
#[derive(Debug)]
pub(super) struct Writer {
    child: Child,
}

impl Writer {
    pub(super) fn start(program: &Program, root: &Path, seed: u64) -> Result<Self> {
        let mut command = Command::new(&program.file);
        program.prepare(&mut command);
        command.arg("write").arg(root).arg(seed.to_string());
        // Its results mean nothing, as it is killed; its complaints are for the reader to see.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
        Ok(Self { child: command.spawn().context("a writer cannot be started")? })
    }

    /// Kills it. That it had ended by itself is an error: it does so for a wrong program only.
    pub(super) fn kill(mut self) -> Result<()> {
        self.child.kill().context("a writer cannot be killed")?;
        let status = self.child.wait()?;
        if status.signal() != Some(9) {
            bail!("a writer ended by itself: {status}");
        }
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // After `kill` there is nothing to do, and on an error's way out nobody to tell.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the program to its end and reads the numbers that it prints.
pub(super) fn ask(program: &Program, what: &str, root: &Path) -> Result<HashMap<String, u64>> {
    let mut command = Command::new("timeout");
    // What it complains about is for the reader to see.
    program.prepare(&mut command);
    command.args(["--signal=KILL", PATIENCE]).arg(&program.file).arg(what).arg(root).stderr(Stdio::inherit());
    let text = process::text(&mut command)?;
    let numbers = text.lines().filter_map(|line| {
        let (name, number) = line.split_once('=')?;
        Some((name.to_owned(), number.parse().ok()?))
    });
    Ok(numbers.collect())
}
