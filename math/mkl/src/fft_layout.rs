//! A transform as oneMKL tells it: its lengths, and where its numbers are.

use crate::element::Element;
use crate::failure::Result;
use crate::strided::Dimension;

/// At most so many dimensions, as cuFFT has.
pub(crate) const RANK: usize = 3;

/// Where the numbers of one side are: the first, then a step for each dimension, then one from transform to transform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Side {
    pub(crate) offset: i64,
    pub(crate) strides: [i64; RANK],
    pub(crate) distance: i64,
}

/// A transform. Of a real one, the complex side has half of the last dimension.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transform {
    /// Float or double, real or complex: of the forward side.
    pub(crate) element: Element,
    pub(crate) rank: usize,
    pub(crate) lengths: [i64; RANK],
    pub(crate) count: i64,
    pub(crate) input: Side,
    pub(crate) output: Side,
    pub(crate) forward: bool,
    /// What every result is multiplied by.
    pub(crate) scale: f64,
}

impl Transform {
    pub(crate) fn is_real(&self) -> bool {
        matches!(self.element, Element::Float | Element::Double)
    }

    pub(crate) fn is_double(&self) -> bool {
        matches!(self.element, Element::Double | Element::ComplexDouble)
    }

    /// Whether it makes real numbers of complex ones.
    pub(crate) fn is_to_real(&self) -> bool {
        self.is_real() && !self.forward
    }

    /// The types of a number of the input and of the output.
    pub(crate) fn elements(&self) -> (Element, Element) {
        let complex = if self.is_double() { Element::ComplexDouble } else { Element::ComplexFloat };
        if self.forward { (self.element, complex) } else { (complex, self.element) }
    }

    /// Bytes of a number of the input and of the output.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        let (input, output) = self.elements();
        (input.size(), output.size())
    }

    /// The dimensions of the complex side of a real transform, or of both sides of a complex one.
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

    /// Leaves out dimensions of one number, whose steps say nothing. One dimension stays; of a real transform, the last.
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

    /// Refuses what is no transform.
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

    /// Whether a transform in place reads and writes each line of numbers at the same bytes.
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
    /// Lengths and steps: of every dimension, and of the batch.
    pub(crate) fn dimensions(
        &self,
        rank: usize,
        lengths: [i64; RANK],
        count: i64,
    ) -> impl Iterator<Item = (i64, i64)> + use<> {
        let Self { strides, distance, .. } = *self;
        (0..rank).map(move |axis| (lengths[axis], strides[axis])).chain([(count, distance)])
    }

    /// Whether some step is zero or negative, which cuFFT does not take.
    pub(crate) fn has_odd_steps(&self, rank: usize, lengths: [i64; RANK], count: i64) -> bool {
        self.dimensions(rank, lengths, count).any(|(length, step)| length > 1 && step <= 0)
    }

    /// The same numbers side by side, the last dimension innermost. Rows of real numbers begin at even places, where cuFFT takes them.
    pub(crate) fn packed(rank: usize, lengths: [i64; RANK], is_real: bool) -> Self {
        let mut side = Self { offset: 0, strides: [1; RANK], distance: 1 };
        for axis in (0..rank).rev() {
            side.strides[axis] = side.distance;
            let has_gap = is_real && axis + 1 == rank;
            side.distance *= if has_gap { lengths[axis] + lengths[axis] % 2 } else { lengths[axis] };
        }
        side
    }

    /// How many numbers there are from the start of the memory to the last number. No step is negative.
    pub(crate) fn span(&self, rank: usize, lengths: [i64; RANK], count: i64) -> i64 {
        let steps = self.dimensions(rank, lengths, count).map(|(length, step)| (length - 1) * step);
        self.offset + steps.sum::<i64>() + 1
    }

    /// The dimensions of numbers that are copied from this side to another.
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
