//! Batches that dpnp does not ask for, and llama.cpp does: products whose matrices lie where pointers say, and triangular equations.
#![expect(unsafe_code, reason = "C functions of our own")]

use std::ffi::{c_char, c_int};

use crate::blas::{Aligned, Blas, DEFAULT_ALGORITHM, Product, fill, operation, product_types, with_handle};
use crate::call::{answer, stream};
use crate::element::Element;

/// Products of one size: `a`, `b` and `c` are arrays of `count` pointers, which the device reads.
///
/// # Safety
/// As [`pi_math_gemm`](crate::blas::pi_math_gemm).
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

/// Solves equations with triangular matrices, one after the other: cuBLAS has no call for strides between them.
///
/// # Safety
/// There are equations, and `alpha` in them is a number of the element type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_trsm(equations: *const Triangular) -> *const c_char {
    answer(|| {
        // SAFETY: the caller's structure, for this call.
        let e = unsafe { &*equations };
        let element = Element::of(e.element)?;
        let call = match element {
            Element::Float => Blas::cublasStrsm_v2_64,
            Element::Double => Blas::cublasDtrsm_v2_64,
            Element::ComplexFloat => Blas::cublasCtrsm_v2_64,
            Element::ComplexDouble => Blas::cublasZtrsm_v2_64,
        };
        let (uplo, transpose, alpha) = (fill(e.lower), operation(e.transpose)?, Aligned::of(e.alpha));
        with_handle(stream()?, |blas, handle| {
            (0..e.count).try_for_each(|index| {
                let place = |first: u64, stride: i64| {
                    first.wrapping_add_signed((index * stride).wrapping_mul(element.size() as i64))
                };
                let (a, b) = (place(e.a, e.stride_a), place(e.b, e.stride_b));
                let alpha = alpha.address();
                call(blas, handle, e.right, uplo, transpose, e.unit, e.m, e.n, alpha, a, e.lda, b, e.ldb)
            })
        })
    })
}
