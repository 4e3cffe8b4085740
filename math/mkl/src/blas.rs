//! Products of matrices and vectors, on cuBLAS. Everything is column-major here; `rim/` swaps the operands of row-major
//! calls.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::ffi::{c_char, c_int};

use crate::call::{answer, stream};
use crate::cublas::{Aligned, Blas, Handle, Number, blas, with_handle, with_handle_alone};
use crate::driver::Stream;
use crate::element::Element;
use crate::failure::Result;

/// Converts oneMKL's `transpose` to cuBLAS's: none, transposed, conjugated.
pub(crate) fn operation(transpose: c_int) -> Result<c_int> {
    match transpose {
        0 => Ok(0),
        1 => Ok(1),
        3 => Ok(2),
        other => Err(format!("oneMKL's transpose {other} is unknown")),
    }
}

pub(crate) const DEFAULT_ALGORITHM: c_int = -1;

/// Product kinds of `rim/pi_math.hpp`.
const INT8_TO_FLOAT: c_int = 6;
const INT8_TO_INT32: c_int = 7;
const BFLOAT16: c_int = 8;
const BFLOAT16_TO_FLOAT: c_int = 9;
const FLOAT_AS_TF32: c_int = 10;

/// Returns NVIDIA's numbers for the types of A and B, of C, and of the computation. Floats are multiplied as floats:
/// as TF32, with 11 significant bits, only if the kind says so.
pub(crate) fn product_types(kind: c_int) -> Result<(c_int, c_int, c_int)> {
    const HALF: c_int = 2;
    const INT8: c_int = 3;
    const INT32: c_int = 10;
    const CUDA_BFLOAT16: c_int = 14;
    const COMPUTE_FLOAT: c_int = 68;
    const COMPUTE_DOUBLE: c_int = 70;
    const COMPUTE_INT32: c_int = 72;
    const COMPUTE_FLOAT_AS_TF32: c_int = 77;
    let float = Element::Float.cuda_type();
    match kind {
        4 => Ok((HALF, HALF, COMPUTE_FLOAT)),
        5 => Ok((HALF, float, COMPUTE_FLOAT)),
        BFLOAT16 => Ok((CUDA_BFLOAT16, CUDA_BFLOAT16, COMPUTE_FLOAT)),
        BFLOAT16_TO_FLOAT => Ok((CUDA_BFLOAT16, float, COMPUTE_FLOAT)),
        FLOAT_AS_TF32 => Ok((float, float, COMPUTE_FLOAT_AS_TF32)),
        INT8_TO_FLOAT => Ok((INT8, float, COMPUTE_FLOAT)),
        INT8_TO_INT32 => Ok((INT8, INT32, COMPUTE_INT32)),
        _ => {
            let element = Element::from_number(kind)?;
            let double = matches!(element, Element::Double | Element::ComplexDouble);
            let compute = if double { COMPUTE_DOUBLE } else { COMPUTE_FLOAT };
            Ok((element.cuda_type(), element.cuda_type(), compute))
        }
    }
}

/// The description of a product: `pi_math_product` of `rim/pi_math.hpp`.
#[repr(C)]
#[derive(Debug)]
pub struct Product {
    pub(crate) kind: c_int,
    pub(crate) ta: c_int,
    pub(crate) tb: c_int,
    pub(crate) m: i64,
    pub(crate) n: i64,
    pub(crate) k: i64,
    /// A number of the computation's type.
    pub(crate) alpha: [f64; 2],
    pub(crate) beta: [f64; 2],
    pub(crate) a: u64,
    pub(crate) lda: i64,
    pub(crate) stride_a: i64,
    pub(crate) b: u64,
    pub(crate) ldb: i64,
    pub(crate) stride_b: i64,
    pub(crate) c: u64,
    pub(crate) ldc: i64,
    pub(crate) stride_c: i64,
    pub(crate) count: i64,
}

// As in the C++ header.
const _: () = assert!(size_of::<Product>() == 152 && std::mem::offset_of!(Product, count) == 144);

/// Returns null if cuBLAS can be opened, or else the reason why it cannot.
#[unsafe(no_mangle)]
pub extern "C" fn pi_math_lacks_products() -> *const c_char {
    answer(|| blas().map(drop))
}

/// Computes a product, or, if `count` is not negative, `count` products with strides between them.
///
/// # Safety
/// `product` points to a product whose `alpha` and `beta` are numbers of the computation's type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_gemm(product: *const Product) -> *const c_char {
    answer(|| {
        // SAFETY: the caller's structure, for this call.
        let p = unsafe { &*product };
        if p.m == 0 || p.n == 0 || p.count == 0 {
            return Ok(());
        }
        let is_int8 = matches!(p.kind, INT8_TO_FLOAT | INT8_TO_INT32);
        if is_int8 && !p.has_multiples_of_4() { p.enqueue_copies(stream()?) } else { p.enqueue(stream()?) }
    })
}

