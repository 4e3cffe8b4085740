//! Products of 8-bit integers. cuBLAS takes sizes and places that are multiples of 4. Others are copied into memory with such sizes,
//! filled up with zeros.

use crate::blas::Product;
use crate::driver::{Stream, copy_pieces, driver};
use crate::failure::Result;
use crate::workspace;

/// Bytes of an element of the result: an int32 or a float.
const RESULT: usize = 4;

fn up(size: i64) -> i64 {
    (size + 3) / 4 * 4
}

impl Product {
    /// Whether cuBLAS takes it as it is.
    pub(crate) fn has_multiples_of_4(&self) -> bool {
        let sizes = [self.m, self.n, self.k, self.lda, self.ldb, self.ldc];
        let strides = [self.stride_a, self.stride_b, self.stride_c];
        let places = [self.a, self.b];
        let is_multiple = |number: &i64| number % 4 == 0;
        sizes.iter().all(is_multiple)
            && (self.count < 0 || strides.iter().all(is_multiple))
            && places.iter().all(|place| place % 4 == 0)
    }

    /// Multiplies copies with sizes that are multiples of 4, one after the other.
    pub(crate) fn enqueue_copies(&self, stream: Stream) -> Result<()> {
        let shape = |transposed: bool, rows: i64, columns: i64| {
            if transposed { (columns, rows) } else { (rows, columns) }
        };
        let (a_rows, a_columns) = shape(self.ta != 0, self.m, self.k);
        let (b_rows, b_columns) = shape(self.tb != 0, self.k, self.n);
        let (m, n, k) = (up(self.m), up(self.n), up(self.k));
        let (lda, ldb) = (up(a_rows), up(b_rows));
        let a_size = (lda * up(a_columns)) as usize;
        let b_size = (ldb * up(b_columns)) as usize;
        let total = a_size + b_size + (m * n) as usize * RESULT;
        workspace::with(stream, |memory| {
            let a = memory.at_least(total)?;
            let (b, c) = (a + a_size as u64, a + (a_size + b_size) as u64);
            for index in 0..self.count.max(1) {
                let from_a = self.a.wrapping_add_signed(index * self.stride_a);
                let from_b = self.b.wrapping_add_signed(index * self.stride_b);
                let result = self.c.wrapping_add_signed(index * self.stride_c * RESULT as i64);
                let result_pitch = self.ldc as usize * RESULT;
                let (width, height) = (self.m as usize * RESULT, self.n as usize);
                driver()?.cuMemsetD8Async(a, 0, total, stream.raw)?;
                copy_pieces(
                    stream,
                    (a, lda as usize),
                    (from_a, self.lda as usize),
                    a_rows as usize,
                    a_columns as usize,
                )?;
                copy_pieces(
                    stream,
                    (b, ldb as usize),
                    (from_b, self.ldb as usize),
                    b_rows as usize,
                    b_columns as usize,
                )?;
                // What beta multiplies.
                copy_pieces(stream, (c, m as usize * RESULT), (result, result_pitch), width, height)?;
                let filled_up = Self { m, n, k, a, lda, b, ldb, c, ldc: m, count: -1, ..*self };
                filled_up.enqueue(stream)?;
                copy_pieces(stream, (result, result_pitch), (c, m as usize * RESULT), width, height)?;
            }
            Ok(())
        })
    }
}
