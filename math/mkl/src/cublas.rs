//! cuBLAS: its functions and its handles.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use sycl_pi_dynload::{FromDriver, driver_functions};

use crate::driver::{Stream, driver};
use crate::element::Element;
use crate::failure::Result;
use crate::libraries::{Opened, did_not_start};
use crate::pool::IdlePool;
use crate::workspace;

pub(crate) type Handle = *mut c_void;

macro_rules! blas_functions {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {
        driver_functions! {
            /// cuBLAS.
            pub(crate) struct Blas {
                fn cublasCreate_v2(handle: *mut Handle) -> c_int;
                fn cublasSetStream_v2(handle: Handle, stream: *mut c_void) -> c_int;
                fn cublasSetWorkspace_v2(handle: Handle, memory: u64, size: usize) -> c_int;
                fn cublasSetMathMode(handle: Handle, mode: c_int) -> c_int;
                fn cublasSetPointerMode_v2(handle: Handle, mode: c_int) -> c_int;
                $(fn $name(handle: Handle, $($arg: $type),*) -> c_int;)*
            }
        }
    };
}

/// The address of an [`Aligned`] number.
pub(crate) type Number = *const c_void;

/// A number aligned for cuBLAS, which reads double-precision complex numbers with a single 16-byte access.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub(crate) struct Aligned([u8; 16]);

impl Aligned {
    /// Copies a C++ number, which is aligned only to its parts.
    ///
    /// # Safety
    /// `number` points to a number of this type.
    pub(crate) unsafe fn copy(number: *const c_void, element: Element) -> Self {
        let mut bytes = [0; 16];
        // SAFETY: an element has at most 16 bytes, and the caller vouches for them.
        unsafe { number.cast::<u8>().copy_to_nonoverlapping(bytes.as_mut_ptr(), element.size()) };
        Self(bytes)
    }

    pub(crate) fn of(number: [f64; 2]) -> Self {
        let (mut bytes, [real, imaginary]) = ([0; 16], number.map(f64::to_ne_bytes));
        bytes[..8].copy_from_slice(&real);
        bytes[8..].copy_from_slice(&imaginary);
        Self(bytes)
    }

    /// Creates a real number in a type that may be complex.
    pub(crate) fn real(element: Element, number: f64) -> Self {
        match element {
            Element::Double | Element::ComplexDouble => Self::of([number, 0.0]),
            Element::Float | Element::ComplexFloat => {
                let mut bytes = [0; 16];
                bytes[..4].copy_from_slice(&(number as f32).to_ne_bytes());
                Self(bytes)
            }
        }
    }

    /// Returns its bytes, followed by zeros.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn address(&self) -> Number {
        self.0.as_ptr().cast()
    }
}

