//! cuBLAS.

use std::ffi::{c_int, c_void};

use crate::faults::calls;
use crate::openblas::openblas;
use crate::small::{TF32, Types, product};
use crate::stream::{at, later};

const COLUMNS: c_int = 102;
const INVALID_VALUE: c_int = 7;
const NOT_SUPPORTED: c_int = 15;

/// A handle.
pub(crate) struct Handle {
    pub(crate) stream: usize,
    on_device: bool,
}

type Number = *const [f64; 2];

/// Returns a scalar's bytes, padded to those of the widest type.
unsafe fn scalar(number: *const c_void, size: usize) -> [f64; 2] {
    let mut kept = [0.0; 2];
    // SAFETY: the caller's number has this number of bytes.
    unsafe { std::ptr::copy_nonoverlapping(number.cast::<u8>(), kept.as_mut_ptr().cast(), size) };
    kept
}

fn float(bytes: [f64; 2]) -> f32 {
    f32::from_bits(bytes[0].to_bits() as u32)
}

fn operation(t: c_int) -> c_int {
    111 + t
}

calls! {
    fn cublasCreate_v2(handle: *mut *mut Handle) {
        // SAFETY: the caller's pointer.
        unsafe { *handle = Box::into_raw(Box::new(Handle { stream: 0, on_device: false })) };
        0
    }

    fn cublasSetStream_v2(handle: *mut Handle, stream: *mut c_void) {
        // SAFETY: a live handle.
        unsafe { (*handle).stream = stream.expose_provenance() };
        0
    }

    fn cublasSetWorkspace_v2(_: *mut Handle, _: u64, _: usize) {
        0
    }

    fn cublasSetMathMode(_: *mut Handle, _: c_int) {
        0
    }

    fn cublasSetPointerMode_v2(handle: *mut Handle, mode: c_int) {
        // SAFETY: a live handle.
        unsafe { (*handle).on_device = mode == 1 };
        0
    }
}

/// Returns the type as which A and B are read: their own, or floats of which a computation reads 11 bits.
fn input_type(own: c_int, compute: c_int) -> c_int {
    const COMPUTE_FLOAT_AS_TF32: c_int = 77;
    if compute == COMPUTE_FLOAT_AS_TF32 { TF32 } else { own }
}

/// Returns the size in bytes of a number of NVIDIA's type.
fn size_of_type(kind: c_int) -> usize {
    match kind {
        0 | 10 => 4,
        1 | 4 => 8,
        5 => 16,
        2 | 14 => 2,
        _ => 1,
    }
}

