//! Counts of passed, failed and skipped tests.

use std::fmt;
use std::ops::AddAssign;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use testing_support::process::Finished;

use crate::process;
use crate::ui::Step;

/// The number of printed lines of each output of a failed program.
const SHOWN: usize = 80;

/// The failures of this run, for [`print_failures`].
static FAILURES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The numbers of tests that passed, failed, and were skipped for a declared reason.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}

/// Prints which drivers are left out because their root file systems do not exist here, and counts them as skipped. To
/// make such a file system takes minutes, so that it is left to `cargo xtask env`.
pub(crate) fn without_root(what: &str, missing: &[impl fmt::Display]) -> Totals {
    for driver in missing {
        println!(
            "{what} on {driver}: skipped (`cargo xtask env --driver {driver}` makes its root file system)"
        );
    }
    Totals { skipped: missing.len(), ..Totals::default() }
}

impl Totals {
    /// Returns the totals of one test with that result.
    pub(crate) fn of_one(passed: bool) -> Self {
        Totals { passed: usize::from(passed), failed: usize::from(!passed), skipped: 0 }
    }

    /// Runs a program of tests and adds up the numbers that it prints. A bad exit code, or no test that passed,
    /// counts as a failure, and the end of the output is shown.
    pub(crate) fn of_tests(program: &mut Command) -> Result<Self> {
        Self::of_program(program, Self::of_output, 1)
    }

    /// Like [`of_tests`](Self::of_tests), for several programs, of which all together must have `least` tests that
    /// passed. With 0, tests of optional features of a system may all be skipped.
    pub(crate) fn of_programs(programs: &mut [Command], least: usize) -> Result<Self> {
        let mut sum = Totals::default();
        for program in programs {
            let finished = process::tested(program.env("RUST_BACKTRACE", "0"))?;
            let totals = Self::of_output(&finished.stdout_text());
            sum += if finished.end.is_success() { totals } else { totals.failed(&finished) };
        }
        if sum.failed == 0 && sum.has_too_few(least) {
            report_failure(&format!("too few tests: {sum}"));
            sum.failed = 1;
        }
        Ok(sum)
    }

    /// Like [`of_tests`](Self::of_tests), for a program whose last line is the sum of the previous lines.
    pub(crate) fn of_last_line(program: &mut Command) -> Result<Self> {
        let last = |text: &str| Self::of_output(text.lines().last().unwrap_or_default());
        Self::of_program(program, last, 1)
    }

    /// Like [`of_tests`](Self::of_tests), for `ctest`.
    pub(crate) fn of_ctest(program: &mut Command) -> Result<Self> {
        Self::of_program(program, Self::of_ctest_output, 1)
    }

    fn of_program(program: &mut Command, count: impl Fn(&str) -> Self, least: usize) -> Result<Self> {
        // Names and messages at the end of the output are more useful there than stack frames.
        let finished = process::tested(program.env("RUST_BACKTRACE", "0"))?;
        Ok(count(&finished.stdout_text()).checked(&finished, least))
    }

    /// Counts a failure, and shows the end of the output, after a bad exit or if fewer than `least` tests passed. A
    /// program without any test counts as failed, whatever `least` is.
    pub(crate) fn checked(self, finished: &Finished, least: usize) -> Self {
        if finished.end.is_success() && !self.has_too_few(least) { self } else { self.failed(finished) }
    }

    fn has_too_few(&self, least: usize) -> bool {
        self.passed < least || self.passed + self.skipped == 0
    }

    /// Counts at least one failure, and shows the end of the output.
    fn failed(mut self, finished: &Finished) -> Self {
        report_failure(&match failed_tests(&finished.stdout_text()) {
            Some(tests) => format!("{}\n{tests}", finished.end),
            None => finished.summary(SHOWN),
        });
        self.failed = self.failed.max(1);
        self
    }

    /// Returns the sum of all lines like `test result: ok. N passed; N failed; N ignored`. If there is none,
    /// returns the sum of all plain lines like `N passed, N failed[, N skipped]`. Some programs print both for the same
    /// tests.
    fn of_output(text: &str) -> Self {
        let lines = || text.lines().map(str::trim);
        let results = lines().filter_map(|line| line.strip_prefix("test result: ")?.split_once(". "));
        let mut counts: Vec<&str> = results.map(|(_, counts)| counts).collect();
        if counts.is_empty() {
            counts = lines().collect();
        }
        counts.into_iter().filter_map(Self::of_line).sum()
    }

    pub(crate) fn of_line(line: &str) -> Option<Self> {
        let mut totals = Totals::default();
        let mut seen = 0;
        for part in line.split([',', ';']) {
            let (number, word) = part.trim().split_once(' ')?;
            let number: usize = match number.parse() {
                Ok(number) => number,
                Err(_) => break,
            };
            match word {
                "passed" => totals.passed = number,
                "failed" => totals.failed = number,
                "skipped" | "ignored" => totals.skipped = number,
                _ => break,
            }
            seen += 1;
        }
        (seen >= 2).then_some(totals)
    }

    /// Counts `Test #3: name ....   Passed`, `***Failed` and `***Skipped` lines.
    fn of_ctest_output(text: &str) -> Self {
        let is_test = |line: &&str| line.contains("Test ") && line.contains(" #") && line.contains("sec");
        text.lines()
            .filter(is_test)
            .map(|line| {
                if line.contains("Skipped") {
                    Totals { skipped: 1, ..Totals::default() }
                } else {
                    Totals::of_one(line.contains("   Passed"))
                }
            })
            .sum()
    }
}

