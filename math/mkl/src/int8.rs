//! Products of 8-bit integers. cuBLAS requires sizes and addresses that are multiples of 4. Other matrices are copied
//! into memory with such sizes and padded with zeros.

use crate::blas::Product;
use crate::driver::{Stream, copy_slices, driver};
use crate::failure::Result;
use crate::workspace;

/// The size in bytes of an element of the result, an int32 or a float.
const RESULT: usize = 4;

fn up(size: i64) -> i64 {
    (size + 3) / 4 * 4
}

impl Product {
    /// Returns whether cuBLAS supports the product without copies.
    pub(crate) fn has_multiples_of_4(&self) -> bool {
        let sizes = [self.m, self.n, self.k, self.lda, self.ldb, self.ldc];
        let strides = [self.stride_a, self.stride_b, self.stride_c];
        let places = [self.a, self.b];
        let is_multiple = |number: &i64| number % 4 == 0;
        sizes.iter().all(is_multiple)
            && (self.count < 0 || strides.iter().all(is_multiple))
            && places.iter().all(|place| place % 4 == 0)
    }

    /// Multiplies copies with sizes that are multiples of 4, as many at once as fit into large memory.
    pub(crate) fn enqueue_copies(&self, stream: Stream) -> Result<()> {
        let one = up(self.m) * up(self.k) + up(self.k) * up(self.n) + up(self.m) * up(self.n) * RESULT as i64;
        let most = (workspace::LARGE as i64 / one).max(1);
        if self.count <= most {
            return self.enqueue_copies_at_once(stream);
        }
        (0..self.count).step_by(most as usize).try_for_each(|start| {
            let behind = |first: u64, step: i64| first.wrapping_add_signed(start * step);
            let (a, b) = (behind(self.a, self.stride_a), behind(self.b, self.stride_b));
            let c = behind(self.c, self.stride_c * RESULT as i64);
            let part = Self { a, b, c, count: most.min(self.count - start), ..*self };
            part.enqueue_copies_at_once(stream)
        })
    }

    fn enqueue_copies_at_once(&self, stream: Stream) -> Result<()> {
        let shape = |transposed: bool, rows: i64, columns: i64| {
            if transposed { (columns, rows) } else { (rows, columns) }
        };
        let (m, n, k) = (up(self.m), up(self.n), up(self.k));
        // Matrices with a stride of zero are all the same.
        let matrices = |step: i64| if step == 0 { 1 } else { self.count.max(1) as usize };
        let count = self.count.max(1) as usize;
        let a = Copied::of(
            self.a,
            shape(self.ta != 0, self.m, self.k),
            self.lda,
            self.stride_a,
            matrices(self.stride_a),
            1,
        );
        let b = Copied::of(
            self.b,
            shape(self.tb != 0, self.k, self.n),
            self.ldb,
            self.stride_b,
            matrices(self.stride_b),
            1,
        );
        let c = Copied::of(self.c, (self.m, self.n), self.ldc, self.stride_c, count, RESULT);
        let total = a.bytes() + b.bytes() + c.bytes();
        workspace::with(stream, |memory| {
            let a_place = memory.at_least(total)?;
            let (b_place, c_place) = (a_place + a.bytes() as u64, a_place + (a.bytes() + b.bytes()) as u64);
            driver()?.cuMemsetD8Async(a_place, 0, total, stream.raw)?;
            copy_slices(stream, a.copy(a_place), a.callers(), a.extent)?;
            copy_slices(stream, b.copy(b_place), b.callers(), b.extent)?;
            // The matrix that beta multiplies.
            copy_slices(stream, c.copy(c_place), c.callers(), c.extent)?;
            let filled_up = Self {
                m,
                n,
                k,
                a: a_place,
                lda: a.pitch as i64,
                stride_a: a.stride(),
                b: b_place,
                ldb: b.pitch as i64,
                stride_b: b.stride(),
                c: c_place,
                ldc: m,
                stride_c: c.stride(),
                ..*self
            };
            filled_up.enqueue(stream)?;
            copy_slices(stream, c.callers(), c.copy(c_place), c.extent)
        })
    }
}

/// A caller's matrices, and their copies with sizes that are multiples of 4. Everything is in bytes.
struct Copied {
    first: u64,
    caller_pitch: usize,
    caller_step: usize,
    pitch: usize,
    columns: usize,
    number: usize,
    /// The bytes of a column, the number of columns, and the number of matrices.
    extent: (usize, usize, usize),
}

impl Copied {
    fn of(
        first: u64,
        (rows, columns): (i64, i64),
        ld: i64,
        step: i64,
        matrices: usize,
        number: usize,
    ) -> Self {
        let bytes = |numbers: i64| numbers as usize * number;
        Self {
            first,
            caller_pitch: bytes(ld),
            caller_step: bytes(step),
            // Even for matrices without rows, cuBLAS requires a leading dimension.
            pitch: bytes(up(rows.max(1))),
            columns: up(columns) as usize,
            number,
            extent: (bytes(rows), columns as usize, matrices),
        }
    }

    fn bytes(&self) -> usize {
        self.pitch * self.columns * self.extent.2
    }

    /// Returns the stride from copy to copy, in numbers.
    fn stride(&self) -> i64 {
        let is_one = self.extent.2 == 1;
        if is_one { 0 } else { (self.pitch * self.columns / self.number) as i64 }
    }

    fn callers(&self) -> (u64, usize, usize) {
        (self.first, self.caller_pitch, self.caller_step)
    }

    fn copy(&self, place: u64) -> (u64, usize, usize) {
        (place, self.pitch, self.pitch * self.columns)
    }
}
