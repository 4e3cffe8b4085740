//! The tested functions: every function of OpenCL.std, every conversion, atomic and group operation, with one file
//! for each kind.

mod atomics;
mod conversions;
mod elementary;
mod exact;
mod float_cases;
mod floats;
mod gamma;
mod geometry;
mod groups;
mod integers;
mod memory;
mod power;
mod select;

use crate::case::Case;

/// The extent of the test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amount {
    /// The number of random values for each function.
    pub(crate) count: usize,
    pub(crate) seed: u64,
    /// Whether to test only scalars and one vector width for each function.
    pub(crate) is_sample: bool,
}

impl Amount {
    /// Returns the vector widths for the function with this number.
    fn widths(self, number: usize) -> Vec<usize> {
        let vectors = [2, 3, 4, 8, 16];
        match self.is_sample {
            true => vec![1, vectors[number % vectors.len()]],
            false => [1].into_iter().chain(vectors).collect(),
        }
    }
}

/// A function and its cases. The expected results are computed only when the cases are requested.
pub(crate) struct Entry {
    pub(crate) name: String,
    cases: Box<dyn Fn(Amount) -> Vec<Case>>,
}

impl Entry {
    fn new(name: impl Into<String>, cases: impl Fn(Amount) -> Vec<Case> + 'static) -> Self {
        Self { name: name.into(), cases: Box::new(cases) }
    }

    pub(crate) fn cases(&self, amount: Amount) -> Vec<Case> {
        (self.cases)(amount)
    }
}

/// Returns all tested functions.
pub(crate) fn entries() -> Vec<Entry> {
    float_cases::entries()
        .chain(geometry::entries())
        .chain(integers::entries())
        .chain(memory::entries())
        .chain(conversions::entries())
        .chain(atomics::entries())
        .chain(groups::entries())
        .collect()
}

#[cfg(test)]
mod tests {
    use sycl_pi_image::spirv::CLOp;

    #[test]
    fn every_function_of_opencl_is_tried() {
        let names: Vec<String> = super::entries().into_iter().map(|entry| entry.name).collect();
        let functions = (0..1000).filter_map(CLOp::from_u32).map(|function| format!("{function:?}"));
        let (mut count, mut untried) = (0, Vec::new());
        for function in functions {
            count += 1;
            if !names.contains(&function) {
                untried.push(function);
            }
        }
        assert!(count >= 162, "the enumeration has {count} functions");
        assert!(untried.is_empty(), "{untried:?}");
    }
}
