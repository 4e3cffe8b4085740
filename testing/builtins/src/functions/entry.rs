//! A function among those that are tried, and how much of it is.

use crate::case::Case;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amount {
    /// Random values of each function.
    pub(crate) count: usize,
    pub(crate) seed: u64,
    /// Whether one width of vectors is enough for each function, beside scalars.
    pub(crate) is_sample: bool,
}

impl Amount {
    /// The widths of vectors for the function with this number.
    pub(super) fn widths(self, number: usize) -> Vec<usize> {
        let vectors = [2, 3, 4, 8, 16];
        match self.is_sample {
            true => vec![1, vectors[number % vectors.len()]],
            false => [1].into_iter().chain(vectors).collect(),
        }
    }
}

/// A function, and its cases once they are asked for: what they have to give is computed then.
pub(crate) struct Entry {
    pub(crate) name: String,
    cases: Box<dyn Fn(Amount) -> Vec<Case>>,
}

impl Entry {
    pub(super) fn new(name: impl Into<String>, cases: impl Fn(Amount) -> Vec<Case> + 'static) -> Self {
        Self { name: name.into(), cases: Box::new(cases) }
    }

    pub(crate) fn cases(&self, amount: Amount) -> Vec<Case> {
        (self.cases)(amount)
    }
}
