//! Allocations whose size is decided by an input. If they fail, the input is refused. A failed allocation of any other
//! size aborts the process, as everywhere in Rust.

use std::borrow::Cow;

/// An allocation that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the process gets no memory for {bytes} bytes")]
pub struct OutOfMemory {
    /// The requested size in bytes.
    pub bytes: usize,
}

/// Reserves capacity for `more` values, so that pushing that many does not allocate.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    let bytes = list.len().saturating_add(more).saturating_mul(size_of::<T>());
    list.try_reserve(more).map_err(|_| OutOfMemory { bytes })
}

/// Creates an empty list with capacity for `count` values.
pub(crate) fn room<T>(count: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| OutOfMemory { bytes: count.saturating_mul(size_of::<T>()) })?;
    Ok(list)
}

/// Creates a list of `count` copies of a value.
pub(crate) fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut list = room(count)?;
    list.resize(count, value);
    Ok(list)
}

/// Collects an iterator of a known length.
pub(crate) fn list_of<T>(values: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, OutOfMemory> {
    let mut list = room(values.len())?;
    list.extend(values);
    Ok(list)
}

/// Copies bytes or words.
pub(crate) fn copy_of<T: Copy>(values: &[T]) -> Result<Vec<T>, OutOfMemory> {
    list_of(values.iter().copied())
}

/// Returns the bytes, copied if they are borrowed.
pub(crate) fn owned_bytes(bytes: Cow<'_, [u8]>) -> Result<Vec<u8>, OutOfMemory> {
    match bytes {
        Cow::Owned(bytes) => Ok(bytes),
        Cow::Borrowed(bytes) => copy_of(bytes),
    }
}

/// Returns the text, copied if it is borrowed.
pub(crate) fn owned_text(text: Cow<'_, str>) -> Result<String, OutOfMemory> {
    match text {
        Cow::Owned(text) => Ok(text),
        Cow::Borrowed(text) => {
            let mut copy = String::new();
            copy.try_reserve_exact(text.len()).map_err(|_| OutOfMemory { bytes: text.len() })?;
            copy.push_str(text);
            Ok(copy)
        }
    }
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
    }
}