blas_functions! {
    cublasGemmEx_64(ta: c_int, tb: c_int, m: i64, n: i64, k: i64, alpha: Number, a: u64, at: c_int, lda: i64, b: u64, bt: c_int,
        ldb: i64, beta: Number, c: u64, ct: c_int, ldc: i64, compute: c_int, algorithm: c_int);
    cublasGemmStridedBatchedEx_64(ta: c_int, tb: c_int, m: i64, n: i64, k: i64, alpha: Number, a: u64, at: c_int, lda: i64, sa: i64,
        b: u64, bt: c_int, ldb: i64, sb: i64, beta: Number, c: u64, ct: c_int, ldc: i64, sc: i64, count: i64, compute: c_int,
        algorithm: c_int);
    cublasGemmBatchedEx_64(ta: c_int, tb: c_int, m: i64, n: i64, k: i64, alpha: Number, a: u64, at: c_int, lda: i64, b: u64, bt: c_int,
        ldb: i64, beta: Number, c: u64, ct: c_int, ldc: i64, count: i64, compute: c_int, algorithm: c_int);
    cublasStrsm_v2_64(s: c_int, u: c_int, t: c_int, d: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, b: u64, ldb: i64);
    cublasDtrsm_v2_64(s: c_int, u: c_int, t: c_int, d: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, b: u64, ldb: i64);
    cublasCtrsm_v2_64(s: c_int, u: c_int, t: c_int, d: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, b: u64, ldb: i64);
    cublasZtrsm_v2_64(s: c_int, u: c_int, t: c_int, d: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, b: u64, ldb: i64);
    cublasStrsmBatched_64(s: c_int, u: c_int, t: c_int, d: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, b: u64, ldb: i64,
        count: i64);
    cublasDtrsmBatched_64(s: c_int, u: c_int, t: c_int, d: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, b: u64, ldb: i64,
        count: i64);
    cublasCtrsmBatched_64(s: c_int, u: c_int, t: c_int, d: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, b: u64, ldb: i64,
        count: i64);
    cublasZtrsmBatched_64(s: c_int, u: c_int, t: c_int, d: c_int, m: i64, n: i64, alpha: Number, a: u64, lda: i64, b: u64, ldb: i64,
        count: i64);
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
    cublasScopy_v2_64(n: i64, x: u64, ix: i64, y: u64, iy: i64);
    cublasDcopy_v2_64(n: i64, x: u64, ix: i64, y: u64, iy: i64);
    cublasCcopy_v2_64(n: i64, x: u64, ix: i64, y: u64, iy: i64);
    cublasZcopy_v2_64(n: i64, x: u64, ix: i64, y: u64, iy: i64);
    cublasScalEx_64(n: i64, alpha: Number, at: c_int, x: u64, xt: c_int, ix: i64, compute: c_int);
    cublasSgetrfBatched(n: c_int, a: u64, lda: c_int, pivots: u64, infos: u64, count: c_int);
    cublasDgetrfBatched(n: c_int, a: u64, lda: c_int, pivots: u64, infos: u64, count: c_int);
    cublasCgetrfBatched(n: c_int, a: u64, lda: c_int, pivots: u64, infos: u64, count: c_int);
    cublasZgetrfBatched(n: c_int, a: u64, lda: c_int, pivots: u64, infos: u64, count: c_int);
    cublasSgetrsBatched(t: c_int, n: c_int, columns: c_int, a: u64, lda: c_int, pivots: u64, b: u64, ldb: c_int,
        wrong: *mut c_int, count: c_int);
    cublasDgetrsBatched(t: c_int, n: c_int, columns: c_int, a: u64, lda: c_int, pivots: u64, b: u64, ldb: c_int,
        wrong: *mut c_int, count: c_int);
    cublasCgetrsBatched(t: c_int, n: c_int, columns: c_int, a: u64, lda: c_int, pivots: u64, b: u64, ldb: c_int,
        wrong: *mut c_int, count: c_int);
    cublasZgetrsBatched(t: c_int, n: c_int, columns: c_int, a: u64, lda: c_int, pivots: u64, b: u64, ldb: c_int,
        wrong: *mut c_int, count: c_int);
    cublasSgetriBatched(n: c_int, a: u64, lda: c_int, pivots: u64, c: u64, ldc: c_int, infos: u64, count: c_int);
    cublasDgetriBatched(n: c_int, a: u64, lda: c_int, pivots: u64, c: u64, ldc: c_int, infos: u64, count: c_int);
    cublasCgetriBatched(n: c_int, a: u64, lda: c_int, pivots: u64, c: u64, ldc: c_int, infos: u64, count: c_int);
    cublasZgetriBatched(n: c_int, a: u64, lda: c_int, pivots: u64, c: u64, ldc: c_int, infos: u64, count: c_int);
    cublasSgeqrfBatched(m: c_int, n: c_int, a: u64, lda: c_int, tau: u64, wrong: *mut c_int, count: c_int);
    cublasDgeqrfBatched(m: c_int, n: c_int, a: u64, lda: c_int, tau: u64, wrong: *mut c_int, count: c_int);
    cublasCgeqrfBatched(m: c_int, n: c_int, a: u64, lda: c_int, tau: u64, wrong: *mut c_int, count: c_int);
    cublasZgeqrfBatched(m: c_int, n: c_int, a: u64, lda: c_int, tau: u64, wrong: *mut c_int, count: c_int);
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

/// Returns cuBLAS, which is opened at first use.
pub(crate) fn blas() -> Result<&'static Blas> {
    static BLAS: Opened<Blas> = Opened::new();
    // SAFETY: cuBLAS's functions have the types of the rows.
    BLAS.functions(&sycl_pi_nvidia_files::CUBLAS, |library| unsafe {
        Blas::resolve(|name| library.function(name))
    })
}

/// `CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION`.
const DISALLOW_REDUCED_PRECISION_REDUCTION: c_int = 16;

/// A handle, and the stream that was last set for it.
struct Told {
    handle: Handle,
    stream: usize,
    workspace: u64,
}

// SAFETY: a handle may be used by any thread, one at a time.
unsafe impl Send for Told {}

static HANDLES: IdlePool<usize, Told> = IdlePool::new();

impl Told {
    fn create(blas: &Blas) -> Result<Self> {
        let mut handle = std::ptr::null_mut();
        blas.cublasCreate_v2(&mut handle).map_err(did_not_start)?;
        // Sums for results of two bytes are rounded once, at their end, as oneMKL and oneDNN do.
        blas.cublasSetMathMode(handle, DISALLOW_REDUCED_PRECISION_REDUCTION)?;
        Ok(Self { handle, stream: 0, workspace: 0 })
    }
}

/// Works like [`with_handle`], but with the workspace that cuBLAS allocates itself. For functions that use no
/// workspace.
pub(crate) fn with_handle_alone(
    stream: Stream,
    work: impl FnOnce(&'static Blas, Handle) -> Result<()>,
) -> Result<()> {
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

/// Runs `work` with a handle that enqueues on `stream`.
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

/// Returns the size that NVIDIA recommends: 32 MiB on large GPUs and 4 MiB on others.
fn workspace_size() -> usize {
    static SIZE: OnceLock<usize> = OnceLock::new();
    *SIZE.get_or_init(|| {
        let (mut free, mut total) = (0, 0);
        let asked = driver().and_then(|driver| driver.cuMemGetInfo_v2(&mut free, &mut total));
        if asked.is_ok() && total >= 30 << 30 { 32 << 20 } else { 4 << 20 }
    })
}
