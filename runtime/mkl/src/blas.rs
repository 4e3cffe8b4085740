//! Products of matrices and vectors, on cuBLAS. Everything is column-major here; `rim/` swaps what is row-major.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::ffi::{c_char, c_int, c_void};
use std::sync::OnceLock;

use sycl_pi_dynload::{FromDriver, driver_functions};

use crate::call::{answer, stream};
use crate::driver::{Stream, driver};
use crate::element::Element;
use crate::failure::Result;
use crate::libraries::Opened;
use crate::pool::Pool;
use crate::workspace;

type Handle = *mut c_void;

macro_rules! blas_functions {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {
        driver_functions! {
            /// cuBLAS.
            pub(crate) struct Blas {
                fn cublasCreate_v2(handle: *mut Handle) -> c_int;
                fn cublasSetStream_v2(handle: Handle, stream: *mut c_void) -> c_int;
                fn cublasSetWorkspace_v2(handle: Handle, memory: u64, size: usize) -> c_int;
                fn cublasSetPointerMode_v2(handle: Handle, mode: c_int) -> c_int;
                $(fn $name(handle: Handle, $($arg: $type),*) -> c_int;)*
            }
        }
    };
}

/// The address of an [`Aligned`] number.
type Number = *const c_void;

/// A number where cuBLAS may read it: complex ones of double precision are read with 16 bytes at once.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub(crate) struct Aligned([u8; 16]);

impl Aligned {
    /// A copy of a number of C++'s, which is aligned to its parts only.
    ///
    /// # Safety
    /// There is a number of that type.
    unsafe fn copy(number: *const c_void, element: Element) -> Self {
        let mut bytes = [0; 16];
        // SAFETY: an element has at most 16 bytes, and the caller vouches for them.
        unsafe { number.cast::<u8>().copy_to_nonoverlapping(bytes.as_mut_ptr(), element.size()) };
        Self(bytes)
    }

    fn from_parts(number: [f64; 2]) -> Self {
        let (mut bytes, [real, imaginary]) = ([0; 16], number.map(f64::to_ne_bytes));
        bytes[..8].copy_from_slice(&real);
        bytes[8..].copy_from_slice(&imaginary);
        Self(bytes)
    }

    pub(crate) fn one(element: Element) -> Self {
        match element {
            Element::Double | Element::ComplexDouble => Self::from_parts([1.0, 0.0]),
            Element::Float | Element::ComplexFloat => {
                let mut bytes = [0; 16];
                bytes[..4].copy_from_slice(&1_f32.to_ne_bytes());
                Self(bytes)
            }
        }
    }

    /// Its bytes and zeros behind them.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn address(&self) -> Number {
        self.0.as_ptr().cast()
    }
}

blas_functions! {
    cublasGemmEx_64(ta: c_int, tb: c_int, m: i64, n: i64, k: i64, alpha: Number, a: u64, at: c_int, lda: i64, b: u64, bt: c_int,
        ldb: i64, beta: Number, c: u64, ct: c_int, ldc: i64, compute: c_int, algorithm: c_int);
    cublasGemmStridedBatchedEx_64(ta: c_int, tb: c_int, m: i64, n: i64, k: i64, alpha: Number, a: u64, at: c_int, lda: i64, sa: i64,
        b: u64, bt: c_int, ldb: i64, sb: i64, beta: Number, c: u64, ct: c_int, ldc: i64, sc: i64, count: i64, compute: c_int,
        algorithm: c_int);
    cublasSgemv_v2_64(t: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, x: u64, ix: i64, beta: Number, y: u64, iy: i64);
    cublasDgemv_v2_64(t: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, x: u64, ix: i64, beta: Number, y: u64, iy: i64);
    cublasCgemv_v2_64(t: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, x: u64, ix: i64, beta: Number, y: u64, iy: i64);
    cublasZgemv_v2_64(t: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, x: u64, ix: i64, beta: Number, y: u64, iy: i64);
    cublasSsyrk_v2_64(u: c_int, t: c_int, n: i64, k: i64, alpha: Number, a: u64, lda: i64, beta: Number, c: u64, ldc: i64);
    cublasDsyrk_v2_64(u: c_int, t: c_int, n: i64, k: i64, alpha: Number, a: u64, lda: i64, beta: Number, c: u64, ldc: i64);
    cublasCsyrk_v2_64(u: c_int, t: c_int, n: i64, k: i64, alpha: Number, a: u64, lda: i64, beta: Number, c: u64, ldc: i64);
    cublasZsyrk_v2_64(u: c_int, t: c_int, n: i64, k: i64, alpha: Number, a: u64, lda: i64, beta: Number, c: u64, ldc: i64);
    cublasSdot_v2_64(n: i64, x: u64, ix: i64, y: u64, iy: i64, result: u64);
    cublasDdot_v2_64(n: i64, x: u64, ix: i64, y: u64, iy: i64, result: u64);
    cublasCdotu_v2_64(n: i64, x: u64, ix: i64, y: u64, iy: i64, result: u64);
    cublasZdotu_v2_64(n: i64, x: u64, ix: i64, y: u64, iy: i64, result: u64);
    cublasCdotc_v2_64(n: i64, x: u64, ix: i64, y: u64, iy: i64, result: u64);
    cublasZdotc_v2_64(n: i64, x: u64, ix: i64, y: u64, iy: i64, result: u64);
    cublasSgeam_64(ta: c_int, tb: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, beta: Number, b: u64, ldb: i64, c: u64,
        ldc: i64);
    cublasDgeam_64(ta: c_int, tb: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, beta: Number, b: u64, ldb: i64, c: u64,
        ldc: i64);
    cublasCgeam_64(ta: c_int, tb: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, beta: Number, b: u64, ldb: i64, c: u64,
        ldc: i64);
    cublasZgeam_64(ta: c_int, tb: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, beta: Number, b: u64, ldb: i64, c: u64,
        ldc: i64);
    cublasScalEx_64(n: i64, alpha: Number, at: c_int, x: u64, xt: c_int, ix: i64, compute: c_int);
}

