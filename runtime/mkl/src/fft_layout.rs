//! A transform's layout as oneMKL tells it, and the plans of cuFFT that serve it.

use crate::element::Element;
use crate::failure::Result;

/// At most so many dimensions, as cuFFT has.
pub(crate) const RANK: usize = 3;

// `cufftType`.
const R2C: i32 = 0x2a;
const C2R: i32 = 0x2c;
const C2C: i32 = 0x29;
const D2Z: i32 = 0x6a;
const Z2D: i32 = 0x6c;
const Z2Z: i32 = 0x69;

/// Where the numbers of one side are: the first, then a step for each dimension, then one from transform to transform.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Side {
    pub(crate) offset: i64,
    pub(crate) strides: [i64; RANK],
    pub(crate) distance: i64,
}

/// A transform.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Transform {
    /// Float or double, real or complex: of the forward side.
    pub(crate) element: Element,
    pub(crate) rank: usize,
    pub(crate) lengths: [i64; RANK],
    pub(crate) count: i64,
    pub(crate) input: Side,
    pub(crate) output: Side,
    pub(crate) forward: bool,
}

/// The arguments of `cufftMakePlanMany64`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PlanArguments {
    pub(crate) lengths: Vec<i64>,
    pub(crate) input_extents: Vec<i64>,
    pub(crate) input_stride: i64,
    pub(crate) input_distance: i64,
    pub(crate) output_extents: Vec<i64>,
    pub(crate) output_stride: i64,
    pub(crate) output_distance: i64,
    pub(crate) count: i64,
    /// `cufftType`.
    pub(crate) kind: i32,
}

/// One execution of a plan, at offsets in numbers of the input's and the output's type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) plan: PlanArguments,
    pub(crate) input_at: i64,
    pub(crate) output_at: i64,
    /// Reads what an earlier step has written.
    pub(crate) on_output: bool,
}

impl Transform {
    pub(crate) fn is_real(&self) -> bool {
        matches!(self.element, Element::Float | Element::Double)
    }

    fn is_double(&self) -> bool {
        matches!(self.element, Element::Double | Element::ComplexDouble)
    }

    /// Bytes of a number of the input and of the output.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        let complex = if self.is_double() { 16 } else { 8 };
        let forward_side = if self.is_real() { complex / 2 } else { complex };
        if self.forward { (forward_side, complex) } else { (complex, forward_side) }
    }

    fn kind(&self) -> i32 {
        match (self.is_double(), self.is_real(), self.forward) {
            (false, true, true) => R2C,
            (false, true, false) => C2R,
            (false, false, _) => C2C,
            (true, true, true) => D2Z,
            (true, true, false) => Z2D,
            (true, false, _) => Z2Z,
        }
    }

    /// How many numbers of the input one execution may touch, from the first one on.
    pub(crate) fn input_span(&self) -> i64 {
        let lengths = self.lengths.iter().take(self.rank).enumerate().map(|(axis, &length)| {
            let halved = self.is_real() && !self.forward && axis + 1 == self.rank;
            if halved { length / 2 + 1 } else { length }
        });
        let steps = lengths.zip(self.input.strides).map(|(length, stride)| (length - 1) * stride);
        self.input.offset + steps.sum::<i64>() + (self.count - 1) * self.input.distance + 1
    }

    /// What to execute. One plan where the dimensions nest on both sides, else one dimension after the other.
    pub(crate) fn steps(&self) -> Result<Vec<Step>> {
        let strides = |side: &Side| side.strides.iter().take(self.rank).any(|&stride| stride <= 0);
        if self.lengths.iter().take(self.rank).any(|&length| length <= 0) || self.count <= 0 {
            return Err("a transform without numbers".into());
        }
        if strides(&self.input) || strides(&self.output) {
            return Err("cuFFT has no transforms with steps that are zero or negative".into());
        }
        if let Some(plan) = self.nested() {
            let (input_at, output_at) = (self.input.offset, self.output.offset);
            return Ok(vec![Step { plan, input_at, output_at, on_output: false }]);
        }
        if self.is_real() {
            return Err("real transforms of several dimensions need dimensions that nest in memory".into());
        }
        Ok(self.one_by_one())
    }

    /// The dimensions from the outermost in memory to the innermost. Complex transforms do not depend on the order.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rank).collect();
        if !self.is_real() {
            order.sort_by_key(|&axis| {
                std::cmp::Reverse((self.input.strides[axis], self.output.strides[axis]))
            });
        }
        order
    }

    /// One plan for all dimensions.
    fn nested(&self) -> Option<PlanArguments> {
        let order = self.order();
        let (input_extents, input_stride) = extents(&self.input, &self.lengths, &order)?;
        let (output_extents, output_stride) = extents(&self.output, &self.lengths, &order)?;
        Some(PlanArguments {
            lengths: order.iter().map(|&axis| self.lengths[axis]).collect(),
            input_extents,
            input_stride,
            input_distance: self.input.distance.max(1),
            output_extents,
            output_stride,
            output_distance: self.output.distance.max(1),
            count: self.count,
            kind: self.kind(),
        })
    }

    /// One-dimensional transforms along each dimension: the first from the input to the output, the others in the output.
    fn one_by_one(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for axis in 0..self.rank {
            let first = axis == 0;
            let from = if first { &self.input } else { &self.output };
            // Everything but this dimension: one of them is the plan's count, the others are executions.
            let mut others: Vec<(i64, i64, i64)> = (0..self.rank)
                .filter(|&other| other != axis)
                .map(|other| (self.lengths[other], from.strides[other], self.output.strides[other]))
                .collect();
            others.push((self.count, from.distance, self.output.distance));
            others.sort_by_key(|&(length, ..)| std::cmp::Reverse(length));
            let (count, input_distance, output_distance) = others.remove(0);
            let plan = PlanArguments {
                lengths: vec![self.lengths[axis]],
                input_extents: vec![self.lengths[axis]],
                input_stride: from.strides[axis],
                input_distance: input_distance.max(1),
                output_extents: vec![self.lengths[axis]],
                output_stride: self.output.strides[axis],
                output_distance: output_distance.max(1),
                count,
                kind: self.kind(),
            };
            let mut places = vec![(from.offset, self.output.offset)];
            for (length, input_step, output_step) in others {
                let step = |(input, output): (i64, i64)| {
                    (0..length).map(move |index| (input + index * input_step, output + index * output_step))
                };
                places = places.into_iter().flat_map(step).collect();
            }
            steps.extend(places.into_iter().map(|(input_at, output_at)| Step {
                plan: plan.clone(),
                input_at,
                output_at,
                on_output: !first,
            }));
        }
        steps
    }
}

/// cuFFT's extents for dimensions in this order: each step is a multiple of the next one, and no less than its length asks.
fn extents(side: &Side, lengths: &[i64; RANK], order: &[usize]) -> Option<(Vec<i64>, i64)> {
    let steps: Vec<i64> = order.iter().map(|&axis| side.strides[axis]).collect();
    let mut extents = vec![1; steps.len()];
    for index in 1..steps.len() {
        if steps[index - 1] % steps[index] != 0 {
            return None;
        }
        extents[index] = steps[index - 1] / steps[index];
    }
    // The outermost extent is not read.
    extents[0] = lengths[*order.first()?];
    Some((extents, *steps.last()?))
}
