//! Counting tests, whoever ran them.

use std::fmt;
use std::ops::AddAssign;

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
    use super::Tally;

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