/// Returns what Rust test programs print about failed tests: from `failures:` to the result. Other programs may
/// have printed far more after it.
fn failed_tests(text: &str) -> Option<String> {
    let mut inside = false;
    let is_wanted = |line: &&str| {
        let begins = line.trim() == "failures:";
        inside = (inside || begins) && !line.starts_with("test result: ");
        inside
    };
    let wanted: Vec<&str> = text.lines().filter(is_wanted).take(4 * SHOWN).collect();
    (!wanted.is_empty()).then(|| wanted.join("\n"))
}

/// Runs one step of the tests, and reports its title, its totals and its time.
pub(crate) fn step(title: impl Into<String>, run: impl FnOnce() -> Result<Totals>) -> Result<Totals> {
    let step = Step::start(title);
    let totals = run()?;
    if totals.failed > 0 {
        keep_failure(format!("{}: {totals}", step.what()));
    }
    step.done(&totals.to_string());
    Ok(totals)
}

/// Prints a failure, and keeps it for [`print_failures`].
pub(crate) fn report_failure(text: &str) {
    println!("{text}");
    keep_failure(text.to_owned());
}

pub(crate) fn keep_failure(text: String) {
    FAILURES.lock().unwrap_or_else(PoisonError::into_inner).push(text);
}

/// Prints all failures again, for readers of a long log, or of its end only.
pub(crate) fn print_failures() {
    let failures = FAILURES.lock().unwrap_or_else(PoisonError::into_inner);
    for (place, failure) in failures.iter().enumerate() {
        println!("failure {} of {}: {failure}", place + 1, failures.len());
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl std::iter::Sum for Totals {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Totals::default(), |mut sum, one| {
            sum += one;
            sum
        })
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::Totals;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn totals(passed: usize, failed: usize, skipped: usize) -> Option<Totals> {
        Some(Totals { passed, failed, skipped })
    }

    #[test]
    fn a_program_of_tests_is_counted_as_it_prints() {
        let script = "echo '2 passed, 0 failed, 1 skipped'; echo '3 passed, 0 failed'";
        assert_eq!(Totals::of_tests(&mut shell(script)).ok(), totals(5, 0, 1));
        assert_eq!(Totals::of_last_line(&mut shell(script)).ok(), totals(3, 0, 0));
    }

    #[test]
    fn a_bad_exit_code_is_a_failure_whatever_was_counted() {
        let script = "echo '2 passed, 0 failed'; exit 3";
        assert_eq!(Totals::of_tests(&mut shell(script)).ok(), totals(2, 1, 0));
        assert_eq!(Totals::of_last_line(&mut shell(script)).ok(), totals(2, 1, 0));
        let killed = "echo '2 passed, 0 failed, 4 skipped'; kill -9 $$";
        assert_eq!(Totals::of_programs(&mut [shell(killed), shell("true")], 0).ok(), totals(2, 1, 4));
    }

    #[test]
    fn no_passed_test_is_a_failure_unless_skips_are_allowed() {
        let skips = "echo '0 passed, 0 failed, 4 skipped'";
        assert_eq!(Totals::of_tests(&mut shell(skips)).ok(), totals(0, 1, 4));
        assert_eq!(Totals::of_programs(&mut [shell(skips), shell("true")], 0).ok(), totals(0, 0, 4));
        assert_eq!(Totals::of_programs(&mut [shell(skips)], 1).ok(), totals(0, 1, 4));
        assert_eq!(Totals::of_programs(&mut [shell("true")], 0).ok(), totals(0, 1, 0));
        assert_eq!(Totals::of_tests(&mut shell("true")).ok(), totals(0, 1, 0));
        assert_eq!(Totals::of_ctest(&mut shell("echo 'No tests were found!!!'")).ok(), totals(0, 1, 0));
    }

    #[test]
    fn failures_of_a_program_stay_as_many_as_it_counted() {
        let script = "echo '2 passed, 3 failed'; exit 1";
        assert_eq!(Totals::of_tests(&mut shell(script)).ok(), totals(2, 3, 0));
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        assert!(Totals::of_tests(&mut Command::new("/no/such/program")).is_err());
    }

    #[test]
    fn cargo_s_closing_lines_add_up_and_plain_ones_are_not_counted_again() {
        let text = "running 2 tests\ntest result: ok. 2 passed; 1 failed; 3 ignored; 0 measured; 0 filtered out\n\
                    test result: ok. 40 passed; 0 failed; 0 ignored\n40 passed, 0 failed, 0 skipped\n";
        assert_eq!(Some(Totals::of_output(text)), totals(42, 1, 3));
    }

    #[test]
    fn plain_closing_lines_add_up_where_there_are_no_others() {
        let text = "40 passed, 2 failed, 5 skipped\nall 3 passed, as expected\n1 passed, 0 failed\n";
        assert_eq!(Some(Totals::of_output(text)), totals(41, 2, 5));
    }

    #[test]
    fn the_failed_tests_of_one_program_are_found_among_others() {
        let text = "test a ... FAILED\n\nfailures:\n\n---- a stdout ----\nassertion failed\n\nfailures:\n    a\n\n\
                    test result: FAILED. 0 passed; 1 failed\n\nrunning 1 test\ntest result: ok. 1 passed; 0 failed\n";
        let failed = super::failed_tests(text).unwrap();
        assert!(failed.contains("assertion failed") && !failed.contains("running"), "{failed}");
        assert_eq!(super::failed_tests("test result: ok. 1 passed; 0 failed\n"), None);
    }

    #[test]
    fn ctest_s_lines_are_counted() {
        let text = "1/3 Test #1: a ....   Passed    0.00 sec\n2/3 Test #2: b ....***Failed    0.01 sec\n\
                    3/3 Test #3: c ....***Skipped   0.00 sec\n\n50% tests passed, 1 tests failed out of 2\n";
        assert_eq!(Some(Totals::of_ctest_output(text)), totals(1, 1, 1));
    }
}
