//! Strided numbers in memory.

use std::cmp::Reverse;

/// The count of numbers along a dimension, and the stride between them in each of N arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Dimension<const N: usize> {
    pub(crate) length: i64,
    pub(crate) steps: [i64; N],
}

/// A line of numbers, and the offsets in each array at which such a line starts.
pub(crate) struct Lines<const N: usize> {
    pub(crate) line: Dimension<N>,
    pub(crate) starts: Vec<[i64; N]>,
}

/// Returns as few lines as possible that cover all numbers of these dimensions.
pub(crate) fn lines<const N: usize>(dimensions: Vec<Dimension<N>>, start: [i64; N]) -> Lines<N> {
    let mut merged = merged(dimensions);
    merged.sort_by_key(|dimension| Reverse(dimension.length));
    let one = Dimension { length: 1, steps: [1; N] };
    let line = if merged.is_empty() { one } else { merged.remove(0) };
    let mut starts = vec![start];
    for Dimension { length, steps } in merged {
        let along = |start: [i64; N]| {
            (0..length).map(move |index| std::array::from_fn(|array| start[array] + index * steps[array]))
        };
        starts = starts.into_iter().flat_map(along).collect();
    }
    Lines { line, starts }
}

/// Returns the dimensions from the outermost to the innermost. Dimensions of length one are removed, and two are merged
/// if the outer continues the inner in every array.
fn merged<const N: usize>(mut dimensions: Vec<Dimension<N>>) -> Vec<Dimension<N>> {
    dimensions.retain(|dimension| dimension.length != 1);
    dimensions.sort_by_key(|dimension| Reverse(dimension.steps.map(i64::abs)));
    let mut merged: Vec<Dimension<N>> = Vec::new();
    for inner in dimensions {
        let continues = |outer: &Dimension<N>| {
            outer.steps.iter().zip(inner.steps).all(|(&outer, step)| outer == step * inner.length)
        };
        match merged.last_mut().filter(|outer| continues(outer)) {
            Some(outer) => *outer = Dimension { length: outer.length * inner.length, ..inner },
            None => merged.push(inner),
        }
    }
    merged
}
