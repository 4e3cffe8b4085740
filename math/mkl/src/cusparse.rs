//! cuSPARSE: its functions, its handles and its descriptors.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::ffi::{c_int, c_void};

use sycl_pi_dynload::{FromDriver, driver_functions};

use crate::cublas::Number;
use crate::driver::Stream;
use crate::element::Element;
use crate::failure::{Result, common_status};
use crate::libraries::{Opened, did_not_start};
use crate::pool::IdlePool;

/// A handle or a descriptor.
pub(crate) type Object = *mut c_void;

driver_functions! {
    /// cuSPARSE.
    pub(crate) struct Sparse {
        fn cusparseCreate(handle: *mut Object) -> c_int;
        fn cusparseSetStream(handle: Object, stream: *mut c_void) -> c_int;
        fn cusparseCreateCsr(matrix: *mut Object, rows: i64, columns: i64, count: i64, starts: u64, indices: u64, values: u64,
            start_type: c_int, index_type: c_int, base: c_int, value_type: c_int) -> c_int;
        fn cusparseDestroySpMat(matrix: Object) -> c_int;
        fn cusparseCreateDnVec(vector: *mut Object, size: i64, values: u64, value_type: c_int) -> c_int;
        fn cusparseDestroyDnVec(vector: Object) -> c_int;
        fn cusparseCreateDnMat(matrix: *mut Object, rows: i64, columns: i64, ld: i64, values: u64, value_type: c_int, order: c_int)
            -> c_int;
        fn cusparseDestroyDnMat(matrix: Object) -> c_int;
        fn cusparseSpMV_bufferSize(handle: Object, operation: c_int, alpha: Number, a: Object, x: Object, beta: Number, y: Object,
            compute: c_int, algorithm: c_int, size: *mut usize) -> c_int;
        fn cusparseSpMV(handle: Object, operation: c_int, alpha: Number, a: Object, x: Object, beta: Number, y: Object, compute: c_int,
            algorithm: c_int, buffer: u64) -> c_int;
        fn cusparseSpMM_bufferSize(handle: Object, operation_a: c_int, operation_x: c_int, alpha: Number, a: Object, x: Object,
            beta: Number, y: Object, compute: c_int, algorithm: c_int, size: *mut usize) -> c_int;
        fn cusparseSpMM(handle: Object, operation_a: c_int, operation_x: c_int, alpha: Number, a: Object, x: Object, beta: Number,
            y: Object, compute: c_int, algorithm: c_int, buffer: u64) -> c_int;
    }
}

impl FromDriver<Sparse> for c_int {
    type Answer = Result<()>;

    fn answer(function: &'static str, code: c_int) -> Result<()> {
        let why = match code {
            0 => return Ok(()),
            8 | 10 => "not supported",
            11 => "not enough resources",
            code => common_status(code).unwrap_or("see cusparseStatus_t"),
        };
        Err(format!("{function} answered {code}: {why}"))
    }

    fn missing(function: &'static str) -> Result<()> {
        Err(format!("this cuSPARSE has no {function}: cuSPARSE of CUDA 12 or later is needed"))
    }
}

fn sparse() -> Result<&'static Sparse> {
    static SPARSE: Opened<Sparse> = Opened::new();
    // SAFETY: cuSPARSE's functions have the types of the rows.
    SPARSE.functions(&sycl_pi_nvidia_files::CUSPARSE, |library| unsafe {
        Sparse::resolve(|name| library.function(name))
    })
}

struct Handle(Object);

// SAFETY: a handle may be used by any thread, one at a time.
unsafe impl Send for Handle {}

/// Runs `work` with a handle that enqueues on `stream`.
pub(crate) fn with_handle(
    stream: Stream,
    work: impl FnOnce(&'static Sparse, Object) -> Result<()>,
) -> Result<()> {
    static HANDLES: IdlePool<usize, Handle> = IdlePool::new();
    let sparse = sparse()?;
    let create = || {
        let mut handle = std::ptr::null_mut();
        sparse.cusparseCreate(&mut handle).map_err(did_not_start)?;
        Ok(Handle(handle))
    };
    HANDLES.with(stream.context, create, |handle| {
        sparse.cusparseSetStream(handle.0, stream.raw)?;
        work(sparse, handle.0)
    })
}

/// A descriptor. cuSPARSE reads it only during calls, so it need not outlive the work that they enqueue.
pub(crate) struct Descriptor {
    pub(crate) object: Object,
    destroy: fn(Object),
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        (self.destroy)(self.object);
    }
}

impl Descriptor {
    fn new(create: impl FnOnce(&mut Object) -> Result<()>, destroy: fn(Object)) -> Result<Self> {
        let mut object = std::ptr::null_mut();
        create(&mut object)?;
        Ok(Self { object, destroy })
    }

    /// Describes a vector.
    pub(crate) fn vector(sparse: &Sparse, element: Element, size: i64, values: u64) -> Result<Self> {
        Self::new(
            |vector| sparse.cusparseCreateDnVec(vector, size, values, element.cuda_type()),
            |vector| destroy(vector, Sparse::cusparseDestroyDnVec),
        )
    }

    /// Describes a dense matrix.
    pub(crate) fn dense(
        sparse: &Sparse,
        element: Element,
        by_rows: bool,
        (rows, columns): (i64, i64),
        (values, ld): (u64, i64),
    ) -> Result<Self> {
        const BY_COLUMNS: c_int = 1;
        const BY_ROWS: c_int = 2;
        let order = if by_rows { BY_ROWS } else { BY_COLUMNS };
        Self::new(
            |matrix| {
                sparse.cusparseCreateDnMat(matrix, rows, columns, ld, values, element.cuda_type(), order)
            },
            |matrix| destroy(matrix, Sparse::cusparseDestroyDnMat),
        )
    }

    /// Describes a sparse matrix in CSR.
    pub(crate) fn csr(
        sparse: &Sparse,
        element: Element,
        (rows, columns, count): (i64, i64, i64),
        [starts, indices, values]: [u64; 3],
        index_type: c_int,
        base: c_int,
    ) -> Result<Self> {
        Self::new(
            |matrix| {
                let kind = element.cuda_type();
                sparse.cusparseCreateCsr(
                    matrix, rows, columns, count, starts, indices, values, index_type, index_type, base, kind,
                )
            },
            |matrix| destroy(matrix, Sparse::cusparseDestroySpMat),
        )
    }
}

/// Frees a descriptor, which cannot fail for one that exists.
fn destroy(object: Object, with: fn(&Sparse, Object) -> Result<()>) {
    let _ = sparse().and_then(|sparse| with(sparse, object));
}
