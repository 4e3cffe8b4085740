//! Fills with patterns of any length, implemented by the driver's memsets, which support 1, 2 and 4 bytes.

use sycl_pi_backend::{Result, room, shortest_pattern};

use crate::sys::{CUdeviceptr, CUstream, cuda};

/// A memset of the driver, which writes one element of the pattern in every copy of the pattern.
pub(crate) struct Memset {
    pub(crate) start: CUdeviceptr,
    /// Bytes from one copy of the pattern to the next.
    pub(crate) pitch: usize,
    pub(crate) value: u32,
    /// The size of an element: 1, 2 or 4 bytes.
    pub(crate) element: usize,
    /// The number of adjacent elements.
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Returns the memsets that fill `size` bytes, which the pattern fits into a whole number of times. They are
/// independent of each other.
pub(crate) fn memsets(start: CUdeviceptr, pattern: &[u8], size: usize) -> Result<Vec<Memset>> {
    let pattern = shortest_pattern(pattern);
    let copies = size / pattern.len();
    let element = [4, 2, 1]
        .into_iter()
        .find(|unit| pattern.len().is_multiple_of(*unit) && start.is_multiple_of(*unit as u64))
        .unwrap_or(1);
    let value = |bytes: &[u8]| {
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(bytes);
        u32::from_le_bytes(word)
    };
    if pattern.len() == element {
        let memset = Memset { start, pitch: size, value: value(pattern), element, width: copies, height: 1 };
        return Ok(vec![memset]);
    }
    let memset = |(index, bytes): (usize, &[u8])| Memset {
        start: start + (index * element) as u64,
        pitch: pattern.len(),
        value: value(bytes),
        element,
        width: 1,
        height: copies,
    };
    let mut list = room(pattern.len() / element)?;
    list.extend(pattern.chunks_exact(element).enumerate().map(memset));
    Ok(list)
}

impl Memset {
    /// Enqueues the memset to a stream.
    pub(crate) fn enqueue(&self, stream: CUstream) -> Result<()> {
        let cuda = cuda()?;
        let Memset { start, pitch, value, element, width, height } = *self;
        match (element, height) {
            (1, 1) => cuda.cuMemsetD8Async(start, value as u8, width, stream),
            (2, 1) => cuda.cuMemsetD16Async(start, value as u16, width, stream),
            (_, 1) => cuda.cuMemsetD32Async(start, value, width, stream),
            (1, _) => cuda.cuMemsetD2D8Async(start, pitch, value as u8, width, height, stream),
            (2, _) => cuda.cuMemsetD2D16Async(start, pitch, value as u16, width, height, stream),
            _ => cuda.cuMemsetD2D32Async(start, pitch, value, width, height, stream),
        }
    }
}

/// Enqueues a fill of `size` bytes to a stream.
pub(crate) fn fill(start: CUdeviceptr, pattern: &[u8], size: usize, stream: CUstream) -> Result<()> {
    if size == 0 {
        return Ok(());
    }
    memsets(start, pattern, size)?.iter().try_for_each(|memset| memset.enqueue(stream))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what the memsets write into memory that starts at the given address.
    fn filled(start: u64, pattern: &[u8], size: usize) -> (usize, Vec<u8>) {
        let mut memory = vec![0xee; size];
        let memsets = memsets(start, pattern, size).unwrap();
        for Memset { start: at, pitch, value, element, width, height } in &memsets {
            assert!(at.is_multiple_of(*element as u64), "a driver takes aligned addresses only");
            for (row, column) in (0..*height).flat_map(|row| (0..*width).map(move |column| (row, column))) {
                let to = (at - start) as usize + row * pitch + column * element;
                memory[to..to + element].copy_from_slice(&value.to_le_bytes()[..*element]);
            }
        }
        (memsets.len(), memory)
    }

    #[test]
    fn memsets_write_every_copy_of_the_pattern() {
        for (start, pattern, count) in [
            (0x1000, &[1_u8][..], 1),
            (0x1000, &[1, 2], 1),
            (0x1001, &[1, 2], 2),
            (0x1000, &[1, 2, 3, 4], 1),
            (0x1002, &[1, 2, 3, 4], 2),
            (0x1000, &[1, 2, 3, 4, 5, 6], 3),
            (0x1000, &[1, 2, 3, 4, 5, 6, 7, 8], 2),
            // It repeats a shorter pattern.
            (0x1000, &[5, 6, 5, 6, 5, 6, 5, 6], 1),
        ] {
            let (memsets, memory) = filled(start, pattern, pattern.len() * 6);
            assert_eq!(memory, pattern.repeat(6), "{pattern:?} at {start:#x}");
            assert_eq!(memsets, count, "{pattern:?} at {start:#x}");
        }
    }
}
