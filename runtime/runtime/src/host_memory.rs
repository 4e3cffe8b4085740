//! Allocates host memory whose size comes from a caller, an image or a driver.

use crate::error::{Error, Result};

/// Returns this many values, or an error if there is no memory for them.
pub(crate) fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>> {
    let mut values = Vec::new();
    resize(&mut values, count, value)?;
    Ok(values)
}

/// Reserves capacity for `more` values, so that adding them does not allocate.
pub(crate) fn reserve<T>(values: &mut Vec<T>, more: usize) -> Result<()> {
    values.try_reserve(more).map_err(|_| no_memory::<T>(values.len().saturating_add(more)))
}

/// Works like [`Vec::resize`], but returns an error if there is no memory.
pub(crate) fn resize<T: Clone>(values: &mut Vec<T>, count: usize, value: T) -> Result<()> {
    let more = count.saturating_sub(values.len());
    values.try_reserve_exact(more).map_err(|_| no_memory::<T>(count))?;
    values.resize(count, value);
    Ok(())
}

fn no_memory<T>(count: usize) -> Error {
    Error::HostMemory(format!("there is no memory for {count} values of {} bytes", size_of::<T>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_memory_is_an_error() {
        for count in [usize::MAX, usize::MAX / 8, 1 << 60] {
            assert!(matches!(filled(0_u64, count), Err(Error::HostMemory(text)) if text.contains("8 bytes")));
        }
        assert!(matches!(filled(7_u8, 3).as_deref(), Ok([7, 7, 7])));
    }
}