impl FromDriver<Blas> for c_int {
    type Answer = Result<()>;

    fn answer(function: &'static str, code: c_int) -> Result<()> {
        let why = match code {
            0 => return Ok(()),
            1 => "not initialized",
            3 => "no memory on the device",
            7 => "an invalid value",
            8 => "the GPU lacks it",
            11 => "memory cannot be reached",
            13 => "the execution failed",
            15 => "not supported for these types, sizes or addresses",
            _ => "see cublasStatus_t",
        };
        Err(format!("{function} answered {code}: {why}"))
    }

    fn missing(function: &'static str) -> Result<()> {
        Err(format!("this cuBLAS has no {function}: cuBLAS of CUDA 12 or later is needed"))
    }
}

/// cuBLAS, opened when first needed.
pub(crate) fn blas() -> Result<&'static Blas> {
    static BLAS: Opened<Blas> = Opened::new();
    // SAFETY: cuBLAS's functions have the types of the rows.
    BLAS.functions(&sycl_pi_nvidia_files::CUBLAS, |library| unsafe {
        Blas::resolve(|name| library.function(name))
    })
}

/// A handle, and the stream that it was last told.
struct Told {
    handle: Handle,
    stream: usize,
    workspace: u64,
}

// SAFETY: a handle may be used by any thread, one at a time.
unsafe impl Send for Told {}

static HANDLES: Pool<usize, Told> = Pool::new();

impl Told {
    fn create(blas: &Blas) -> Result<Self> {
        let mut handle = std::ptr::null_mut();
        blas.cublasCreate_v2(&mut handle)?;
        Ok(Self { handle, stream: 0, workspace: 0 })
    }
}

