//! Converts strided tensors to column-major matrices.

use crate::status::{INVALID_ARGUMENTS, Result, UNIMPLEMENTED};

/// A matrix of strided numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix {
    pub(crate) rows: i64,
    pub(crate) columns: i64,
    pub(crate) row_stride: i64,
    pub(crate) column_stride: i64,
}

impl Matrix {
    pub(crate) fn transposed(self) -> Self {
        let Self { rows, columns, row_stride, column_stride } = self;
        Self { rows: columns, columns: rows, row_stride: column_stride, column_stride: row_stride }
    }

    /// Returns the leading dimension if the matrix is column-major. A stride does not matter if its dimension has only
    /// one number.
    pub(crate) fn leading(self) -> Option<i64> {
        let least = self.rows.max(1);
        let is_dense = self.rows <= 1 || self.row_stride == 1;
        match self.columns {
            _ if !is_dense => None,
            ..=1 => Some(least),
            _ => Some(self.column_stride).filter(|&stride| stride >= least),
        }
    }

    /// Returns whether the matrix is the transpose of a column-major one, with the leading dimension of the
    /// column-major one.
    pub(crate) fn operand(self) -> Option<(bool, i64)> {
        let as_it_is = self.leading().map(|leading| (false, leading));
        as_it_is.or_else(|| Some((true, self.transposed().leading()?)))
    }
}

/// The products of a batch: their number, and the strides from each matrix of A, B and C to the next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Batch {
    pub(crate) count: i64,
    pub(crate) strides: [i64; 3],
}

/// Merges the dimensions of a batch, which are given from the outermost one by lengths and strides of A, B and C. The
/// operands A and B may have length one where C is longer.
pub(crate) fn batch(dimensions: impl DoubleEndedIterator<Item = [(i64, i64); 3]>) -> Result<Batch> {
    let mut merged = Batch { count: 1, strides: [0; 3] };
    for [a, b, c] in dimensions.rev() {
        let wanted = a.0.max(b.0);
        // A length of zero only matches one.
        let wanted = if a.0 == 0 || b.0 == 0 { 0 } else { wanted };
        if c.0 != wanted || [a.0, b.0].iter().any(|&length| length != wanted && length != 1) {
            return Err(INVALID_ARGUMENTS);
        }
        if c.0 == 1 {
            continue;
        }
        let strides = [a, b, c].map(|(length, stride)| if length == 1 { 0 } else { stride });
        let continues = strides
            .iter()
            .zip(merged.strides)
            .all(|(&outer, inner)| inner.checked_mul(merged.count) == Some(outer));
        if merged.count == 1 {
            merged.strides = strides;
        } else if merged.count != 0 && c.0 != 0 && !continues {
            return Err(UNIMPLEMENTED);
        }
        merged.count = merged.count.checked_mul(c.0).ok_or(UNIMPLEMENTED)?;
    }
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: i64, columns: i64, row_stride: i64, column_stride: i64) -> Matrix {
        Matrix { rows, columns, row_stride, column_stride }
    }

    #[test]
    fn a_matrix_is_taken_by_columns_or_by_rows() {
        assert_eq!(matrix(3, 5, 1, 4).operand(), Some((false, 4)));
        assert_eq!(matrix(3, 5, 7, 1).operand(), Some((true, 7)));
        assert_eq!(matrix(3, 5, 10, 2).operand(), None);
        // Rows that overlap.
        assert_eq!(matrix(3, 5, 4, 1).operand(), None);
    }

    #[test]
    fn a_stride_along_which_there_is_one_number_does_not_matter() {
        assert_eq!(matrix(1, 5, 99, 2).operand(), Some((false, 2)));
        assert_eq!(matrix(3, 1, 2, 99).operand(), Some((true, 2)));
        assert_eq!(matrix(3, 1, 1, 0).operand(), Some((false, 3)));
        assert_eq!(matrix(3, 0, 1, 0).operand(), Some((false, 3)));
        assert_eq!(matrix(0, 3, 9, 9).operand(), Some((false, 9)));
    }

    #[test]
    fn dimensions_of_a_batch_that_continue_each_other_become_one() {
        let dense = [[(2, 30), (2, 60), (2, 90)], [(3, 10), (3, 20), (3, 30)]];
        assert_eq!(batch(dense.into_iter()), Ok(Batch { count: 6, strides: [10, 20, 30] }));
        let apart = [[(2, 31), (2, 60), (2, 90)], [(3, 10), (3, 20), (3, 30)]];
        assert_eq!(batch(apart.into_iter()), Err(UNIMPLEMENTED));
    }

    #[test]
    fn one_matrix_serves_all_products_of_a_batch() {
        let one = [[(1, 77), (4, 20), (4, 30)]];
        assert_eq!(batch(one.into_iter()), Ok(Batch { count: 4, strides: [0, 20, 30] }));
        // It is broadcast along the inner dimension only, so its stride is not the same everywhere.
        let inner = [[(2, 10), (2, 60), (2, 90)], [(1, 5), (3, 20), (3, 30)]];
        assert_eq!(batch(inner.into_iter()), Err(UNIMPLEMENTED));
    }

    #[test]
    fn lengths_that_do_not_fit_are_invalid() {
        assert_eq!(batch([[(2, 1), (3, 1), (3, 1)]].into_iter()), Err(INVALID_ARGUMENTS));
        assert_eq!(batch([[(1, 1), (1, 1), (3, 1)]].into_iter()), Err(INVALID_ARGUMENTS));
        assert_eq!(batch([[(3, 1), (3, 1), (1, 1)]].into_iter()), Err(INVALID_ARGUMENTS));
        assert_eq!(batch([[(0, 1), (1, 1), (0, 1)]].into_iter()).map(|batch| batch.count), Ok(0));
    }
}
