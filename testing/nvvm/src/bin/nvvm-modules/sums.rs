//! The results of a library's modules.

use std::collections::BTreeMap;

use testing_nvvm::stock::reason;

/// Counts of modules, except for the kernels.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    pub(crate) modules: usize,
    pub(crate) unique: usize,
    pub(crate) kernels: usize,
    pub(crate) refused_kernels: usize,
    pub(crate) translated: usize,
    pub(crate) sampled: usize,
    /// For each architecture.
    pub(crate) compiled: [usize; 2],
    pub(crate) assembled: [usize; 2],
    /// Compiled without optimization, because libnvvm failed with it.
    pub(crate) unoptimized: usize,
    /// The number of kernels that the translator refuses for a reason, or of modules that fail in another stage,
    /// with the file of the first one.
    pub(crate) failures: BTreeMap<(String, String), (usize, String)>,
}

impl Sums {
    /// Counts kernels that the translator refuses, all for one reason.
    pub(crate) fn refuse(&mut self, count: usize, message: &str, file: &str) {
        self.refused_kernels += count;
        self.count("translator", count, message, file);
    }

    /// Counts a module that fails in a stage after the translator.
    pub(crate) fn fail(&mut self, stage: &str, message: &str, file: &str) {
        self.count(stage, 1, message, file);
    }

    fn count(&mut self, stage: &str, count: usize, message: &str, file: &str) {
        let entry = self.failures.entry((stage.to_owned(), reason(message))).or_insert((0, file.to_owned()));
        entry.0 += count;
    }

    /// Prints the lines with all results.
    pub(crate) fn print(&self, package: &str, name: &str) {
        let [compiled, assembled] = [self.compiled, self.assembled].map(|[a, b]| format!("{a}\t{b}"));
        println!(
            "library\t{package}\t{name}\t{}\t{}\t{}\t{}\t{}\t{}\t{compiled}\t{assembled}\t{}",
            self.modules,
            self.unique,
            self.kernels,
            self.refused_kernels,
            self.translated,
            self.sampled,
            self.unoptimized
        );
        for ((stage, reason), (count, file)) in &self.failures {
            println!("failure\t{package}\t{name}\t{stage}\t{count}\t{file}\t{reason}");
        }
    }
}
