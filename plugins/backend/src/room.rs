//! Allocations whose size is decided by a caller or a file. If they fail, the call returns an error.

use sycl_pi_host_process as process;

use crate::types::ErrorCode;
use crate::{Error, Result};

/// Creates an empty list with capacity for `count` values, so that pushing that many does not allocate.
///
/// # Errors
///
/// `ErrorCode::OUT_OF_HOST_MEMORY`.
pub fn room<T>(count: usize) -> Result<Vec<T>> {
    process::room(count).map_err(out_of_memory)
}

/// Copies bytes from a caller or a file.
///
/// # Errors
///
/// `ErrorCode::OUT_OF_HOST_MEMORY`.
pub fn copy_of(bytes: &[u8]) -> Result<Vec<u8>> {
    process::copy_of(bytes).map_err(out_of_memory)
}

#[cold]
fn out_of_memory(error: process::OutOfMemory) -> Error {
    Error::new(ErrorCode::OUT_OF_HOST_MEMORY, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_is_an_error_that_says_how_much() {
        for count in [usize::MAX, usize::MAX / 16, 1 << 60] {
            let error = room::<u64>(count).unwrap_err();
            assert_eq!(error.code(), ErrorCode::OUT_OF_HOST_MEMORY);
            assert!(error.text().contains("bytes"), "{error}");
        }
    }
}
