//! cuSPARSE.
//!
//! Every number is a pair of doubles here, and sums are rounded once. While a product is computed, its buffer has a
//! pattern: no other work may use it.

use std::ffi::{c_int, c_void};

use crate::faults::calls;
use crate::stream::{at, later};

const INVALID_VALUE: c_int = 3;
const NOT_SUPPORTED: c_int = 10;

/// The size of a product's buffer.
const BUFFER: usize = 4096 + 24;
const PATTERN: u8 = 0xa7;

pub(crate) struct Handle {
    stream: usize,
}

#[derive(Clone, Copy)]
pub(crate) struct Csr {
    rows: i64,
    columns: i64,
    starts: u64,
    indices: u64,
    values: u64,
    index_type: c_int,
    base: i64,
    kind: c_int,
}

/// A matrix, of one column if it is a vector.
#[derive(Clone, Copy)]
pub(crate) struct Dense {
    rows: i64,
    columns: i64,
    /// The steps to the next row and to the next column.
    steps: [i64; 2],
    values: u64,
    kind: c_int,
}

type Number = [f64; 2];

fn size_of_type(kind: c_int) -> Option<u64> {
    match kind {
        0 => Some(4),
        1 | 4 => Some(8),
        5 => Some(16),
        _ => None,
    }
}

fn read(kind: c_int, address: u64) -> Number {
    // SAFETY: the caller's number of this type.
    unsafe {
        match kind {
            0 => [f64::from(at::<f32>(address).read()), 0.0],
            1 => [at::<f64>(address).read(), 0.0],
            4 => at::<[f32; 2]>(address).read().map(f64::from),
            _ => at::<[f64; 2]>(address).read_unaligned(),
        }
    }
}

fn write(kind: c_int, address: u64, number: Number) {
    // SAFETY: the caller's number of this type.
    unsafe {
        match kind {
            0 => at::<f32>(address).write(number[0] as f32),
            1 => at::<f64>(address).write(number[0]),
            4 => at::<[f32; 2]>(address).write(number.map(|part| part as f32)),
            _ => at::<[f64; 2]>(address).write_unaligned(number),
        }
    }
}

fn times([a, b]: Number, [c, d]: Number) -> Number {
    [a * c - b * d, a * d + b * c]
}

fn plus([a, b]: Number, [c, d]: Number) -> Number {
    [a + c, b + d]
}

/// Returns a number as the operation takes it.
fn taken(operation: c_int, [real, imaginary]: Number) -> Number {
    [real, if operation == 2 { -imaginary } else { imaginary }]
}

impl Csr {
    /// Returns the numbers, each with its row and its column.
    fn entries(&self) -> Vec<(i64, i64, Number)> {
        let index = |array: u64, place: i64| -> i64 {
            // SAFETY: inside the caller's arrays.
            unsafe {
                match self.index_type {
                    2 => i64::from(at::<i32>(array).offset(place as isize).read()),
                    _ => at::<i64>(array).offset(place as isize).read(),
                }
            }
        };
        let size = size_of_type(self.kind).unwrap() as i64;
        let mut entries = Vec::new();
        for row in 0..self.rows {
            for place in index(self.starts, row) - self.base..index(self.starts, row + 1) - self.base {
                let column = index(self.indices, place) - self.base;
                assert!((0..self.columns).contains(&column), "column {column} of {}", self.columns);
                entries.push((row, column, read(self.kind, self.values + (place * size) as u64)));
            }
        }
        entries
    }
}

impl Dense {
    fn place(&self, row: i64, column: i64) -> u64 {
        let offset = row * self.steps[0] + column * self.steps[1];
        self.values + offset as u64 * size_of_type(self.kind).unwrap()
    }
}

