//! Tests in separate processes, where a crash only fails one test.

use std::process::Command;
use std::time::Duration;

use crate::process::{self, Finished};

/// The variable that names the test which a child must run.
pub const CASE: &str = "PI_TEST_CASE";
/// The last line of a child whose test passed. A driver that ends the process with code 0 must not count as success.
pub(crate) const DONE: &str = "the test passed";

const LIMIT: Duration = Duration::from_secs(600);

/// Runs the test `name` of this program in a child with these variables, and returns its output.
///
/// # Errors
/// Fails if the test failed or the child ended early. The text tells how.
pub fn run(name: &str, variables: &[(&str, String)]) -> Result<String, String> {
    run_without(name, variables, &[])
}

/// Like [`run`], without some variables of this process.
///
/// # Errors
/// Those of [`run`].
pub fn run_without(name: &str, variables: &[(&str, String)], without: &[&str]) -> Result<String, String> {
    let finished = start(name, variables, without)?;
    match finished.stdout_text().trim_end().strip_suffix(DONE) {
        Some(rest) if finished.end.is_success() => Ok(rest.to_owned()),
        _ => Err(format!("the process {}", finished.summary(12))),
    }
}

/// Like [`run`], but succeeds however the child ended.
///
/// # Errors
/// Fails if the child cannot be started.
pub fn output(name: &str, variables: &[(&str, String)]) -> Result<String, String> {
    Ok(start(name, variables, &[])?.stdout_text())
}

fn start(name: &str, variables: &[(&str, String)], without: &[&str]) -> Result<Finished, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    for name in without {
        command.env_remove(name);
    }
    command.env(CASE, name).envs(variables.iter().map(|(key, value)| (key, value)));
    process::run(&mut command, LIMIT).map_err(|error| format!("cannot start the child: {error}"))
}
