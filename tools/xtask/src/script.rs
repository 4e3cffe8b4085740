//! Python scripts that run tests. Their progress is shown live, and their last line contains the totals.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::provision::python;
use crate::test_programs;
use crate::totals::{self, Totals};
use crate::workspace;

/// The number of lines of a failed script's output that are repeated after all tests.
const KEPT: usize = 40;

/// Runs a script of this repository. A bad exit code, or no test at all, counts as a failure.
pub(crate) fn run(file: &str, arguments: &[&str]) -> Result<Totals> {
    of(&mut command(file, arguments, test_programs::are_all_built())?)
}

/// Runs a script that needs only packages that this run has built.
pub(crate) fn run_on_built(file: &str, arguments: &[&str]) -> Result<Totals> {
    of(&mut command(file, arguments, true)?)
}

fn command(file: &str, arguments: &[&str], is_built: bool) -> Result<Command> {
    let mut command = Command::new(python::any()?);
    command.current_dir(workspace::root()).arg(file).args(arguments);
    if is_built {
        command.env("SYCL_PI_BUILT", "1");
    }
    Ok(command)
}

fn of(command: &mut Command) -> Result<Totals> {
    let what = format!("{command:?}").replace('"', "");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("{what} could not be started"))?;
    let mut shown = VecDeque::new();
    for line in child.stdout.take().into_iter().flat_map(|output| BufReader::new(output).lines()) {
        let line = line.with_context(|| format!("the output of {what}"))?;
        println!("{line}");
        shown.push_back(line);
        if shown.len() > KEPT {
            shown.pop_front();
        }
    }
    let status = child.wait()?;
    let mut sum = shown.back().and_then(|line| Totals::of_line(line)).unwrap_or_default();
    if !status.success() || sum == Totals::default() {
        sum.failed = sum.failed.max(1);
    }
    if sum.failed > 0 {
        let end: Vec<String> = shown.into();
        totals::keep_failure(format!("{what}: {status}\n{}", end.join("\n")));
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Totals {
        of(Command::new("sh").args(["-c", text])).unwrap()
    }

    #[test]
    fn the_last_line_has_the_totals() {
        let expected = Totals { passed: 3, failed: 0, skipped: 1 };
        assert_eq!(
            script("echo 1 passed, 1 failed, 0 skipped; echo 3 passed, 0 failed, 1 skipped"),
            expected
        );
    }

    #[test]
    fn a_bad_exit_code_and_a_missing_last_line_are_failures() {
        assert_eq!(script("echo 3 passed, 0 failed, 0 skipped; exit 2").failed, 1);
        assert_eq!(script("echo no tests").failed, 1);
        assert_eq!(script("true").failed, 1);
    }
}
