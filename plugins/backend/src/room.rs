//! Memory whose size a caller or a file decides: if there is none, that is the call's error, while a failed allocation of any other
//! size ends the process, as everywhere in Rust.

use crate::types::ErrorCode;
use crate::{Error, Result};

/// An empty list with room for `count` values: pushing that many allocates nothing.
///
/// # Errors
///
/// `ErrorCode::OUT_OF_HOST_MEMORY`.
pub fn room<T>(count: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| out_of_memory(count.saturating_mul(size_of::<T>())))?;
    Ok(list)
}

/// A copy of a caller's or a file's bytes.
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
