//! Scripts in Python that run tests: their progress is shown as it comes, and their last line has the totals.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::provision::python;
use crate::totals::{self, Totals};
use crate::workspace;

/// Runs a script of this repository. A bad exit code, or no test at all, counts as a failure.
pub(crate) fn run(file: &str, arguments: &[&str]) -> Result<Totals> {
    let mut command = Command::new(python::any()?);
    command.current_dir(workspace::root()).arg(file).args(arguments);
    of(&mut command)
}

fn of(command: &mut Command) -> Result<Totals> {
    let what = format!("{command:?}").replace('"', "");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("{what} could not be started"))?;
    let mut last = String::new();
    for line in child.stdout.take().into_iter().flat_map(|output| BufReader::new(output).lines()) {
        last = line.with_context(|| format!("the output of {what}"))?;
        println!("{last}");
    }
    let status = child.wait()?;
    let mut sum = Totals::of_line(&last).unwrap_or_default();
    if !status.success() || sum == Totals::default() {
        sum.failed = sum.failed.max(1);
    }
    if sum.failed > 0 {
        totals::keep_failure(format!("{what}: {sum}, {status}"));
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
