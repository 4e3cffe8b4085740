//! The processes that are killed, and those that check the cache. Both kinds are test programs with the same command line.

use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::backend::Backend;
use crate::provision::opencl::{self, Driver};
use crate::{release, workspace};

/// The time limit of a check. A check never waits for a killed process.
const CHECK_LIMIT: Duration = Duration::from_secs(120);

/// A program that writes, reads and verifies a cache, with its environment.
#[derive(Debug)]
pub(crate) struct Program {
    file: PathBuf,
    variables: Vec<(&'static str, OsString)>,
}

impl Program {
    /// Bytes instead of programs, so that there are as many kills as possible.
    pub(crate) fn of_bytes() -> Result<Self> {
        Ok(Self {
            file: release::build_test_program("testing-programs", "cache-torture")?,
            variables: Vec::new(),
        })
    }

    /// Device images that are built and run through the runtime, on Intel's CPU runtime.
    pub(crate) fn of_images() -> Result<Self> {
        release::build(Backend::OpenCl.packages())?;
        let driver = opencl::ensure(Driver::IntelCurrent)?;
        let mut variables: Vec<_> = driver.variables().map(|(name, value)| (name, value.clone())).collect();
        variables.push(("PI_TEST_PLUGIN", workspace::our_plugin().into_os_string()));
        Ok(Self { file: release::build_test_program("testing-programs", "cached-programs")?, variables })
    }

    fn prepare(&self, command: &mut Command) {
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
    }
}

/// A process that uses the cache until it is killed.
#[derive(Debug)]
pub(crate) struct Writer {
    child: Child,
}

impl Writer {
    pub(crate) fn start(program: &Program, root: &Path, seed: u64) -> Result<Self> {
        let mut command = Command::new(&program.file);
        program.prepare(&mut command);
        command.arg("write").arg(root).arg(seed.to_string());
        // It is killed, so its results mean nothing. Its errors are shown.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
        Ok(Self { child: command.spawn().context("a writer cannot be started")? })
    }

    /// Kills it. It is an error if it had ended by itself, which it does only after a wrong result.
    pub(crate) fn kill(mut self) -> Result<()> {
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
        // After `kill` these calls do nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the program to its end and returns the numbers that it prints.
pub(crate) fn ask(program: &Program, what: &str, root: &Path) -> Result<HashMap<String, u64>> {
    let mut command = Command::new(&program.file);
    program.prepare(&mut command);
    command.arg(what).arg(root).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let finished = testing_process::run_while(&mut command, CHECK_LIMIT, || 0)?;
    if !finished.end.is_success() {
        bail!("{what}: {}", finished.summary(20));
    }
    let text = finished.stdout_text();
    let numbers = text.lines().filter_map(|line| {
        let (name, number) = line.split_once('=')?;
        Some((name.to_owned(), number.parse().ok()?))
    });
    Ok(numbers.collect())
}
