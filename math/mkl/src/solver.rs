//! cuSOLVER, and the memory of its functions.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::ffi::{c_char, c_int, c_void};

use sycl_pi_dynload::{FromDriver, driver_functions};

use crate::driver::{Stream, driver};
use crate::failure::{Result, common_status};
use crate::libraries::{Opened, did_not_start};
use crate::pool::IdlePool;
use crate::workspace;

type Handle = *mut c_void;

driver_functions! {
    /// cuSOLVER.
    pub(crate) struct Solver {
        fn cusolverDnCreate(handle: *mut Handle) -> c_int;
        fn cusolverDnCreateParams(params: *mut Handle) -> c_int;
        fn cusolverDnSetStream(handle: Handle, stream: *mut c_void) -> c_int;
        fn cusolverDnXgetrf_bufferSize(handle: Handle, params: Handle, m: i64, n: i64, at: c_int, a: u64, lda: i64, compute: c_int,
            device: *mut usize, host: *mut usize) -> c_int;
        fn cusolverDnXgetrf(handle: Handle, params: Handle, m: i64, n: i64, at: c_int, a: u64, lda: i64, pivots: u64, compute: c_int,
            device: u64, device_size: usize, host: *mut c_void, host_size: usize, info: u64) -> c_int;
        fn cusolverDnXgetrs(handle: Handle, params: Handle, transpose: c_int, n: i64, columns: i64, at: c_int, a: u64, lda: i64,
            pivots: u64, bt: c_int, b: u64, ldb: i64, info: u64) -> c_int;
        fn cusolverDnXpotrf_bufferSize(handle: Handle, params: Handle, fill: c_int, n: i64, at: c_int, a: u64, lda: i64, compute: c_int,
            device: *mut usize, host: *mut usize) -> c_int;
        fn cusolverDnXpotrf(handle: Handle, params: Handle, fill: c_int, n: i64, at: c_int, a: u64, lda: i64, compute: c_int, device: u64,
            device_size: usize, host: *mut c_void, host_size: usize, info: u64) -> c_int;
        fn cusolverDnXpotrs(handle: Handle, params: Handle, fill: c_int, n: i64, columns: i64, at: c_int, a: u64, lda: i64, bt: c_int,
            b: u64, ldb: i64, info: u64) -> c_int;
        fn cusolverDnXgeqrf_bufferSize(handle: Handle, params: Handle, m: i64, n: i64, at: c_int, a: u64, lda: i64, tt: c_int, tau: u64,
            compute: c_int, device: *mut usize, host: *mut usize) -> c_int;
        fn cusolverDnXgeqrf(handle: Handle, params: Handle, m: i64, n: i64, at: c_int, a: u64, lda: i64, tt: c_int, tau: u64,
            compute: c_int, device: u64, device_size: usize, host: *mut c_void, host_size: usize, info: u64) -> c_int;
        fn cusolverDnXsyevd_bufferSize(handle: Handle, params: Handle, job: c_int, fill: c_int, n: i64, at: c_int, a: u64, lda: i64,
            wt: c_int, w: u64, compute: c_int, device: *mut usize, host: *mut usize) -> c_int;
        fn cusolverDnXsyevd(handle: Handle, params: Handle, job: c_int, fill: c_int, n: i64, at: c_int, a: u64, lda: i64, wt: c_int,
            w: u64, compute: c_int, device: u64, device_size: usize, host: *mut c_void, host_size: usize, info: u64) -> c_int;
        fn cusolverDnXgesvd_bufferSize(handle: Handle, params: Handle, ju: c_char, jv: c_char, m: i64, n: i64, at: c_int, a: u64, lda: i64,
            st: c_int, s: u64, ut: c_int, u: u64, ldu: i64, vt: c_int, v: u64, ldv: i64, compute: c_int, device: *mut usize,
            host: *mut usize) -> c_int;
        fn cusolverDnXgesvd(handle: Handle, params: Handle, ju: c_char, jv: c_char, m: i64, n: i64, at: c_int, a: u64, lda: i64, st: c_int,
            s: u64, ut: c_int, u: u64, ldu: i64, vt: c_int, v: u64, ldv: i64, compute: c_int, device: u64, device_size: usize,
            host: *mut c_void, host_size: usize, info: u64) -> c_int;
        fn cusolverDnSorgqr_bufferSize(handle: Handle, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64, size: *mut c_int) -> c_int;
        fn cusolverDnDorgqr_bufferSize(handle: Handle, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64, size: *mut c_int) -> c_int;
        fn cusolverDnCungqr_bufferSize(handle: Handle, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64, size: *mut c_int) -> c_int;
        fn cusolverDnZungqr_bufferSize(handle: Handle, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64, size: *mut c_int) -> c_int;
        fn cusolverDnSorgqr(handle: Handle, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64, work: u64, size: c_int, info: u64)
            -> c_int;
        fn cusolverDnDorgqr(handle: Handle, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64, work: u64, size: c_int, info: u64)
            -> c_int;
        fn cusolverDnCungqr(handle: Handle, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64, work: u64, size: c_int, info: u64)
            -> c_int;
        fn cusolverDnZungqr(handle: Handle, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64, work: u64, size: c_int, info: u64)
            -> c_int;
        fn cusolverDnSormqr_bufferSize(handle: Handle, side: c_int, transpose: c_int, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int,
            tau: u64, c: u64, ldc: c_int, size: *mut c_int) -> c_int;
        fn cusolverDnDormqr_bufferSize(handle: Handle, side: c_int, transpose: c_int, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int,
            tau: u64, c: u64, ldc: c_int, size: *mut c_int) -> c_int;
        fn cusolverDnCunmqr_bufferSize(handle: Handle, side: c_int, transpose: c_int, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int,
            tau: u64, c: u64, ldc: c_int, size: *mut c_int) -> c_int;
        fn cusolverDnZunmqr_bufferSize(handle: Handle, side: c_int, transpose: c_int, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int,
            tau: u64, c: u64, ldc: c_int, size: *mut c_int) -> c_int;
        fn cusolverDnSormqr(handle: Handle, side: c_int, transpose: c_int, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64,
            c: u64, ldc: c_int, work: u64, size: c_int, info: u64) -> c_int;
        fn cusolverDnDormqr(handle: Handle, side: c_int, transpose: c_int, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64,
            c: u64, ldc: c_int, work: u64, size: c_int, info: u64) -> c_int;
        fn cusolverDnCunmqr(handle: Handle, side: c_int, transpose: c_int, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64,
            c: u64, ldc: c_int, work: u64, size: c_int, info: u64) -> c_int;
        fn cusolverDnZunmqr(handle: Handle, side: c_int, transpose: c_int, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64,
            c: u64, ldc: c_int, work: u64, size: c_int, info: u64) -> c_int;
        fn cusolverDnSpotrfBatched(handle: Handle, fill: c_int, n: c_int, a: u64, lda: c_int, infos: u64, count: c_int) -> c_int;
        fn cusolverDnDpotrfBatched(handle: Handle, fill: c_int, n: c_int, a: u64, lda: c_int, infos: u64, count: c_int) -> c_int;
        fn cusolverDnCpotrfBatched(handle: Handle, fill: c_int, n: c_int, a: u64, lda: c_int, infos: u64, count: c_int) -> c_int;
        fn cusolverDnZpotrfBatched(handle: Handle, fill: c_int, n: c_int, a: u64, lda: c_int, infos: u64, count: c_int) -> c_int;
    }
}