calls! {
    fn cusparseCreate(handle: *mut *mut Handle) {
        // SAFETY: the caller's pointer.
        unsafe { *handle = Box::into_raw(Box::new(Handle { stream: 0 })) };
        0
    }

    fn cusparseSetStream(handle: *mut Handle, stream: *mut c_void) {
        // SAFETY: a live handle.
        unsafe { (*handle).stream = stream.expose_provenance() };
        0
    }

    fn cusparseCreateCsr(
        matrix: *mut *mut Csr, rows: i64, columns: i64, count: i64, starts: u64, indices: u64, values: u64,
        start_type: c_int, index_type: c_int, base: c_int, kind: c_int
    ) {
        let has_arrays = starts != 0 && (count == 0 || (indices != 0 && values != 0));
        if rows < 0 || columns < 0 || count < 0 || !has_arrays || !matches!(base, 0 | 1) {
            return INVALID_VALUE;
        }
        if start_type != index_type || !matches!(index_type, 2 | 3) || size_of_type(kind).is_none() {
            return NOT_SUPPORTED;
        }
        let made = Csr { rows, columns, starts, indices, values, index_type, base: i64::from(base), kind };
        // SAFETY: the caller's pointer.
        unsafe { *matrix = Box::into_raw(Box::new(made)) };
        0
    }

    fn cusparseDestroySpMat(matrix: *mut Csr) {
        // SAFETY: the box of `cusparseCreateCsr`.
        drop(unsafe { Box::from_raw(matrix) });
        0
    }

    fn cusparseCreateDnVec(vector: *mut *mut Dense, size: i64, values: u64, kind: c_int) {
        if size < 0 || values == 0 || size_of_type(kind).is_none() {
            return INVALID_VALUE;
        }
        let made = Dense { rows: size, columns: 1, steps: [1, size], values, kind };
        // SAFETY: the caller's pointer.
        unsafe { *vector = Box::into_raw(Box::new(made)) };
        0
    }

    fn cusparseDestroyDnVec(vector: *mut Dense) {
        // SAFETY: the box of `cusparseCreateDnVec`.
        drop(unsafe { Box::from_raw(vector) });
        0
    }

    fn cusparseCreateDnMat(
        matrix: *mut *mut Dense, rows: i64, columns: i64, ld: i64, values: u64, kind: c_int, order: c_int
    ) {
        let (line, steps) = if order == 1 { (rows, [1, ld]) } else { (columns, [ld, 1]) };
        let is_known = matches!(order, 1 | 2) && size_of_type(kind).is_some();
        if rows < 0 || columns < 0 || ld < line || values == 0 || !is_known {
            return INVALID_VALUE;
        }
        // SAFETY: the caller's pointer.
        unsafe { *matrix = Box::into_raw(Box::new(Dense { rows, columns, steps, values, kind })) };
        0
    }

    fn cusparseDestroyDnMat(matrix: *mut Dense) {
        // SAFETY: the box of `cusparseCreateDnMat`.
        drop(unsafe { Box::from_raw(matrix) });
        0
    }

    fn cusparseSpMV_bufferSize(
        _: *mut Handle, _: c_int, _: *const c_void, _: *mut Csr, _: *mut Dense, _: *const c_void, _: *mut Dense,
        _: c_int, _: c_int, size: *mut usize
    ) {
        // SAFETY: the caller's pointer.
        unsafe { *size = BUFFER };
        0
    }

    fn cusparseSpMV(
        handle: *mut Handle, operation: c_int, alpha: *const c_void, a: *mut Csr, x: *mut Dense,
        beta: *const c_void, y: *mut Dense, compute: c_int, _: c_int, buffer: u64
    ) {
        // SAFETY: live objects.
        let (handle, a, x, y) = unsafe { (&*handle, *a, *x, *y) };
        multiply(handle, (operation, 0), (alpha, beta), a, x, y, compute, buffer)
    }

    fn cusparseSpMM_bufferSize(
        _: *mut Handle, _: c_int, operation_x: c_int, _: *const c_void, _: *mut Csr, x: *mut Dense, _: *const c_void,
        _: *mut Dense, _: c_int, _: c_int, size: *mut usize
    ) {
        // SAFETY: a live object.
        if operation_x == 2 && unsafe { (*x).rows } == 1 {
            // cuSPARSE 12.6 answers this.
            return NOT_SUPPORTED;
        }
        // SAFETY: the caller's pointer.
        unsafe { *size = BUFFER };
        0
    }

    fn cusparseSpMM(
        handle: *mut Handle, operation_a: c_int, operation_x: c_int, alpha: *const c_void, a: *mut Csr,
        x: *mut Dense, beta: *const c_void, y: *mut Dense, compute: c_int, _: c_int, buffer: u64
    ) {
        // SAFETY: live objects.
        let (handle, a, x, y) = unsafe { (&*handle, *a, *x, *y) };
        multiply(handle, (operation_a, operation_x), (alpha, beta), a, x, y, compute, buffer)
    }
}

/// Enqueues `y = alpha * op(a) * op(x) + beta * y`.
fn multiply(
    handle: &Handle,
    (operation_a, operation_x): (c_int, c_int),
    (alpha, beta): (*const c_void, *const c_void),
    a: Csr,
    x: Dense,
    y: Dense,
    compute: c_int,
    buffer: u64,
) -> c_int {
    let flipped = |operation: c_int, size: (i64, i64)| if operation == 0 { size } else { (size.1, size.0) };
    let (rows, inner) = flipped(operation_a, (a.rows, a.columns));
    let right = flipped(operation_x, (x.rows, x.columns));
    if right != (inner, y.columns) || y.rows != rows || buffer == 0 {
        return INVALID_VALUE;
    }
    let is_real = matches!(a.kind, 0 | 1);
    let kinds = [x.kind, y.kind, compute];
    if kinds != [a.kind; 3] || (is_real && (operation_a == 2 || operation_x == 2)) {
        return NOT_SUPPORTED;
    }
    // SAFETY: numbers of the computation's type.
    let [alpha, beta] = [alpha, beta].map(|number| read(compute, number.expose_provenance() as u64));
    later(handle.stream, move || {
        // SAFETY: the caller's memory of the size that was asked for.
        let buffer = unsafe { std::slice::from_raw_parts_mut(at::<u8>(buffer), BUFFER) };
        buffer.fill(PATTERN);
        let mut sums = vec![[0.0; 2]; (rows * y.columns) as usize];
        for (row, column, number) in a.entries() {
            let (row, inner) = if operation_a == 0 { (row, column) } else { (column, row) };
            for column in 0..y.columns {
                let from = if operation_x == 0 { x.place(inner, column) } else { x.place(column, inner) };
                let product = times(taken(operation_a, number), taken(operation_x, read(x.kind, from)));
                let sum = &mut sums[(row * y.columns + column) as usize];
                *sum = plus(*sum, product);
            }
        }
        for row in 0..rows {
            for column in 0..y.columns {
                let (place, sum) = (y.place(row, column), sums[(row * y.columns + column) as usize]);
                let old = if beta == [0.0; 2] { beta } else { times(beta, read(y.kind, place)) };
                write(y.kind, place, plus(times(alpha, sum), old));
            }
        }
        assert!(buffer.iter().all(|byte| *byte == PATTERN), "the buffer was used by other work");
    })
}
