//! The pattern of a fill.

use crate::{Error, Result};

/// A pattern that fills rows of bytes, each a whole number of times.
///
/// Backends get fills as this type only, so they do not check the pattern again.
#[derive(Clone, Copy, Debug)]
pub struct Fill<'a> {
    pattern: &'a [u8],
    width: usize,
    height: usize,
}

impl<'a> Fill<'a> {
    /// A fill of `height` rows of `width` bytes.
    ///
    /// # Errors
    ///
    /// `INVALID_VALUE` for a fill of nothing, and for a pattern that does not fill a row a whole number of times. In
    /// calls that move memory, Unified Runtime's front answers `UR_RESULT_ERROR_INVALID_SIZE` for it (`failure_in_call`
    /// in `plugins/ur-front/src/convert.rs`).
    #[inline(always)]
    pub fn new(pattern: &'a [u8], width: usize, height: usize) -> Result<Self> {
        if width == 0 || height == 0 {
            return Err(Error::empty_command("a fill"));
        }
        if pattern.is_empty() || !width.is_multiple_of(pattern.len()) {
            return Err(Error::invalid_value(format!(
                "a pattern of {} bytes does not fill {width} bytes a whole number of times",
                pattern.len()
            )));
        }
        Ok(Self { pattern, width, height })
    }

    /// A fill of `size` bytes, which may be none.
    ///
    /// # Errors
    ///
    /// The same errors as [`Fill::new`].
    #[inline(always)]
    pub fn or_nothing(pattern: &'a [u8], size: usize) -> Result<Self> {
        if size == 0 { Ok(Self { pattern, width: 0, height: 1 }) } else { Self::new(pattern, size, 1) }
    }

    /// The pattern.
    pub fn pattern(&self) -> &'a [u8] {
        self.pattern
    }

    /// Bytes of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The rows, each as a fill by itself.
    pub fn row(&self) -> Self {
        Self { height: 1, ..*self }
    }
}

/// Returns the shortest pattern that repeats to the same bytes, which is one byte if all are the same.
pub fn shortest_pattern(pattern: &[u8]) -> &[u8] {
    let length = pattern.len();
    let repeats = |unit: &usize| {
        let (first, _) = pattern.split_at(*unit);
        length.is_multiple_of(*unit) && pattern.chunks_exact(*unit).all(|part| part == first)
    };
    let unit = (1..length).find(repeats).unwrap_or(length);
    &pattern[..unit]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_as_short_as_its_bytes_allow() {
        let of = |pattern: &[u8]| shortest_pattern(pattern).to_vec();
        assert_eq!(of(&[0; 300]), [0]);
        assert_eq!(of(&[1, 2, 1, 2, 1, 2]), [1, 2]);
        assert_eq!(of(&[1, 2, 3, 1, 2, 3]), [1, 2, 3]);
        assert_eq!(of(&[1, 2, 1, 2, 1]), [1, 2, 1, 2, 1]);
        assert_eq!(of(&[1, 1, 1, 2]), [1, 1, 1, 2]);
        assert_eq!(of(&[9]), [9]);
        assert_eq!(of(&[]), [0; 0]);
    }

    #[test]
    fn a_pattern_fills_each_row_a_whole_number_of_times() {
        assert!(Fill::new(&[1, 2, 3], 6, 2).is_ok());
        assert!(Fill::new(&[1, 2, 3], 7, 1).is_err());
        assert!(Fill::new(&[1, 2, 3], 2, 3).is_err());
        assert!(Fill::new(&[], 4, 1).is_err());
    }

    #[test]
    fn only_a_fill_that_may_be_empty_is_one_of_nothing() {
        assert!(Fill::new(&[1], 0, 1).is_err());
        assert!(Fill::new(&[1], 1, 0).is_err());
        assert!(Fill::or_nothing(&[1, 2, 3], 0).is_ok_and(|fill| fill.width() == 0));
        assert!(Fill::or_nothing(&[1, 2, 3], 4).is_err());
    }
}