calls! {
    fn cublasGemmStridedBatchedEx_64(
        handle: *mut Handle, ta: c_int, tb: c_int, m: i64, n: i64, k: i64, alpha: *const c_void, a: u64,
        at_: c_int, lda: i64, sa: i64, b: u64, bt: c_int, ldb: i64, sb: i64, beta: *const c_void, c: u64,
        ct: c_int, ldc: i64, sc: i64, count: i64, compute: c_int, _: c_int
    ) {
        let (rows_a, rows_b) = (if ta == 0 { m } else { k }, if tb == 0 { k } else { n });
        if at_ != bt || lda < rows_a.max(1) || ldb < rows_b.max(1) || ldc < m.max(1) || m < 0 || n < 0 || k < 0 {
            return INVALID_VALUE;
        }
        let wide = if compute == 72 { 4 } else { size_of_type(if matches!(ct, 2 | 14) { 0 } else { ct }) };
        // As in cuBLAS, bytes must be aligned to words.
        if at_ == 3 && (lda | ldb | a as i64 | b as i64 | sa | sb) % 4 != 0 {
            return NOT_SUPPORTED;
        }
        // SAFETY: a live handle, and scalars of the computation's type.
        let (stream, alpha, beta) = unsafe { ((*handle).stream, scalar(alpha, wide), scalar(beta, wide)) };
        later(stream, move || {
            for index in 0..count {
                let place = |address: u64, step: i64, kind: c_int| {
                    address.wrapping_add_signed(index * step * size_of_type(kind) as i64)
                };
                let (a, b, c) = (place(a, sa, at_), place(b, sb, bt), place(c, sc, ct));
                gemm(
                    (ta, tb),
                    (m, n, k),
                    (alpha, beta),
                    (a, lda),
                    (b, ldb),
                    (c, ldc),
                    input_type(at_, compute),
                    ct,
                );
            }
        })
    }

    fn cublasGemmBatchedEx_64(
        handle: *mut Handle, ta: c_int, tb: c_int, m: i64, n: i64, k: i64, alpha: *const c_void, a: u64,
        at_: c_int, lda: i64, b: u64, bt: c_int, ldb: i64, beta: *const c_void, c: u64, ct: c_int, ldc: i64,
        count: i64, compute: c_int, _: c_int
    ) {
        let (rows_a, rows_b) = (if ta == 0 { m } else { k }, if tb == 0 { k } else { n });
        if at_ != bt || lda < rows_a.max(1) || ldb < rows_b.max(1) || ldc < m.max(1) || m < 0 || n < 0 || k < 0 {
            return INVALID_VALUE;
        }
        let wide = if compute == 72 { 4 } else { size_of_type(if matches!(ct, 2 | 14) { 0 } else { ct }) };
        // SAFETY: a live handle, and scalars of the computation's type.
        let (stream, alpha, beta) = unsafe { ((*handle).stream, scalar(alpha, wide), scalar(beta, wide)) };
        later(stream, move || {
            for index in 0..count as usize {
                // SAFETY: arrays of `count` pointers.
                let [a, b, c] = [a, b, c].map(|array| unsafe { at::<u64>(array).add(index).read() });
                gemm(
                    (ta, tb),
                    (m, n, k),
                    (alpha, beta),
                    (a, lda),
                    (b, ldb),
                    (c, ldc),
                    input_type(at_, compute),
                    ct,
                );
            }
        })
    }
}

fn gemm(
    (ta, tb): (c_int, c_int),
    (m, n, k): (i64, i64, i64),
    (alpha, beta): ([f64; 2], [f64; 2]),
    (a, lda): (u64, i64),
    (b, ldb): (u64, i64),
    (c, ldc): (u64, i64),
    input: c_int,
    output: c_int,
) {
    let (ota, otb) = (operation(ta), operation(tb));
    match (input, output) {
        (0, 0) => {
            openblas!("cblas_sgemm", COLUMNS => c_int, ota => c_int, otb => c_int, m => i64, n => i64, k => i64, float(alpha) => f32,
            at(a) => *mut f32, lda => i64, at(b) => *mut f32, ldb => i64, float(beta) => f32, at(c) => *mut f32, ldc => i64; ())
        }
        (1, 1) => {
            openblas!("cblas_dgemm", COLUMNS => c_int, ota => c_int, otb => c_int, m => i64, n => i64, k => i64, alpha[0] => f64,
            at(a) => *mut f64, lda => i64, at(b) => *mut f64, ldb => i64, beta[0] => f64, at(c) => *mut f64, ldc => i64; ())
        }
        (4, 4) | (5, 5) => {
            openblas!(if input == 4 { "cblas_cgemm" } else { "cblas_zgemm" }, COLUMNS => c_int, ota => c_int, otb => c_int,
            m => i64, n => i64, k => i64, &alpha => Number, at(a) => *mut c_void, lda => i64, at(b) => *mut c_void, ldb => i64,
            &beta => Number, at(c) => *mut c_void, ldc => i64; ())
        }
        _ => {
            let number = |bytes: [f64; 2]| {
                if output == 10 { f64::from(bytes[0].to_bits() as i32) } else { f64::from(float(bytes)) }
            };
            let types = Types { input, output };
            product(types, (ta, tb), (m, n, k), (number(alpha), number(beta)), (a, lda), (b, ldb), (c, ldc));
        }
    }
}