impl FromDriver<Solver> for c_int {
    type Answer = Result<()>;

    fn answer(function: &'static str, code: c_int) -> Result<()> {
        let why = match code {
            0 => return Ok(()),
            9 => "not supported",
            code => common_status(code).unwrap_or("see cusolverStatus_t"),
        };
        Err(format!("{function} answered {code}: {why}"))
    }

    fn missing(function: &'static str) -> Result<()> {
        Err(format!("this cuSOLVER has no {function}: cuSOLVER of CUDA 12 or later is needed"))
    }
}

fn solver() -> Result<&'static Solver> {
    static SOLVER: Opened<Solver> = Opened::new();
    // SAFETY: cuSOLVER's functions have the types of the rows.
    SOLVER.functions(&sycl_pi_nvidia_files::CUSOLVER, |library| unsafe {
        Solver::resolve(|name| library.function(name))
    })
}

/// A handle with default parameters.
#[derive(Clone, Copy)]
struct Pair {
    handle: Handle,
    params: Handle,
}

// SAFETY: a handle may be used by any thread, one at a time.
unsafe impl Send for Pair {}

/// The context of a cuSOLVER call.
pub(crate) struct Session<'a> {
    pub(crate) solver: &'static Solver,
    pub(crate) handle: Handle,
    pub(crate) params: Handle,
    pub(crate) stream: Stream,
    workspace: &'a mut workspace::Workspace,
    /// The number of bytes at the start of the workspace that the call reserves.
    kept: usize,
    /// The address where cuSOLVER writes the info of the next matrix.
    info: u64,
}

