//! Batches of matrices or vectors.

use crate::driver::{Stream, upload};
use crate::failure::Result;

/// Matrices or vectors of a batch: the address of the first, and the stride to the next, in numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    pub(crate) first: u64,
    pub(crate) stride: i64,
}

/// The size of an address in bytes.
pub(crate) const ADDRESS: usize = 8;

impl Batch {
    pub(crate) fn at(self, index: usize, size: usize) -> u64 {
        self.first.wrapping_add_signed(index as i64 * self.stride * size as i64)
    }

    /// Returns the batch starting at `index`.
    pub(crate) fn behind(self, index: usize, size: usize) -> Self {
        Self { first: self.at(index, size), ..self }
    }

    /// Writes the address of each matrix to the device, in the form in which NVIDIA's functions for batches read them.
    /// `size` is the size of a number.
    pub(crate) fn upload_addresses(self, stream: Stream, size: usize, count: usize, to: u64) -> Result<()> {
        upload(stream, (0..count).flat_map(|index| self.at(index, size).to_ne_bytes()).collect(), to)
    }
}