calls! {
    fn cublasGemmEx_64(
        handle: *mut Handle, ta: c_int, tb: c_int, m: i64, n: i64, k: i64, alpha: *const c_void, a: u64,
        at: c_int, lda: i64, b: u64, bt: c_int, ldb: i64, beta: *const c_void, c: u64, ct: c_int, ldc: i64,
        compute: c_int, algorithm: c_int
    ) {
        // SAFETY: the caller's own arguments.
        unsafe {
            cublasGemmStridedBatchedEx_64(
                handle, ta, tb, m, n, k, alpha, a, at, lda, 0, b, bt, ldb, 0, beta, c, ct, ldc, 0, 1, compute,
                algorithm,
            )
        }
    }
}

macro_rules! typed {
    ($($letter:literal $gemv:ident $syrk:ident $trsm:ident $trsms:ident $type:ty, $scalar:ty, $size:literal, |$bytes:ident| $value:expr;)*) => { calls! {$(
        fn $gemv(
            handle: *mut Handle, t: c_int, m: i64, n: i64, alpha: *const c_void, a: u64, lda: i64, x: u64, ix: i64, beta: *const c_void,
            y: u64, iy: i64
        ) {
            if lda < m.max(1) || ix == 0 || iy == 0 {
                return INVALID_VALUE;
            }
            // SAFETY: a live handle, and scalars of this type.
            let (stream, alpha, beta) = unsafe { ((*handle).stream, scalar(alpha, $size), scalar(beta, $size)) };
            later(stream, move || {
                let value = |$bytes: &[f64; 2]| -> $scalar { $value };
                openblas!(concat!("cblas_", $letter, "gemv"), COLUMNS => c_int, operation(t) => c_int, m => i64, n => i64,
                    value(&alpha) => $scalar, at(a) => *mut $type, lda => i64, at(x) => *mut $type, ix => i64, value(&beta) => $scalar,
                    at(y) => *mut $type, iy => i64; ())
            })
        }

        fn $syrk(
            handle: *mut Handle, u: c_int, t: c_int, n: i64, k: i64, alpha: *const c_void, a: u64, lda: i64, beta: *const c_void, c: u64,
            ldc: i64
        ) {
            // SAFETY: a live handle, and scalars of this type.
            let (stream, alpha, beta) = unsafe { ((*handle).stream, scalar(alpha, $size), scalar(beta, $size)) };
            let side = if u == 0 { 122 } else { 121 };
            later(stream, move || {
                let value = |$bytes: &[f64; 2]| -> $scalar { $value };
                openblas!(concat!("cblas_", $letter, "syrk"), COLUMNS => c_int, side => c_int, operation(t) => c_int, n => i64, k => i64,
                    value(&alpha) => $scalar, at(a) => *mut $type, lda => i64, value(&beta) => $scalar, at(c) => *mut $type, ldc => i64; ())
            })
        }

        fn $trsm(
            handle: *mut Handle, s: c_int, u: c_int, t: c_int, d: c_int, m: i64, n: i64, alpha: *const c_void, a: u64, lda: i64, b: u64,
            ldb: i64
        ) {
            // SAFETY: a live handle, and a scalar of this type.
            let (stream, alpha) = unsafe { ((*handle).stream, scalar(alpha, $size)) };
            let (side, triangle) = (141 + s, if u == 0 { 122 } else { 121 });
            later(stream, move || {
                let value = |$bytes: &[f64; 2]| -> $scalar { $value };
                openblas!(concat!("cblas_", $letter, "trsm"), COLUMNS => c_int, side => c_int, triangle => c_int, operation(t) => c_int,
                    131 + d => c_int, m => i64, n => i64, value(&alpha) => $scalar, at(a) => *mut $type, lda => i64, at(b) => *mut $type,
                    ldb => i64; ())
            })
        }

        fn $trsms(
            handle: *mut Handle, s: c_int, u: c_int, t: c_int, d: c_int, m: i64, n: i64, alpha: *const c_void, a: u64, lda: i64, b: u64,
            ldb: i64, count: i64
        ) {
            // SAFETY: a live handle, and a scalar of this type.
            let (stream, alpha) = unsafe { ((*handle).stream, scalar(alpha, $size)) };
            let (side, triangle) = (141 + s, if u == 0 { 122 } else { 121 });
            later(stream, move || for index in 0..count as usize {
                // SAFETY: arrays of `count` addresses.
                let [a, b] = [a, b].map(|array| unsafe { at::<u64>(array).add(index).read() });
                let value = |$bytes: &[f64; 2]| -> $scalar { $value };
                openblas!(concat!("cblas_", $letter, "trsm"), COLUMNS => c_int, side => c_int, triangle => c_int, operation(t) => c_int,
                    131 + d => c_int, m => i64, n => i64, value(&alpha) => $scalar, at(a) => *mut $type, lda => i64, at(b) => *mut $type,
                    ldb => i64; ())
            })
        }
    )*} };
}