/// As [`with_handle`], with the workspace that cuBLAS has made itself. For functions that use none.
fn with_handle_alone(stream: Stream, work: impl FnOnce(&'static Blas, Handle) -> Result<()>) -> Result<()> {
    let blas = blas()?;
    HANDLES.with(
        stream.context,
        || Told::create(blas),
        |told| {
            if told.stream != stream.address() {
                blas.cublasSetStream_v2(told.handle, stream.raw)?;
                (told.stream, told.workspace) = (stream.address(), 0);
            }
            work(blas, told.handle)
        },
    )
}

/// Runs work with a handle that enqueues on `stream`.
pub(crate) fn with_handle(
    stream: Stream,
    work: impl FnOnce(&'static Blas, Handle) -> Result<()>,
) -> Result<()> {
    let blas = blas()?;
    workspace::with(stream, |memory| {
        let (size, memory) = (workspace_size(), memory.at_least(workspace_size())?);
        HANDLES.with(
            stream.context,
            || Told::create(blas),
            |told| {
                if told.stream != stream.address() || told.workspace != memory {
                    blas.cublasSetStream_v2(told.handle, stream.raw)?;
                    blas.cublasSetWorkspace_v2(told.handle, memory, size)?;
                    (told.stream, told.workspace) = (stream.address(), memory);
                }
                work(blas, told.handle)
            },
        )
    })
}

/// NVIDIA asks for 32 MiB on large GPUs and 4 MiB on others.
fn workspace_size() -> usize {
    static SIZE: OnceLock<usize> = OnceLock::new();
    *SIZE.get_or_init(|| {
        let (mut free, mut total) = (0, 0);
        let asked = driver().and_then(|driver| driver.cuMemGetInfo_v2(&mut free, &mut total));
        if asked.is_ok() && total >= 30 << 30 { 32 << 20 } else { 4 << 20 }
    })
}

/// `transpose` of oneMKL to cuBLAS's: none, transposed, conjugated.
pub(crate) fn operation(transpose: c_int) -> Result<c_int> {
    match transpose {
        0 => Ok(0),
        1 => Ok(1),
        3 => Ok(2),
        other => Err(format!("oneMKL's transpose {other} is unknown")),
    }
}

const DEFAULT_ALGORITHM: c_int = -1;

/// Kinds of products of `rim/pi_math.hpp`.
const INT8_TO_FLOAT: c_int = 6;
const INT8_TO_INT32: c_int = 7;

/// NVIDIA's numbers of the types of A and B, of C, and of the computation. Floats are multiplied as floats, not as TF32.
fn product_types(kind: c_int) -> Result<(c_int, c_int, c_int)> {
    const HALF: c_int = 2;
    const INT8: c_int = 3;
    const INT32: c_int = 10;
    const COMPUTE_FLOAT: c_int = 68;
    const COMPUTE_DOUBLE: c_int = 70;
    const COMPUTE_INT32: c_int = 72;
    let float = Element::Float.cuda_type();
    match kind {
        4 => Ok((HALF, HALF, COMPUTE_FLOAT)),
        5 => Ok((HALF, float, COMPUTE_FLOAT)),
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

/// What a product is of: `pi_math_product` of `rim/pi_math.hpp`.
#[repr(C)]
#[derive(Debug)]
pub struct Product {
    pub(crate) kind: c_int,
    pub(crate) ta: c_int,
    pub(crate) tb: c_int,
    pub(crate) m: i64,
    pub(crate) n: i64,
    pub(crate) k: i64,
    /// Of the computation's type.
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

/// A product, or `count` of them with strides between them, if `count` is not negative.
///
/// # Safety
/// `product` is a product, and `alpha` and `beta` in it are numbers of the computation's type.
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
    /// Enqueues the product as cuBLAS makes it.
    pub(crate) fn enqueue(&self, stream: Stream) -> Result<()> {
        let p = self;
        let (input, output, compute) = product_types(p.kind)?;
        let (ta, tb) = (operation(p.ta)?, operation(p.tb)?);
        let (alpha, beta) = (Aligned::from_parts(p.alpha), Aligned::from_parts(p.beta));
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

/// A matrix times a vector.
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
        // SAFETY: as the caller vouches.
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

/// A matrix times its own transpose, one triangle of it.
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
        // SAFETY: as the caller vouches.
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

/// oneMKL's `uplo` to NVIDIA's: lower is 0, upper 1.
pub(crate) fn fill(lower: c_int) -> c_int {
    c_int::from(lower == 0)
}

/// A product of two vectors, which goes into memory that the device reaches.
#[unsafe(no_mangle)]
pub extern "C" fn pi_math_dot(
    element: c_int,
    conjugated: c_int,
    n: i64,
    x: u64,
    ix: i64,
    y: u64,
    iy: i64,
    result: u64,
) -> *const c_char {
    answer(|| {
        let element = Element::from_number(element)?;
        let stream = stream()?;
        if n <= 0 {
            return driver()?.cuMemsetD8Async(result, 0, element.size(), stream.raw);
        }
        let call = match (element, conjugated != 0) {
            (Element::Float, _) => Blas::cublasSdot_v2_64,
            (Element::Double, _) => Blas::cublasDdot_v2_64,
            (Element::ComplexFloat, false) => Blas::cublasCdotu_v2_64,
            (Element::ComplexDouble, false) => Blas::cublasZdotu_v2_64,
            (Element::ComplexFloat, true) => Blas::cublasCdotc_v2_64,
            (Element::ComplexDouble, true) => Blas::cublasZdotc_v2_64,
        };
        with_handle(stream, |blas, handle| {
            blas.cublasSetPointerMode_v2(handle, ON_DEVICE)?;
            let done = call(blas, handle, n, x, ix, y, iy, result);
            blas.cublasSetPointerMode_v2(handle, ON_HOST)?;
            done
        })
    })
}

const ON_HOST: c_int = 0;
const ON_DEVICE: c_int = 1;

/// A vector times a number.
///
/// # Safety
/// `alpha` is a number of the element type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_scal(
    element: c_int,
    n: i64,
    alpha: Number,
    x: u64,
    ix: i64,
) -> *const c_char {
    answer(|| {
        let element = Element::from_number(element)?;
        let number = element.cuda_type();
        // SAFETY: as the caller vouches.
        let alpha = unsafe { Aligned::copy(alpha, element) };
        with_handle(stream()?, |blas, handle| {
            blas.cublasScalEx_64(handle, n, alpha.address(), number, x, number, ix, number)
        })
    })
}

/// Writes the conjugate transpose of a matrix with so many rows and columns.
pub(crate) fn conjugate_transpose(
    stream: Stream,
    element: Element,
    (rows, columns): (usize, usize),
    (from, ld_from): (u64, i64),
    (to, ld_to): (u64, i64),
) -> Result<()> {
    const CONJUGATED: c_int = 2;
    let call = match element {
        Element::Float => Blas::cublasSgeam_64,
        Element::Double => Blas::cublasDgeam_64,
        Element::ComplexFloat => Blas::cublasCgeam_64,
        Element::ComplexDouble => Blas::cublasZgeam_64,
    };
    let (one, zero) = (Aligned::one(element), Aligned([0; 16]));
    let (one, zero) = (one.address(), zero.address());
    let (rows, columns) = (rows as i64, columns as i64);
    // Workspace of cuBLAS is not needed here: the stream's own is in use.
    with_handle_alone(stream, |blas, handle| {
        call(blas, handle, CONJUGATED, 0, columns, rows, one, from, ld_from, zero, to, ld_to, to, ld_to)
    })
}
