//! The additional needs of a transform: memory of our own, and copies into it and out of it.

use crate::failure::Result;
use crate::fft_layout::{Side, Transform};
use crate::fft_plan::{Step, real_starts, steps};

/// Where cuFFT finds the numbers of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Memory {
    /// In the caller's memory.
    Callers,
    /// In a copy of the caller's memory, from its start to the last number.
    Copy,
    /// Contiguously in memory of our own, because cuFFT does not support the caller's strides.
    Packed,
}

/// A transform in execution order: the input is copied if necessary, the steps run, the output is scaled and copied.
pub(crate) struct Schedule {
    /// The transform with the sides that are passed to cuFFT.
    pub(crate) transform: Transform,
    pub(crate) steps: Vec<Step>,
    pub(crate) input: Memory,
    pub(crate) output: Memory,
    /// The size of our own memory for each side, in bytes.
    pub(crate) own_input: usize,
    pub(crate) own_output: usize,
}

impl Schedule {
    /// Creates the schedule of a transform between two addresses, which may be the same.
    pub(crate) fn new(told: &Transform, input: u64, output: u64) -> Result<Self> {
        told.check()?;
        let in_place = input == output;
        let (rank, count) = (told.rank, told.count);
        let (input_lengths, output_lengths) = (told.input_lengths(), told.output_lengths());
        let mut packs_input = told.input.has_odd_steps(rank, input_lengths, count);
        let mut packs_output = told.output.has_odd_steps(rank, output_lengths, count);
        let packed_input = Side::packed(rank, input_lengths, told.is_real() && told.forward);
        let packed_output = Side::packed(rank, output_lengths, told.is_to_real());
        let mut transform = *told;
        if packs_input {
            transform.input = packed_input;
        }
        if packs_output {
            transform.output = packed_output;
        }
        if told.is_real() && told.forward && !packs_input && !reals_are_aligned(&transform, input) {
            (packs_input, transform.input) = (true, packed_input);
        }
        if told.is_to_real() && !packs_output && !reals_are_aligned(&transform, output) {
            (packs_output, transform.output) = (true, packed_output);
        }
        let steps = steps(&transform);
        // cuFFT overwrites the input of a transform to real numbers. Out of place, the caller's input must be
        // preserved.
        let overwrites = told.is_to_real() && !in_place;
        // In place, one execution would overwrite what another has yet to read.
        let mixes = in_place && !told.sides_coincide();
        let input = match (packs_input, overwrites || mixes) {
            (true, _) => Memory::Packed,
            (false, true) => Memory::Copy,
            (false, false) => Memory::Callers,
        };
        let output = if packs_output { Memory::Packed } else { Memory::Callers };
        let own = |memory: Memory, side: &Side, lengths, size: usize| {
            let numbers = if memory == Memory::Callers { 0 } else { side.span(rank, lengths, count) };
            (numbers as usize * size).next_multiple_of(ALIGNMENT)
        };
        let (input_size, output_size) = told.sizes();
        let own_input = own(input, &transform.input, input_lengths, input_size);
        let own_output = own(output, &transform.output, output_lengths, output_size);
        Ok(Self { transform, steps, input, output, own_input, own_output })
    }
}

/// Returns whether each execution starts at an address that cuFFT accepts for real numbers, which is one suitable for
/// complex numbers.
fn reals_are_aligned(transform: &Transform, address: u64) -> bool {
    let real = if transform.is_double() { 8 } else { 4 };
    let is_aligned = |start: i64| address.wrapping_add_signed(start * real).is_multiple_of(2 * real as u64);
    real_starts(&steps(transform)).into_iter().all(is_aligned)
}

/// The alignment of device memory.
const ALIGNMENT: usize = 256;