typed! {
    "s" cublasSgemv_v2_64 cublasSsyrk_v2_64 cublasStrsm_v2_64 cublasStrsmBatched_64 f32, f32, 4, |bytes| float(*bytes);
    "d" cublasDgemv_v2_64 cublasDsyrk_v2_64 cublasDtrsm_v2_64 cublasDtrsmBatched_64 f64, f64, 8, |bytes| bytes[0];
    "c" cublasCgemv_v2_64 cublasCsyrk_v2_64 cublasCtrsm_v2_64 cublasCtrsmBatched_64 c_void, Number, 8, |bytes| std::ptr::from_ref(bytes);
    "z" cublasZgemv_v2_64 cublasZsyrk_v2_64 cublasZtrsm_v2_64 cublasZtrsmBatched_64 c_void, Number, 16, |bytes| std::ptr::from_ref(bytes);
}

/// Computes a dot product into device memory. With the host's pointer mode the result would go to the host.
macro_rules! dot {
    ($($name:ident $real:literal $function:literal $type:ty;)*) => { calls! {$(
        fn $name(handle: *mut Handle, n: i64, x: u64, ix: i64, y: u64, iy: i64, result: u64) {
            // SAFETY: a live handle.
            let (stream, on_device) = unsafe { ((*handle).stream, (*handle).on_device) };
            if !on_device {
                return INVALID_VALUE;
            }
            later(stream, move || {
                if $real {
                    let sum = openblas!($function, n => i64, at(x) => *mut $type, ix => i64, at(y) => *mut $type, iy => i64; $type);
                    // SAFETY: the caller's pointer to the result.
                    unsafe { at::<$type>(result).write(sum) };
                } else {
                    openblas!($function, n => i64, at(x) => *mut $type, ix => i64, at(y) => *mut $type, iy => i64,
                        at(result) => *mut $type; ());
                }
            })
        }
    )*} };
}

dot! {
    cublasSdot_v2_64 true "cblas_sdot" f32;
    cublasDdot_v2_64 true "cblas_ddot" f64;
    cublasCdotu_v2_64 false "cblas_cdotu_sub" f64;
    cublasZdotu_v2_64 false "cblas_zdotu_sub" f64;
    cublasCdotc_v2_64 false "cblas_cdotc_sub" f64;
    cublasZdotc_v2_64 false "cblas_zdotc_sub" f64;
}

