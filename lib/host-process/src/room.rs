//! Allocations whose size is decided by a caller, a file or a driver. If they fail, the call returns an error. A failed
//! allocation of any other size aborts the process, as everywhere in Rust.

use std::fmt;

/// An allocation that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// The requested size in bytes.
    pub bytes: usize,
}

impl OutOfMemory {
    fn of<T>(count: usize) -> Self {
        Self { bytes: count.saturating_mul(size_of::<T>()) }
    }
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the process gets no memory for {} bytes", self.bytes)
    }
}

impl std::error::Error for OutOfMemory {}

/// Creates an empty list with capacity for `count` values, so that pushing that many does not allocate.
///
/// # Errors
///
/// The process gets no memory for them.
pub fn room<T>(count: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| OutOfMemory::of::<T>(count))?;
    Ok(list)
}

/// Reserves capacity for `more` values, so that pushing that many does not allocate.
///
/// # Errors
///
/// The process gets no memory for them.
pub fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    let count = list.len().saturating_add(more);
    list.try_reserve(more).map_err(|_| OutOfMemory::of::<T>(count))
}

/// Creates a list of `count` copies of a value.
///
/// # Errors
///
/// The process gets no memory for them.
pub fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut list = room(count)?;
    list.resize(count, value);
    Ok(list)
}

/// Collects an iterator of a known length.
///
/// # Errors
///
/// The process gets no memory for its values.
pub fn list_of<T>(values: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, OutOfMemory> {
    let mut list = room(values.len())?;
    list.extend(values);
    Ok(list)
}

/// Copies bytes or other plain values.
///
/// # Errors
///
/// The process gets no memory for them.
pub fn copy_of<T: Copy>(values: &[T]) -> Result<Vec<T>, OutOfMemory> {
    let mut copy = room(values.len())?;
    copy.extend_from_slice(values);
    Ok(copy)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn what_is_beyond_memory_is_an_error_that_says_how_much() {
        assert_eq!(
            room::<u64>(1 << 60).unwrap_err().to_string(),
            format!("the process gets no memory for {} bytes", 1_u64 << 63)
        );
        assert_eq!(filled(0_u8, usize::MAX).unwrap_err().bytes, usize::MAX);
        let mut list = vec![0_u32; 3];
        assert_eq!(reserve(&mut list, 1 << 61).unwrap_err().bytes, ((1_usize << 61) + 3) * 4);
        assert_eq!((filled(7, 2).unwrap(), copy_of(&[1, 2]).unwrap()), (vec![7, 7], vec![1, 2]));
        assert_eq!(list_of([1, 2].into_iter()).unwrap(), [1, 2]);
    }

    #[test]
    fn a_copy_has_the_bytes_and_no_more_room() {
        let copy = copy_of(&[1_u8, 2, 3]).unwrap();
        assert_eq!((&*copy, copy.capacity()), (&[1, 2, 3][..], 3));
    }
}
