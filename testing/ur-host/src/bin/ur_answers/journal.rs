//! The record of calls and their results.

use std::collections::BTreeSet;

/// Numbers the calls, and records which one is in progress.
pub(crate) struct Journal {
    pub(crate) next: usize,
    pub(crate) first: usize,
    pub(crate) left_out: BTreeSet<usize>,
}

impl Journal {
    /// Records a call, unless an earlier process made it.
    pub(crate) fn call(&mut self, text: &str, make: impl FnOnce() -> String) {
        self.next += 1;
        if self.next > self.first && !self.left_out.contains(&(self.next - 1)) {
            self.write(text, make);
        }
    }

    /// Records a call that every process makes.
    pub(crate) fn write(&self, text: &str, make: impl FnOnce() -> String) {
        println!("@call\t{}\t{text}", self.next - 1);
        println!("@answer\t{}\t{}", self.next - 1, make().replace(['\n', '\t'], " "));
    }
}
