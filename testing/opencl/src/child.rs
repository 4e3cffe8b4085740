//! Tests in a process of their own: a crash there is that test's failure only.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};

/// Set in the child to the name of the case that it shall run.
pub const CASE: &str = "PI_OPENCL_TESTS_CASE";
/// Marks the child's good end: a driver that ends the process by itself must not pass for success.
pub const DONE: &str = "case ended well";

/// Runs the case `name` in a process of its own, with more variables set. What it printed, if it ended well.
pub fn run(name: &str, variables: &[(&str, String)]) -> Result<String, String> {
    let output = start(name, variables)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match text.trim_end().strip_suffix(DONE) {
        Some(rest) if output.status.success() => Ok(rest.to_owned()),
        _ => Err(describe(&output)),
    }
}

/// As [`run`]; what it printed, however it ended.
pub fn output(name: &str, variables: &[(&str, String)]) -> Result<String, String> {
    Ok(String::from_utf8_lossy(&start(name, variables)?.stdout).into_owned())
}

fn start(name: &str, variables: &[(&str, String)]) -> Result<Output, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.env(CASE, name).envs(variables.iter().map(|(key, value)| (key, value)));
    command.output().map_err(|error| format!("cannot start the child: {error}"))
}

fn describe(output: &Output) -> String {
    let how = match (output.status.signal(), output.status.code()) {
        (Some(signal), _) => format!("the process was ended by signal {signal}"),
        (_, Some(code)) => format!("the process ended with code {code}"),
        _ => "the process ended".into(),
    };
    let last = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(12)..].join("\n")
    };
    format!("{how}\n{}\n{}", last(&output.stdout), last(&output.stderr))
}
