//! Counts the outcomes of modules.

use std::collections::BTreeMap;

/// The modules of a package, for one driver.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// The driver accepts the module as it is.
    pub(crate) same: usize,
    pub(crate) rewritten: usize,
    /// All kernels of the module are refused.
    pub(crate) refused: usize,
    pub(crate) refused_kernels: usize,
    /// The legalizer fails otherwise.
    pub(crate) failed: usize,
    /// The result is valid.
    pub(crate) valid: usize,
    /// The validator accepts the module, and not the result.
    pub(crate) invalid: usize,
    /// The validator accepts neither the module nor the result.
    pub(crate) not_judged: usize,
    /// The longest time that a module took, in microseconds.
    pub(crate) slowest: u128,
    /// Kinds and texts, each with the number of times, and the file of the first module.
    reasons: BTreeMap<(&'static str, String), (usize, String)>,
}

impl Counts {
    /// Counts a reason. `file` is called for the first one.
    pub(crate) fn add_reason(&mut self, kind: &'static str, text: String, file: impl FnOnce() -> String) {
        self.reasons.entry((kind, text)).or_insert_with(|| (0, file())).0 += 1;
    }

    /// Prints the lines with all numbers.
    pub(crate) fn print(&self, package: &str, driver: &str) {
        println!(
            "counts\t{package}\t{driver}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
            self.same,
            self.rewritten,
            self.refused,
            self.refused_kernels,
            self.failed,
            self.valid,
            self.invalid,
            self.not_judged,
            self.slowest
        );
        for ((kind, text), (count, file)) in &self.reasons {
            println!("reason\t{package}\t{driver}\t{kind}\t{count}\t{file}\t{text}");
        }
    }
}
