//! A transform's lengths and the layout of its numbers, as oneMKL describes them.

use crate::element::Element;
use crate::failure::Result;
use crate::strided::Dimension;

/// The maximum number of dimensions, which is that of cuFFT.
pub(crate) const RANK: usize = 3;

/// The layout of one side: the offset of the first number, a stride for each dimension, and the distance between
/// transforms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Side {
    pub(crate) offset: i64,
    pub(crate) strides: [i64; RANK],
    pub(crate) distance: i64,
}

/// A transform. The complex side of a real transform has half of the last dimension.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transform {
    /// The type of the forward side: float or double, real or complex.
    pub(crate) element: Element,
    pub(crate) rank: usize,
    pub(crate) lengths: [i64; RANK],
    pub(crate) count: i64,
    pub(crate) input: Side,
    pub(crate) output: Side,
    pub(crate) forward: bool,
    /// The factor for every result.
    pub(crate) scale: f64,
}

impl Transform {
    pub(crate) fn is_real(&self) -> bool {
        matches!(self.element, Element::Float | Element::Double)
    }

    pub(crate) fn is_double(&self) -> bool {
        matches!(self.element, Element::Double | Element::ComplexDouble)
    }

    /// Returns whether it transforms complex numbers to real ones.
    pub(crate) fn is_to_real(&self) -> bool {
        self.is_real() && !self.forward
    }

    /// Returns the types of an input number and of an output number.
    pub(crate) fn elements(&self) -> (Element, Element) {
        let complex = if self.is_double() { Element::ComplexDouble } else { Element::ComplexFloat };
        if self.forward { (self.element, complex) } else { (complex, self.element) }
    }

    /// Returns the sizes in bytes of an input number and of an output number.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        let (input, output) = self.elements();
        (input.size(), output.size())
    }

    /// Returns the dimensions of the complex side of a real transform, or of both sides of a complex one.
    pub(crate) fn complex_lengths(&self) -> [i64; RANK] {
        let mut lengths = self.lengths;
        if self.is_real() {
            lengths[self.rank - 1] = lengths[self.rank - 1] / 2 + 1;
        }
        lengths
    }

    pub(crate) fn input_lengths(&self) -> [i64; RANK] {
        if self.is_to_real() { self.complex_lengths() } else { self.lengths }
    }

    pub(crate) fn output_lengths(&self) -> [i64; RANK] {
        if self.forward { self.complex_lengths() } else { self.lengths }
    }

    /// Removes dimensions of length one, whose strides have no meaning. One dimension stays; for a real transform, the
    /// last one stays.
    pub(crate) fn drop_single_numbers(&mut self) {
        let last = self.rank.saturating_sub(1);
        let stays = |axis: &usize| self.lengths[*axis] != 1 || self.is_real() && *axis == last;
        let mut kept: Vec<usize> = (0..self.rank).filter(stays).collect();
        if kept.is_empty() {
            kept.push(last);
        }
        self.rank = kept.len();
        for (axis, &from) in kept.iter().enumerate() {
            self.lengths[axis] = self.lengths[from];
            for side in [&mut self.input, &mut self.output] {
                side.strides[axis] = if self.lengths[from] == 1 { 1 } else { side.strides[from] };
            }
        }
    }

    /// Refuses invalid transforms.
    pub(crate) fn check(&self) -> Result<()> {
        if self.lengths.iter().take(self.rank).any(|&length| length <= 0) || self.count <= 0 {
            return Err("a transform without numbers".into());
        }
        let lengths = self.output_lengths();
        if self
            .output
            .dimensions(self.rank, lengths, self.count)
            .any(|(length, step)| length > 1 && step == 0)
        {
            return Err("a transform whose output has steps of zero: results would lie on each other".into());
        }
        Ok(())
    }

    /// Returns whether an in-place transform reads and writes each line of numbers at the same bytes.
    pub(crate) fn sides_coincide(&self) -> bool {
        if !self.is_real() {
            return self.input == self.output;
        }
        let (input_size, output_size) = self.sizes();
        let last = self.rank - 1;
        let places = |side: &Side, size: usize| {
            let steps = side.strides.iter().take(last).copied().chain([side.offset, side.distance]);
            (steps.map(|step| step * size as i64).collect::<Vec<_>>(), side.strides[last])
        };
        places(&self.input, input_size) == places(&self.output, output_size)
    }
}

impl Side {
    /// Returns the lengths and strides of every dimension and of the batch.
    pub(crate) fn dimensions(
        &self,
        rank: usize,
        lengths: [i64; RANK],
        count: i64,
    ) -> impl Iterator<Item = (i64, i64)> + use<> {
        let Self { strides, distance, .. } = *self;
        (0..rank).map(move |axis| (lengths[axis], strides[axis])).chain([(count, distance)])
    }

    /// Returns whether some stride is zero or negative, which cuFFT does not support.
    pub(crate) fn has_odd_steps(&self, rank: usize, lengths: [i64; RANK], count: i64) -> bool {
        self.dimensions(rank, lengths, count).any(|(length, step)| length > 1 && step <= 0)
    }

    /// Returns a contiguous layout with the last dimension innermost. Rows of real numbers start at even offsets, which
    /// cuFFT requires.
    pub(crate) fn packed(rank: usize, lengths: [i64; RANK], is_real: bool) -> Self {
        let mut side = Self { offset: 0, strides: [1; RANK], distance: 1 };
        for axis in (0..rank).rev() {
            side.strides[axis] = side.distance;
            let has_gap = is_real && axis + 1 == rank;
            side.distance *= if has_gap { lengths[axis] + lengths[axis] % 2 } else { lengths[axis] };
        }
        side
    }

    /// Returns the count of numbers from the start of the memory to the last number, given that no stride is negative.
    pub(crate) fn span(&self, rank: usize, lengths: [i64; RANK], count: i64) -> i64 {
        let steps = self.dimensions(rank, lengths, count).map(|(length, step)| (length - 1) * step);
        self.offset + steps.sum::<i64>() + 1
    }

    /// Returns the dimensions for copying numbers from this side to another.
    pub(crate) fn beside(
        &self,
        other: &Self,
        rank: usize,
        lengths: [i64; RANK],
        count: i64,
    ) -> Vec<Dimension<2>> {
        let pairs = self.dimensions(rank, lengths, count).zip(other.dimensions(rank, lengths, count));
        pairs.map(|((length, from), (_, to))| Dimension { length, steps: [from, to] }).collect()
    }
}
