//! The processes that are tortured: pi-cache's example `cache-torture`.

use std::collections::HashMap;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{process, workspace};

/// How long the checks may take, as `timeout` reads it: nothing waits for a killed process.
const PATIENCE: &str = "60";

/// Builds the program and says where it is.
pub(super) fn build() -> Result<PathBuf> {
    let mut command = process::cargo();
    command.arg("build").args([
        "--release",
        "--quiet",
        "--package",
        "pi-cache",
        "--example",
        "cache-torture",
    ]);
    command.arg("--target-dir").arg(workspace::target());
    process::output(&mut command)?;
    Ok(workspace::target().join("release").join("examples").join("cache-torture"))
}

/// A process that uses the cache until it is killed.
#[derive(Debug)]
pub(super) struct Writer {
    child: Child,
}

impl Writer {
    pub(super) fn start(program: &Path, root: &Path, seed: u64) -> Result<Self> {
        let mut command = Command::new(program);
        command.arg("write").arg(root).arg(seed.to_string()).stdin(Stdio::null()).stderr(Stdio::inherit());
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
pub(super) fn ask(program: &Path, what: &str, root: &Path) -> Result<HashMap<String, u64>> {
    let mut command = Command::new("timeout");
    // What it complains about is for the reader to see.
    command.args(["--signal=KILL", PATIENCE]).arg(program).arg(what).arg(root).stderr(Stdio::inherit());
    let text = process::text(&mut command)?;
    let numbers = text.lines().filter_map(|line| {
        let (name, number) = line.split_once('=')?;
        Some((name.to_owned(), number.parse().ok()?))
    });
    Ok(numbers.collect())
}