/// Copies numbers with strides. With a negative stride the first one follows the others, as in BLAS.
macro_rules! copy {
    ($($name:ident $type:ty;)*) => { calls! {$(
        fn $name(handle: *mut Handle, n: i64, x: u64, ix: i64, y: u64, iy: i64) {
            // SAFETY: a live handle.
            later(unsafe { (*handle).stream }, move || for index in 0..n {
                let place = |step: i64| (if step < 0 { (index + 1 - n) * step } else { index * step }) as usize;
                // SAFETY: inside the caller's vectors.
                unsafe { at::<$type>(y).add(place(iy)).write(at::<$type>(x).add(place(ix)).read()) };
            })
        }
    )*} };
}

copy! {
    cublasScopy_v2_64 f32;
    cublasDcopy_v2_64 f64;
    cublasCcopy_v2_64 [f32; 2];
    cublasZcopy_v2_64 [f64; 2];
}

calls! {
    fn cublasScalEx_64(
        handle: *mut Handle, n: i64, alpha: *const c_void, kind: c_int, x: u64, _: c_int, ix: i64, _: c_int
    ) {
        // SAFETY: a live handle, and a scalar of this type.
        let (stream, alpha) = unsafe { ((*handle).stream, scalar(alpha, size_of_type(kind))) };
        later(stream, move || match kind {
            0 => openblas!("cblas_sscal", n => i64, float(alpha) => f32, at(x) => *mut f32, ix => i64; ()),
            1 => openblas!("cblas_dscal", n => i64, alpha[0] => f64, at(x) => *mut f64, ix => i64; ()),
            4 => openblas!("cblas_cscal", n => i64, &alpha => Number, at(x) => *mut f64, ix => i64; ()),
            _ => openblas!("cblas_zscal", n => i64, &alpha => Number, at(x) => *mut f64, ix => i64; ()),
        })
    }
}

/// Writes a matrix, unchanged, transposed or conjugated, times a number. A factor of zero does not read it.
macro_rules! geam {
    ($($name:ident $type:ty, $parts:literal;)*) => { calls! {$(
        fn $name(
            handle: *mut Handle, ta: c_int, tb: c_int, m: i64, n: i64, alpha: *const c_void, a: u64, lda: i64, beta: *const c_void, b: u64,
            ldb: i64, c: u64, ldc: i64
        ) {
            // SAFETY: a live handle, and numbers of this type.
            let (stream, factor, zero) = unsafe { ((*handle).stream, alpha.cast::<[$type; $parts]>().read_unaligned(), beta.cast::<$type>().read()) };
            let rows_of_a = if ta == 0 { m } else { n };
            if zero != 0.0 || tb != 0 || b != c || ldb != ldc || (a == c && (ta != 0 || lda != ldc)) || ldc < m || lda < rows_of_a {
                // Other cases are not needed.
                return INVALID_VALUE;
            }
            later(stream, move || {
                let is_zero = factor.iter().all(|part| *part == 0.0);
                for (row, column) in (0..m).flat_map(|row| (0..n).map(move |column| (row, column))) {
                    let from = if ta == 0 { row + column * lda } else { column + row * lda };
                    // SAFETY: inside the caller's matrices.
                    let mut number = if is_zero { factor } else { unsafe { at::<[$type; $parts]>(a).offset(from as isize).read_unaligned() } };
                    if let (2, [.., imaginary]) = (ta, &mut number[1..]) {
                        *imaginary = -*imaginary;
                    }
                    let mut product = number.map(|part| part * factor[0]);
                    if let ([_, other], [real, imaginary]) = (&factor[..], &number[..]) {
                        (product[0], product[$parts - 1]) = (product[0] - imaginary * other, product[$parts - 1] + real * other);
                    }
                    // SAFETY: inside the caller's matrices.
                    unsafe { at::<[$type; $parts]>(c).offset((row + column * ldc) as isize).write_unaligned(product) };
                }
            })
        }
    )*} };
}

geam! {
    cublasSgeam_64 f32, 1;
    cublasDgeam_64 f64, 1;
    cublasCgeam_64 f32, 2;
    cublasZgeam_64 f64, 2;
}
