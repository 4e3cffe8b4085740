//! Counting tests, whoever ran them.

use std::fmt;
use std::ops::AddAssign;
use std::process::{Command, Output};

use anyhow::Result;

use crate::process;

/// Lines of a failed program's output that are shown.
const SHOWN: usize = 80;

/// How many tests passed, failed, and were skipped for a declared reason.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}

impl Tally {
    /// A part that could not be run at all.
    pub(crate) fn one_failure() -> Self {
        Tally { failed: 1, ..Tally::default() }
    }

    /// Runs a program of tests, without input, and counts its whole output. The end of the output is shown, and a failure
    /// counted, where the program says that it failed or no test passed.
    pub(crate) fn of_tests(program: &mut Command) -> Result<Self> {
        Self::of_program(program, Self::of_output).map(|(tally, output)| tally.demanding(1, &output))
    }

    /// As [`of_tests`](Self::of_tests), but skips alone will do: for tests of what a system may lack.
    pub(crate) fn of_tests_or_skips(program: &mut Command) -> Result<Self> {
        let (tally, output) = Self::of_program(program, Self::of_output)?;
        Ok(tally.demanding(usize::from(tally.skipped == 0), &output))
    }

    /// As [`of_tests`](Self::of_tests), for a program whose last line is the sum of those before it.
    pub(crate) fn of_last_line(program: &mut Command) -> Result<Self> {
        let last = |text: &str| Self::of_output(text.lines().last().unwrap_or_default());
        Self::of_program(program, last).map(|(tally, output)| tally.demanding(1, &output))
    }

    fn of_program(program: &mut Command, count: impl FnOnce(&str) -> Self) -> Result<(Self, Output)> {
        // What is shown of a failure is the end of the output: names and messages, not where the test's own frames are.
        program.env("RUST_BACKTRACE", "0");
        let output = process::tested(program)?;
        Ok((count(&String::from_utf8_lossy(&output.stdout)), output))
    }

    /// Counts a failure, and shows the end of the output, where fewer tests passed or the exit code is bad.
    pub(crate) fn demanding(mut self, passes: usize, output: &Output) -> Self {
        if !output.status.success() || self.passed < passes {
            println!("{}", process::tail(output, SHOWN));
            self.failed = self.failed.max(1);
        }
        self
    }

    /// The sum of all `test result: ok. N passed; N failed; N ignored` lines; where there is none, of all plain
    /// `N passed, N failed[, N skipped]` lines. Some programs end with both, which are the same tests.
    pub(crate) fn of_output(text: &str) -> Self {
        let lines = || text.lines().map(str::trim);
        let results = lines().filter_map(|line| line.strip_prefix("test result: ")?.split_once(". "));
        let mut counts: Vec<&str> = results.map(|(_, counts)| counts).collect();
        if counts.is_empty() {
            counts = lines().collect();
        }
        let mut tally = Tally::default();
        for line in counts {
            tally += Self::of_line(line).unwrap_or_default();
        }
        tally
    }

    fn of_line(line: &str) -> Option<Self> {
        let mut tally = Tally::default();
        let mut seen = 0;
        for part in line.split([',', ';']) {
            let (number, word) = part.trim().split_once(' ')?;
            let number: usize = match number.parse() {
                Ok(number) => number,
                Err(_) => break,
            };
            match word {
                "passed" => tally.passed = number,
                "failed" => tally.failed = number,
                "skipped" | "ignored" => tally.skipped = number,
                _ => break,
            }
            seen += 1;
        }
        (seen >= 2).then_some(tally)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::Tally;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn tally(passed: usize, failed: usize, skipped: usize) -> Option<Tally> {
        Some(Tally { passed, failed, skipped })
    }

    #[test]
    fn a_program_of_tests_is_counted_as_it_says() {
        let script = "echo '2 passed, 0 failed, 1 skipped'; echo '3 passed, 0 failed'";
        assert_eq!(Tally::of_tests(&mut shell(script)).ok(), tally(5, 0, 1));
        assert_eq!(Tally::of_last_line(&mut shell(script)).ok(), tally(3, 0, 0));
    }

    #[test]
    fn a_bad_exit_code_is_a_failure_whatever_was_counted() {
        let script = "echo '2 passed, 0 failed'; exit 3";
        assert_eq!(Tally::of_tests(&mut shell(script)).ok(), tally(2, 1, 0));
        assert_eq!(Tally::of_last_line(&mut shell(script)).ok(), tally(2, 1, 0));
        let killed = "echo '2 passed, 0 failed, 4 skipped'; kill -9 $$";
        assert_eq!(Tally::of_tests_or_skips(&mut shell(killed)).ok(), tally(2, 1, 4));
    }

    #[test]
    fn no_pass_is_a_failure_and_skips_will_do_only_where_that_is_said() {
        let skips = "echo '0 passed, 0 failed, 4 skipped'";
        assert_eq!(Tally::of_tests(&mut shell(skips)).ok(), tally(0, 1, 4));
        assert_eq!(Tally::of_tests_or_skips(&mut shell(skips)).ok(), tally(0, 0, 4));
        assert_eq!(Tally::of_tests_or_skips(&mut shell("true")).ok(), tally(0, 1, 0));
        assert_eq!(Tally::of_tests(&mut shell("true")).ok(), tally(0, 1, 0));
    }

    #[test]
    fn failures_of_a_program_stay_as_many_as_it_counted() {
        let script = "echo '2 passed, 3 failed'; exit 1";
        assert_eq!(Tally::of_tests(&mut shell(script)).ok(), tally(2, 3, 0));
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        assert!(Tally::of_tests(&mut Command::new("/no/such/program")).is_err());
    }

    #[test]
    fn cargo_s_closing_lines_add_up_and_plain_ones_are_not_counted_again() {
        let text = "running 2 tests\ntest result: ok. 2 passed; 1 failed; 3 ignored; 0 measured; 0 filtered out\n\
                    test result: ok. 40 passed; 0 failed; 0 ignored\n40 passed, 0 failed, 0 skipped\n";
        assert_eq!(Tally::of_output(text), Tally { passed: 42, failed: 1, skipped: 3 });
    }

    #[test]
    fn plain_closing_lines_add_up_where_there_are_no_others() {
        let text = "40 passed, 2 failed, 5 skipped\nall 3 passed, as expected\n1 passed, 0 failed\n";
        assert_eq!(Tally::of_output(text), Tally { passed: 41, failed: 2, skipped: 5 });
    }
}
