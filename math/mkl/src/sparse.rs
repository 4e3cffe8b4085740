//! Products of sparse matrices, on cuSPARSE.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::ffi::{c_char, c_int};

use crate::blas::{multiply, operation};
use crate::call::{answer, stream};
use crate::cublas::{Aligned, Number};
use crate::cusparse::{Descriptor, Object, Sparse, with_handle};
use crate::driver::Stream;
use crate::element::Element;
use crate::failure::Result;
use crate::workspace;

/// A sparse matrix: `pi_math_csr` of `rim/pi_math.hpp`.
#[repr(C)]
#[derive(Debug)]
pub struct Csr {
    element: c_int,
    /// In bytes.
    index_size: c_int,
    base: c_int,
    rows: i64,
    columns: i64,
    /// The number of stored numbers.
    count: i64,
    starts: u64,
    indices: u64,
    values: u64,
}

// As in the C++ header.
const _: () = assert!(size_of::<Csr>() == 64 && std::mem::offset_of!(Csr, values) == 56);

/// The dense operand of a product, and its result: `pi_math_dense_pair` of `rim/pi_math.hpp`.
#[repr(C)]
#[derive(Debug)]
pub struct DensePair {
    by_rows: c_int,
    transpose: c_int,
    /// The number of columns of the result.
    columns: i64,
    x: u64,
    ldx: i64,
    y: u64,
    ldy: i64,
}

// As in the C++ header.
const _: () = assert!(size_of::<DensePair>() == 48 && std::mem::offset_of!(DensePair, ldy) == 40);

/// cuSPARSE's choice.
const DEFAULT_ALGORITHM: c_int = 0;

/// The operands that all products with a sparse matrix share.
struct Multiplication<'a> {
    csr: &'a Csr,
    element: Element,
    /// cuSPARSE's operation on the sparse matrix.
    operation: c_int,
    alpha: Aligned,
    beta: Aligned,
}

/// cuSPARSE's `CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE`.
const CONJUGATE_TRANSPOSE: c_int = 2;

impl<'a> Multiplication<'a> {
    /// # Safety
    /// `alpha` and `beta` are numbers of the matrix's element type.
    unsafe fn new(csr: &'a Csr, transpose: c_int, alpha: Number, beta: Number) -> Result<Self> {
        let element = Element::from_number(csr.element)?;
        // SAFETY: guaranteed by the caller.
        let (alpha, beta) = unsafe { (Aligned::copy(alpha, element), Aligned::copy(beta, element)) };
        Ok(Self { csr, element, operation: element.operation(transpose)?, alpha, beta })
    }

    /// Returns the numbers of rows and columns of the matrix as the product takes it.
    fn size(&self) -> (i64, i64) {
        let (rows, columns) = (self.csr.rows, self.csr.columns);
        if self.operation == 0 { (rows, columns) } else { (columns, rows) }
    }

    /// Returns whether the product adds nothing. cuSPARSE need not know a matrix without numbers, and a factor of zero
    /// excludes infinities in the operands.
    fn adds_nothing(&self) -> bool {
        self.csr.count == 0 || self.alpha.bytes().iter().all(|byte| *byte == 0)
    }

    fn matrix(&self, sparse: &Sparse) -> Result<Descriptor> {
        let csr = self.csr;
        let (size, arrays) = ((csr.rows, csr.columns, csr.count), [csr.starts, csr.indices, csr.values]);
        Descriptor::csr(sparse, self.element, size, arrays, index_type(csr.index_size)?, csr.base)
    }
}

impl Element {
    /// Converts oneMKL's `transpose`. Real numbers are their own conjugates, which cuSPARSE need not know.
    fn operation(self, transpose: c_int) -> Result<c_int> {
        let is_real = self == self.real();
        operation(transpose).map(|operation| if is_real { operation.min(1) } else { operation })
    }
}

/// Returns cuSPARSE's number of an index type.
fn index_type(size: c_int) -> Result<c_int> {
    match size {
        4 => Ok(2),
        8 => Ok(3),
        _ => Err(format!("cuSPARSE has no indices of {size} bytes")),
    }
}

