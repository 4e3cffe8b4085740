//! Runs other programs. An error quotes the end of the failed program's output.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use testing_support::process::Finished;

use crate::workspace;

/// The time limit of a program under test, including a build.
const TEST_LIMIT: Duration = Duration::from_secs(1200);

/// Runs a program and returns its output. An exit code other than 0 is an error that quotes the end of the output.
pub(crate) fn output(command: &mut Command) -> Result<Output> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("{name} could not be started"))?;
    if !output.status.success() {
        bail!("{name} failed ({}):\n{}", output.status, tail(&output, 25));
    }
    Ok(output)
}

/// Runs a program under test. After [`TEST_LIMIT`] it is killed with all its children.
pub(crate) fn tested(command: &mut Command) -> Result<Finished> {
    let name = command.get_program().to_string_lossy().into_owned();
    testing_support::process::run(command, TEST_LIMIT).with_context(|| format!("{name} could not be run"))
}

/// Runs a program and returns its standard output.
pub(crate) fn text(command: &mut Command) -> Result<String> {
    Ok(String::from_utf8_lossy(&output(command)?.stdout).trim().to_owned())
}

/// Returns whether a program can be run and ends with exit code 0.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Returns the cargo that runs this program, in the repository's root. Incremental builds are disabled, because they
/// take 2 GB, and save nothing in a run that builds each crate once.
pub(crate) fn cargo() -> Command {
    in_workspace(Command::new(cargo_path()))
}

/// Returns a cargo with a low priority, so that other builds get the processors first.
pub(crate) fn cargo_behind_others() -> Command {
    let mut command = Command::new("nice");
    command.arg(cargo_path());
    in_workspace(command)
}

fn cargo_path() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn in_workspace(mut cargo: Command) -> Command {
    cargo.current_dir(workspace::root()).env("CARGO_INCREMENTAL", "0");
    cargo
}

/// Returns the last lines of both outputs of a program.
pub(crate) fn tail(output: &Output, lines: usize) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    let all: Vec<&str> = text.lines().collect();
    all.get(all.len().saturating_sub(lines)..).unwrap_or_default().join("\n")
}

/// Returns the SHA-256 of a file, as `sha256sum` prints it.
pub(crate) fn sha256(path: &Path) -> Result<String> {
    let line = text(Command::new("sha256sum").arg(path))?;
    Ok(line.split_whitespace().next().unwrap_or_default().to_owned())
}