/// The device memory and host memory of a call.
pub(crate) struct Room {
    pub(crate) device: u64,
    pub(crate) device_size: usize,
    pub(crate) host: *mut c_void,
    pub(crate) host_size: usize,
    pub(crate) info: u64,
}

/// Runs `work` with a handle on a stream, for `count` matrices, with `kept` reserved bytes.
pub(crate) fn with_session<T>(
    stream: Stream,
    count: usize,
    kept: usize,
    work: impl FnOnce(&mut Session<'_>) -> Result<T>,
) -> Result<T> {
    static HANDLES: IdlePool<(usize, usize), Pair> = IdlePool::new();
    let solver = solver()?;
    let create = || {
        let mut pair = Pair { handle: std::ptr::null_mut(), params: std::ptr::null_mut() };
        solver.cusolverDnCreate(&mut pair.handle).map_err(did_not_start)?;
        solver.cusolverDnCreateParams(&mut pair.params)?;
        Ok(pair)
    };
    workspace::with(stream, |workspace| {
        HANDLES.with((stream.context, 0), create, |pair| {
            solver.cusolverDnSetStream(pair.handle, stream.raw)?;
            let kept = (count * INFO).next_multiple_of(ALIGNMENT) + kept.next_multiple_of(ALIGNMENT);
            let (handle, params) = (pair.handle, pair.params);
            work(&mut Session { solver, handle, params, stream, workspace, kept, info: 0 })
        })
    })
}

/// The size of an info, and the alignment of device memory, in bytes.
const INFO: usize = 4;
const ALIGNMENT: usize = 256;

impl Session<'_> {
    /// Allocates memory of the size that cuSOLVER requires. If it is larger than earlier memory, the contents of that
    /// may be lost, so call this only once.
    pub(crate) fn room(&mut self, device_size: usize, host_size: usize) -> Result<Room> {
        let memory = self.workspace.at_least(self.kept + device_size.max(1))?;
        self.info = memory;
        let host = if host_size == 0 { std::ptr::null_mut() } else { host_memory(host_size) };
        Ok(Room { device: memory + self.kept as u64, device_size, host, host_size, info: memory })
    }

    /// Returns the address of the call's reserved memory, after the infos of `count` matrices.
    pub(crate) fn own(&self, count: usize) -> u64 {
        self.info + (count * INFO).next_multiple_of(ALIGNMENT) as u64
    }

    /// Returns the address of the info of matrix `index`.
    pub(crate) fn info(&self, room: &Room, index: usize) -> u64 {
        room.info + (index * INFO) as u64
    }

    /// Ends a call: the infos are copied to the host, and the host memory is freed once the stream has completed the
    /// call.
    pub(crate) fn finish(&self, room: &Room, infos: *mut c_int, count: usize) -> Result<()> {
        let done = if infos.is_null() {
            Ok(())
        } else {
            driver()?.cuMemcpyDtoHAsync_v2(infos.cast(), room.info, count * INFO, self.stream.raw)
        };
        let freed = if room.host.is_null() {
            Ok(())
        } else {
            driver()?.cuLaunchHostFunc(self.stream.raw, free_host_memory, room.host)
        };
        done.and(freed)
    }
}

/// Allocates memory that stores its own size, so that it can be freed by address.
fn host_memory(size: usize) -> *mut c_void {
    let words = size.div_ceil(16) + 1;
    let memory: Box<[u128]> =
        vec![words as u128; 1].into_iter().chain(std::iter::repeat_n(0, words - 1)).collect();
    // SAFETY: one word after the start of at least two words, or at the end.
    unsafe { Box::into_raw(memory).cast::<u128>().add(1).cast() }
}

/// # Safety
/// `memory` comes from [`host_memory`], and nothing uses it any more.
unsafe extern "C" fn free_host_memory(memory: *mut c_void) {
    // SAFETY: the memory of `host_memory`, whose first word is its length in words.
    unsafe {
        let start = memory.cast::<u128>().sub(1);
        let words = start.read() as usize;
        drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, words)));
    }
}