/// Multiplies a sparse matrix by a vector.
///
/// # Safety
/// `csr` points to a matrix, and `alpha` and `beta` to numbers of its element type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_spmv(
    csr: *const Csr,
    transpose: c_int,
    alpha: Number,
    x: u64,
    beta: Number,
    y: u64,
) -> *const c_char {
    answer(|| {
        // SAFETY: the caller's structure, for this call, and the caller's numbers.
        let product = unsafe { Multiplication::new(&*csr, transpose, alpha, beta) }?;
        let (rows, columns) = product.size();
        let (stream, element) = (stream()?, product.element);
        if product.adds_nothing() {
            return multiply(stream, element, (rows, 1), &product.beta, (y, rows));
        }
        let (operation, kind) = (product.operation, element.cuda_type());
        let (alpha, beta) = (product.alpha.address(), product.beta.address());
        with_handle(stream, |sparse, handle| {
            let matrix = product.matrix(sparse)?;
            let x = Descriptor::vector(sparse, element, columns, x)?;
            let y = Descriptor::vector(sparse, element, rows, y)?;
            let (a, x, y) = (matrix.object, x.object, y.object);
            let mut size = 0;
            sparse.cusparseSpMV_bufferSize(
                handle,
                operation,
                alpha,
                a,
                x,
                beta,
                y,
                kind,
                DEFAULT_ALGORITHM,
                &mut size,
            )?;
            with_buffer(stream, size, |buffer| {
                sparse.cusparseSpMV(handle, operation, alpha, a, x, beta, y, kind, DEFAULT_ALGORITHM, buffer)
            })
        })
    })
}

/// Multiplies a sparse matrix by a dense one.
///
/// # Safety
/// `csr` and `dense` point to structures, and `alpha` and `beta` to numbers of the matrix's element type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_spmm(
    csr: *const Csr,
    transpose: c_int,
    alpha: Number,
    beta: Number,
    dense: *const DensePair,
) -> *const c_char {
    answer(|| {
        // SAFETY: the caller's structures, for this call, and the caller's numbers.
        let (product, dense) = unsafe { (Multiplication::new(&*csr, transpose, alpha, beta)?, &*dense) };
        let (rows, inner) = product.size();
        let (stream, element, by_rows) = (stream()?, product.element, dense.by_rows != 0);
        if product.adds_nothing() {
            let lines = if by_rows { (dense.columns, rows) } else { (rows, dense.columns) };
            return multiply(stream, element, lines, &product.beta, (dense.y, dense.ldy));
        }
        let operation_x = element.operation(dense.transpose)?;
        if operation_x == CONJUGATE_TRANSPOSE && dense.columns == 1 {
            return Err(
                "cuSPARSE has no conjugate transpose of a dense matrix with one row: pass its conjugate"
                    .to_owned(),
            );
        }
        let size_x = if operation_x == 0 { (inner, dense.columns) } else { (dense.columns, inner) };
        with_handle(stream, |sparse, handle| {
            let matrix = product.matrix(sparse)?;
            let x = Descriptor::dense(sparse, element, by_rows, size_x, (dense.x, dense.ldx))?;
            let y = Descriptor::dense(sparse, element, by_rows, (rows, dense.columns), (dense.y, dense.ldy))?;
            enqueue_dense(sparse, handle, stream, &product, matrix.object, (operation_x, x.object), y.object)
        })
    })
}

fn enqueue_dense(
    sparse: &Sparse,
    handle: Object,
    stream: Stream,
    product: &Multiplication<'_>,
    a: Object,
    (operation_x, x): (c_int, Object),
    y: Object,
) -> Result<()> {
    let (operation_a, kind) = (product.operation, product.element.cuda_type());
    let (alpha, beta) = (product.alpha.address(), product.beta.address());
    let mut size = 0;
    sparse.cusparseSpMM_bufferSize(
        handle,
        operation_a,
        operation_x,
        alpha,
        a,
        x,
        beta,
        y,
        kind,
        DEFAULT_ALGORITHM,
        &mut size,
    )?;
    with_buffer(stream, size, |buffer| {
        sparse.cusparseSpMM(
            handle,
            operation_a,
            operation_x,
            alpha,
            a,
            x,
            beta,
            y,
            kind,
            DEFAULT_ALGORITHM,
            buffer,
        )
    })
}

/// Runs `work` with the stream's workspace.
fn with_buffer(stream: Stream, size: usize, work: impl FnOnce(u64) -> Result<()>) -> Result<()> {
    // Not null, even if cuSPARSE needs no buffer.
    workspace::with(stream, |memory| work(memory.at_least(size.max(1))?))
}