impl Product {
    /// Enqueues the product as a single cuBLAS call.
    pub(crate) fn enqueue(&self, stream: Stream) -> Result<()> {
        let p = self;
        let (input, output, compute) = product_types(p.kind)?;
        let (ta, tb) = (operation(p.ta)?, operation(p.tb)?);
        let (alpha, beta) = (Aligned::of(p.alpha), Aligned::of(p.beta));
        let (alpha, beta) = (alpha.address(), beta.address());
        with_handle(stream, |blas, handle| match p.count {
            ..0 => blas.cublasGemmEx_64(
                handle,
                ta,
                tb,
                p.m,
                p.n,
                p.k,
                alpha,
                p.a,
                input,
                p.lda,
                p.b,
                input,
                p.ldb,
                beta,
                p.c,
                output,
                p.ldc,
                compute,
                DEFAULT_ALGORITHM,
            ),
            count => blas.cublasGemmStridedBatchedEx_64(
                handle,
                ta,
                tb,
                p.m,
                p.n,
                p.k,
                alpha,
                p.a,
                input,
                p.lda,
                p.stride_a,
                p.b,
                input,
                p.ldb,
                p.stride_b,
                beta,
                p.c,
                output,
                p.ldc,
                p.stride_c,
                count,
                compute,
                DEFAULT_ALGORITHM,
            ),
        })
    }
}

/// Multiplies a matrix by a vector.
///
/// # Safety
/// `alpha` and `beta` are numbers of the element type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_gemv(
    element: c_int,
    transpose: c_int,
    m: i64,
    n: i64,
    alpha: Number,
    a: u64,
    lda: i64,
    x: u64,
    ix: i64,
    beta: Number,
    y: u64,
    iy: i64,
) -> *const c_char {
    answer(|| {
        let element = Element::from_number(element)?;
        // SAFETY: guaranteed by the caller.
        let (alpha, beta) = unsafe { (Aligned::copy(alpha, element), Aligned::copy(beta, element)) };
        let (alpha, beta) = (alpha.address(), beta.address());
        let call = match element {
            Element::Float => Blas::cublasSgemv_v2_64,
            Element::Double => Blas::cublasDgemv_v2_64,
            Element::ComplexFloat => Blas::cublasCgemv_v2_64,
            Element::ComplexDouble => Blas::cublasZgemv_v2_64,
        };
        let t = operation(transpose)?;
        with_handle(stream()?, |blas, handle| call(blas, handle, t, m, n, alpha, a, lda, x, ix, beta, y, iy))
    })
}

/// Multiplies a matrix by its own transpose and stores one triangle.
///
/// # Safety
/// `alpha` and `beta` are numbers of the element type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_syrk(
    element: c_int,
    lower: c_int,
    transpose: c_int,
    n: i64,
    k: i64,
    alpha: Number,
    a: u64,
    lda: i64,
    beta: Number,
    c: u64,
    ldc: i64,
) -> *const c_char {
    answer(|| {
        let element = Element::from_number(element)?;
        // SAFETY: guaranteed by the caller.
        let (alpha, beta) = unsafe { (Aligned::copy(alpha, element), Aligned::copy(beta, element)) };
        let (alpha, beta) = (alpha.address(), beta.address());
        let call = match element {
            Element::Float => Blas::cublasSsyrk_v2_64,
            Element::Double => Blas::cublasDsyrk_v2_64,
            Element::ComplexFloat => Blas::cublasCsyrk_v2_64,
            Element::ComplexDouble => Blas::cublasZsyrk_v2_64,
        };
        let (u, t) = (fill(lower), operation(transpose)?);
        with_handle(stream()?, |blas, handle| call(blas, handle, u, t, n, k, alpha, a, lda, beta, c, ldc))
    })
}

/// Converts oneMKL's `uplo` to NVIDIA's: lower is 0, upper 1.
pub(crate) fn fill(lower: c_int) -> c_int {
    c_int::from(lower == 0)
}

type Geam =
    fn(&Blas, Handle, c_int, c_int, i64, i64, Number, u64, i64, Number, u64, i64, u64, i64) -> Result<()>;

/// Returns cuBLAS's sum of two matrices.
fn geam(element: Element) -> Geam {
    match element {
        Element::Float => Blas::cublasSgeam_64,
        Element::Double => Blas::cublasDgeam_64,
        Element::ComplexFloat => Blas::cublasCgeam_64,
        Element::ComplexDouble => Blas::cublasZgeam_64,
    }
}

/// Multiplies a matrix of this many rows and columns by a number. A factor of zero makes zeros of any numbers.
pub(crate) fn multiply(
    stream: Stream,
    element: Element,
    (rows, columns): (i64, i64),
    factor: &Aligned,
    (c, ldc): (u64, i64),
) -> Result<()> {
    let zero = Aligned::real(element, 0.0);
    let (factor, zero) = (factor.address(), zero.address());
    with_handle_alone(stream, |blas, handle| {
        geam(element)(blas, handle, 0, 0, rows, columns, factor, c, ldc, zero, c, ldc, c, ldc)
    })
}

/// Writes the conjugate transpose of a matrix with this many rows and columns.
pub(crate) fn conjugate_transpose(
    stream: Stream,
    element: Element,
    (rows, columns): (usize, usize),
    (from, ld_from): (u64, i64),
    (to, ld_to): (u64, i64),
) -> Result<()> {
    const CONJUGATED: c_int = 2;
    let (one, zero) = (Aligned::real(element, 1.0), Aligned::real(element, 0.0));
    let (one, zero) = (one.address(), zero.address());
    let (rows, columns) = (rows as i64, columns as i64);
    // cuBLAS's workspace is not needed here, because the stream's own workspace is in use.
    with_handle_alone(stream, |blas, handle| {
        geam(element)(
            blas, handle, CONJUGATED, 0, columns, rows, one, from, ld_from, zero, to, ld_to, to, ld_to,
        )
    })
}
