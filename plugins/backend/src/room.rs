//! Allocations whose size is decided by a caller or a file. If they fail, the call returns an error. A failed
//! allocation of any other size aborts the process, as everywhere in Rust.

use crate::types::ErrorCode;
use crate::{Error, Result};

/// Creates an empty list with capacity for `count` values, so that pushing that many does not allocate.
///
/// # Errors
///
/// `ErrorCode::OUT_OF_HOST_MEMORY`.
pub fn room<T>(count: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| out_of_memory(count.saturating_mul(size_of::<T>())))?;
    Ok(list)
}

/// Copies bytes from a caller or a file.
///
/// # Errors
///
/// `ErrorCode::OUT_OF_HOST_MEMORY`.
pub fn copy_of(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut copy = room(bytes.len())?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

#[cold]
fn out_of_memory(size: usize) -> Error {
    Error::new(ErrorCode::OUT_OF_HOST_MEMORY, format!("the process gets no memory for {size} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_the_bytes_and_no_more_room() {
        let copy = copy_of(&[1, 2, 3]).unwrap();
        assert_eq!((&*copy, copy.capacity()), (&[1, 2, 3][..], 3));
    }

    #[test]
    fn more_than_there_is_is_an_error_that_says_how_much() {
        for count in [usize::MAX, usize::MAX / 16, 1 << 60] {
            let error = room::<u64>(count).unwrap_err();
            assert_eq!(error.code(), ErrorCode::OUT_OF_HOST_MEMORY);
            assert!(error.text().contains("bytes"), "{error}");
        }
    }
}
