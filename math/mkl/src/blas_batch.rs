//! Batches that llama.cpp uses but dpnp does not: products of matrices given by pointers, and triangular equations.
#![expect(unsafe_code, reason = "C functions of our own")]

use std::ffi::{c_char, c_int};

use crate::batch::{ADDRESS, Batch};
use crate::blas::{DEFAULT_ALGORITHM, Product, fill, operation, product_types};
use crate::call::{answer, stream};
use crate::cublas::{Aligned, Blas, with_handle};
use crate::element::Element;
use crate::failure::Result;
use crate::lapack_batch::is_at_once;
use crate::workspace;

/// Computes products of one size: `a`, `b` and `c` are arrays of `count` pointers, which the device reads.
///
/// # Safety
/// The requirements of [`pi_math_gemm`](crate::blas::pi_math_gemm) apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_gemm_pointers(product: *const Product) -> *const c_char {
    answer(|| {
        // SAFETY: the caller's structure, for this call.
        let p = unsafe { &*product };
        if p.m == 0 || p.n == 0 || p.count == 0 {
            return Ok(());
        }
        let (input, output, compute) = product_types(p.kind)?;
        let (ta, tb) = (operation(p.ta)?, operation(p.tb)?);
        let (alpha, beta) = (Aligned::of(p.alpha), Aligned::of(p.beta));
        with_handle(stream()?, |blas, handle| {
            blas.cublasGemmBatchedEx_64(
                handle,
                ta,
                tb,
                p.m,
                p.n,
                p.k,
                alpha.address(),
                p.a,
                input,
                p.lda,
                p.b,
                input,
                p.ldb,
                beta.address(),
                p.c,
                output,
                p.ldc,
                p.count,
                compute,
                DEFAULT_ALGORITHM,
            )
        })
    })
}

/// `pi_math_triangular` of `rim/pi_math.hpp`.
#[repr(C)]
#[derive(Debug)]
pub struct Triangular {
    element: c_int,
    right: c_int,
    lower: c_int,
    transpose: c_int,
    unit: c_int,
    m: i64,
    n: i64,
    alpha: [f64; 2],
    a: u64,
    lda: i64,
    stride_a: i64,
    b: u64,
    ldb: i64,
    stride_b: i64,
    count: i64,
}

/// Solves equations with triangular matrices: small ones in one batch, large ones one after the other.
///
/// # Safety
/// `equations` points to equations whose `alpha` is a number of the element type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_trsm(equations: *const Triangular) -> *const c_char {
    answer(|| {
        // SAFETY: the caller's structure, for this call.
        let e = unsafe { &*equations };
        if e.m == 0 || e.n == 0 || e.count <= 0 {
            return Ok(());
        }
        let (rows, count) = (if e.right == 0 { e.m } else { e.n }, e.count as usize);
        if is_at_once(rows, count) { e.at_once(count) } else { e.one_by_one(count) }
    })
}

impl Triangular {
    fn batches(&self) -> (Batch, Batch) {
        let batch = |first, stride| Batch { first, stride };
        (batch(self.a, self.stride_a), batch(self.b, self.stride_b))
    }

    fn at_once(&self, count: usize) -> Result<()> {
        let element = Element::from_number(self.element)?;
        let call = match element {
            Element::Float => Blas::cublasStrsmBatched_64,
            Element::Double => Blas::cublasDtrsmBatched_64,
            Element::ComplexFloat => Blas::cublasCtrsmBatched_64,
            Element::ComplexDouble => Blas::cublasZtrsmBatched_64,
        };
        let Self { right, unit, m, n, lda, ldb, count: number, .. } = *self;
        let (uplo, transpose, alpha) =
            (fill(self.lower), operation(self.transpose)?, Aligned::of(self.alpha));
        let (stream, size, (a, b)) = (stream()?, element.size(), self.batches());
        workspace::with(stream, |memory| {
            let matrices = memory.at_least(2 * count * ADDRESS)?;
            let sides = matrices + (count * ADDRESS) as u64;
            a.upload_addresses(stream, size, count, matrices)?;
            b.upload_addresses(stream, size, count, sides)?;
            with_handle(stream, |blas, handle| {
                let alpha = alpha.address();
                call(
                    blas, handle, right, uplo, transpose, unit, m, n, alpha, matrices, lda, sides, ldb,
                    number,
                )
            })
        })
    }

    fn one_by_one(&self, count: usize) -> Result<()> {
        let element = Element::from_number(self.element)?;
        let call = match element {
            Element::Float => Blas::cublasStrsm_v2_64,
            Element::Double => Blas::cublasDtrsm_v2_64,
            Element::ComplexFloat => Blas::cublasCtrsm_v2_64,
            Element::ComplexDouble => Blas::cublasZtrsm_v2_64,
        };
        let Self { right, unit, m, n, lda, ldb, .. } = *self;
        let (uplo, transpose, alpha) =
            (fill(self.lower), operation(self.transpose)?, Aligned::of(self.alpha));
        let (size, (a, b)) = (element.size(), self.batches());
        with_handle(stream()?, |blas, handle| {
            (0..count).try_for_each(|index| {
                let (a, b, alpha) = (a.at(index, size), b.at(index, size), alpha.address());
                call(blas, handle, right, uplo, transpose, unit, m, n, alpha, a, lda, b, ldb)
            })
        })
    }
}
