//! The cuFFT plans that implement a transform.

use std::cmp::Reverse;

use crate::fft_layout::{RANK, Side, Transform};
use crate::strided::{Dimension, lines};

// `cufftType`.
const R2C: i32 = 0x2a;
const C2R: i32 = 0x2c;
const C2C: i32 = 0x29;
const D2Z: i32 = 0x6a;
const Z2D: i32 = 0x6c;
const Z2Z: i32 = 0x69;

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

/// The memory that a step reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Input,
    Output,
}

/// Executions of a plan, at offsets in numbers of the types that it reads and writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) plan: PlanArguments,
    pub(crate) from: Place,
    pub(crate) to: Place,
    pub(crate) starts: Vec<[i64; 2]>,
}

/// One side of a step.
type End<'a> = (Place, &'a Side);

/// Returns the steps to execute. If the dimensions nest on both sides, this is one plan, else one dimension after the
/// other. If a transform to real numbers has several steps, they also write to the input.
pub(crate) fn steps(transform: &Transform) -> Vec<Step> {
    if let Some(plan) = nested(transform) {
        let starts = vec![[transform.input.offset, transform.output.offset]];
        return vec![Step { plan, from: Place::Input, to: Place::Output, starts }];
    }
    let (input, output) = ((Place::Input, &transform.input), (Place::Output, &transform.output));
    let last = transform.rank - 1;
    let complex = if transform.is_double() { Z2Z } else { C2C };
    let complex_along =
        |axis, from, to| along(transform, axis, complex, transform.complex_lengths(), from, to);
    let real = || along(transform, last, kind(transform), transform.lengths, input, output);
    match (transform.is_real(), transform.forward) {
        (true, true) => {
            std::iter::once(real()).chain((0..last).map(|axis| complex_along(axis, output, output))).collect()
        }
        (true, false) => (0..last).map(|axis| complex_along(axis, input, input)).chain([real()]).collect(),
        (false, _) => (0..=last)
            .map(|axis| complex_along(axis, if axis == 0 { input } else { output }, output))
            .collect(),
    }
}

/// Returns the offsets, in real numbers, of the executions that read or write real numbers.
pub(crate) fn real_starts(steps: &[Step]) -> Vec<i64> {
    let starts = steps.iter().flat_map(|step| step.starts.iter().map(|start| (step.plan.kind, start)));
    starts
        .filter_map(|(kind, &[input, output])| match kind {
            R2C | D2Z => Some(input),
            C2R | Z2D => Some(output),
            _ => None,
        })
        .collect()
}

fn kind(transform: &Transform) -> i32 {
    match (transform.is_double(), transform.is_real(), transform.forward) {
        (false, true, true) => R2C,
        (false, true, false) => C2R,
        (false, false, _) => C2C,
        (true, true, true) => D2Z,
        (true, true, false) => Z2D,
        (true, false, _) => Z2Z,
    }
}

/// Returns a single plan for all dimensions.
fn nested(transform: &Transform) -> Option<PlanArguments> {
    // From the outermost dimension in memory to the innermost. The halved dimension of a real transform is always the
    // last one.
    let sorted = transform.rank - usize::from(transform.is_real());
    let mut order: Vec<usize> = (0..transform.rank).collect();
    order[..sorted]
        .sort_by_key(|&axis| Reverse((transform.input.strides[axis], transform.output.strides[axis])));
    let (input, output) = (&transform.input, &transform.output);
    let (input_extents, input_stride) = extents(input, transform.input_lengths(), &order)?;
    let (output_extents, output_stride) = extents(output, transform.output_lengths(), &order)?;
    Some(PlanArguments {
        lengths: order.iter().map(|&axis| transform.lengths[axis]).collect(),
        input_extents,
        input_stride,
        input_distance: input.distance.max(1),
        output_extents,
        output_stride,
        output_distance: output.distance.max(1),
        count: transform.count,
        kind: kind(transform),
    })
}

/// Returns cuFFT's extents for dimensions in this order. Each stride must be a multiple of the next one, and at least
/// as large as its length requires.
fn extents(side: &Side, lengths: [i64; RANK], order: &[usize]) -> Option<(Vec<i64>, i64)> {
    let steps: Vec<i64> = order.iter().map(|&axis| side.strides[axis]).collect();
    // The outermost extent is never read.
    let mut extents = vec![lengths[*order.first()?]];
    for (index, &axis) in order.iter().enumerate().skip(1) {
        let extent = steps[index - 1] / steps[index];
        if steps[index - 1] % steps[index] != 0 || extent < lengths[axis] {
            return None;
        }
        extents.push(extent);
    }
    Some((extents, *steps.last()?))
}

/// Returns one-dimensional transforms along a dimension. `lengths` are those of the other dimensions.
fn along(
    transform: &Transform,
    axis: usize,
    kind: i32,
    lengths: [i64; RANK],
    (from, input): End<'_>,
    (to, output): End<'_>,
) -> Step {
    let mut others = input.beside(output, transform.rank, lengths, transform.count);
    let Dimension { length: in_line, steps: [input_stride, output_stride] } = others.remove(axis);
    let batch = lines(others, [input.offset, output.offset]);
    let length = if kind == C2C || kind == Z2Z { in_line } else { transform.lengths[axis] };
    let plan = PlanArguments {
        lengths: vec![length],
        input_extents: vec![length],
        input_stride,
        input_distance: batch.line.steps[0],
        output_extents: vec![length],
        output_stride,
        output_distance: batch.line.steps[1],
        count: batch.line.length,
        kind,
    };
    Step { plan, from, to, starts: batch.starts }
}
