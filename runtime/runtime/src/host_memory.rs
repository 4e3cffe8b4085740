//! Allocates host memory whose size comes from a caller, an image or a driver.

use sycl_pi_host_process as process;

use crate::error::{Error, Result};

/// Returns this many values, or an error if there is no memory for them.
pub(crate) fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>> {
    process::filled(value, count).map_err(no_memory)
}

/// Reserves capacity for `more` values, so that adding them does not allocate.
pub(crate) fn reserve<T>(values: &mut Vec<T>, more: usize) -> Result<()> {
    process::reserve(values, more).map_err(no_memory)
}

/// Works like [`Vec::resize`], but returns an error if there is no memory.
pub(crate) fn resize<T: Clone>(values: &mut Vec<T>, count: usize, value: T) -> Result<()> {
    reserve(values, count.saturating_sub(values.len()))?;
    values.resize(count, value);
    Ok(())
}

fn no_memory(error: process::OutOfMemory) -> Error {
    Error::HostMemory(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_memory_is_an_error() {
        for count in [usize::MAX, usize::MAX / 8, 1 << 60] {
            assert!(matches!(filled(0_u64, count), Err(Error::HostMemory(text)) if text.contains("bytes")));
        }
        assert!(matches!(filled(7_u8, 3).as_deref(), Ok([7, 7, 7])));
    }
}
