//! cuSOLVER.

use std::ffi::{c_char, c_int, c_void};

use crate::faults::calls;
use crate::openblas::openblas;
use crate::stream::{at, later};

const INVALID_VALUE: c_int = 3;

/// A handle.
pub(crate) struct Handle {
    stream: usize,
}

type Long = *const i64;
type Place = *mut c_void;

/// Returns `s`, `d`, `c` or `z`.
fn letter(kind: c_int) -> char {
    match kind {
        0 => 's',
        1 => 'd',
        4 => 'c',
        _ => 'z',
    }
}

fn is_complex(kind: c_int) -> bool {
    kind >= 4
}

/// Writes an info.
fn report(info: u64, value: i64) {
    // SAFETY: the caller's pointer.
    unsafe { at::<c_int>(info).write(value as c_int) };
}

/// Allocates LAPACK's work memory for this number of the largest elements.
fn work(numbers: i64) -> Vec<[f64; 2]> {
    vec![[0.0; 2]; numbers.max(1) as usize]
}

pub(crate) unsafe fn stream(handle: *mut Handle) -> usize {
    // SAFETY: a live handle.
    unsafe { (*handle).stream }
}

calls! {
    fn cusolverDnCreate(handle: *mut *mut Handle) {
        // SAFETY: the caller's pointer.
        unsafe { *handle = Box::into_raw(Box::new(Handle { stream: 0 })) };
        0
    }

    fn cusolverDnCreateParams(params: *mut *mut c_void) {
        // SAFETY: the caller's pointer.
        unsafe { *params = std::ptr::dangling_mut::<u64>().cast() };
        0
    }

    fn cusolverDnSetStream(handle: *mut Handle, stream: *mut c_void) {
        // SAFETY: a live handle.
        unsafe { (*handle).stream = stream.expose_provenance() };
        0
    }
}

/// Sizes that a real cuSOLVER might request. The memory is written to, because the caller must provide it.
const DEVICE: usize = 500;
const HOST: usize = 100;

fn sizes(device: *mut usize, host: *mut usize) -> c_int {
    // SAFETY: the caller's pointers.
    unsafe { (*device, *host) = (DEVICE, HOST) };
    0
}

/// Returns whether the memory was provided, and writes to it in the stream's order.
fn has_room(stream: usize, device: u64, device_size: usize, host: *mut c_void, host_size: usize) -> bool {
    let (good, host) = (
        device != 0 && device_size >= DEVICE && !host.is_null() && host_size >= HOST,
        host.expose_provenance(),
    );
    if good {
        later(stream, move || {
            // SAFETY: as many bytes as requested.
            unsafe {
                at::<u8>(device).write_bytes(0xcc, DEVICE);
                at::<u8>(host as u64).write_bytes(0xcc, HOST);
            }
        });
    }
    good
}

calls! {
    fn cusolverDnXgetrf_bufferSize(
        _: *mut Handle, _: *mut c_void, _: i64, _: i64, _: c_int, _: u64, _: i64, _: c_int,
        device: *mut usize, host: *mut usize
    ) {
        sizes(device, host)
    }

    fn cusolverDnXgetrf(
        handle: *mut Handle, _: *mut c_void, m: i64, n: i64, kind: c_int, a: u64, lda: i64, pivots: u64,
        _: c_int, device: u64, device_size: usize, host: *mut c_void, host_size: usize, info: u64
    ) {
        // SAFETY: a live handle.
        let stream = unsafe { stream(handle) };
        if lda < m.max(1) || !has_room(stream, device, device_size, host, host_size) {
            return INVALID_VALUE;
        }
        later(stream, move || {
            let mut answer = 0_i64;
            openblas!(&format!("{}getrf_", letter(kind)), &m => Long, &n => Long, at(a) => Place, &lda => Long, at(pivots) => *mut i64,
                &mut answer => *mut i64; ());
            report(info, answer);
        })
    }

    fn cusolverDnXgetrs(
        handle: *mut Handle, _: *mut c_void, transpose: c_int, n: i64, columns: i64, kind: c_int, a: u64,
        lda: i64, pivots: u64, _: c_int, b: u64, ldb: i64, info: u64
    ) {
        // SAFETY: a live handle.
        let stream = unsafe { stream(handle) };
        if lda < n.max(1) || ldb < n.max(1) {
            return INVALID_VALUE;
        }
        later(stream, move || {
            let (mut answer, t) = (0_i64, b"NTC"[transpose as usize]);
            openblas!(&format!("{}getrs_", letter(kind)), &t => *const u8, &n => Long, &columns => Long, at(a) => Place, &lda => Long,
                at(pivots) => *mut i64, at(b) => Place, &ldb => Long, &mut answer => *mut i64, 1 => usize; ());
            report(info, answer);
        })
    }

    fn cusolverDnXpotrf_bufferSize(
        _: *mut Handle, _: *mut c_void, _: c_int, _: i64, _: c_int, _: u64, _: i64, _: c_int,
        device: *mut usize, host: *mut usize
    ) {
        sizes(device, host)
    }
}

fn side(fill: c_int) -> u8 {
    if fill == 0 { b'L' } else { b'U' }
}

calls! {
    fn cusolverDnXpotrf(
        handle: *mut Handle, _: *mut c_void, fill: c_int, n: i64, kind: c_int, a: u64, lda: i64, _: c_int,
        device: u64, device_size: usize, host: *mut c_void, host_size: usize, info: u64
    ) {
        // SAFETY: a live handle.
        let stream = unsafe { stream(handle) };
        if lda < n.max(1) || !has_room(stream, device, device_size, host, host_size) {
            return INVALID_VALUE;
        }
        later(stream, move || {
            let (mut answer, side) = (0_i64, side(fill));
            openblas!(&format!("{}potrf_", letter(kind)), &side => *const u8, &n => Long, at(a) => Place, &lda => Long,
                &mut answer => *mut i64, 1 => usize; ());
            report(info, answer);
        })
    }

    fn cusolverDnXpotrs(
        handle: *mut Handle, _: *mut c_void, fill: c_int, n: i64, columns: i64, kind: c_int, a: u64, lda: i64,
        _: c_int, b: u64, ldb: i64, info: u64
    ) {
        // SAFETY: a live handle.
        let stream = unsafe { stream(handle) };
        if lda < n.max(1) || ldb < n.max(1) {
            return INVALID_VALUE;
        }
        later(stream, move || {
            let (mut answer, side) = (0_i64, side(fill));
            openblas!(&format!("{}potrs_", letter(kind)), &side => *const u8, &n => Long, &columns => Long, at(a) => Place, &lda => Long,
                at(b) => Place, &ldb => Long, &mut answer => *mut i64, 1 => usize; ());
            report(info, answer);
        })
    }

    fn cusolverDnXgeqrf_bufferSize(
        _: *mut Handle, _: *mut c_void, _: i64, _: i64, _: c_int, _: u64, _: i64, _: c_int, _: u64, _: c_int,
        device: *mut usize, host: *mut usize
    ) {
        sizes(device, host)
    }

    fn cusolverDnXgeqrf(
        handle: *mut Handle, _: *mut c_void, m: i64, n: i64, kind: c_int, a: u64, lda: i64, _: c_int,
        tau: u64, _: c_int, device: u64, device_size: usize, host: *mut c_void, host_size: usize, info: u64
    ) {
        // SAFETY: a live handle.
        let stream = unsafe { stream(handle) };
        if lda < m.max(1) || !has_room(stream, device, device_size, host, host_size) {
            return INVALID_VALUE;
        }
        later(stream, move || {
            let (mut answer, size) = (0_i64, n.max(1) * 64);
            let mut own = work(size);
            openblas!(&format!("{}geqrf_", letter(kind)), &m => Long, &n => Long, at(a) => Place, &lda => Long, at(tau) => Place,
                own.as_mut_ptr().cast() => Place, &size => Long, &mut answer => *mut i64; ());
            report(info, answer);
        })
    }
}

macro_rules! orgqr {
    ($($size:ident $name:ident $function:literal;)*) => { calls! {$(
        fn $size(
            _: *mut Handle, _: c_int, n: c_int, _: c_int, _: u64, _: c_int, _: u64, numbers: *mut c_int
        ) {
            // SAFETY: the caller's pointer.
            unsafe { *numbers = n.max(1) * 64 };
            0
        }

        fn $name(
            handle: *mut Handle, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64, work: u64, size: c_int, info: u64
        ) {
            if lda < m.max(1) || m < n || n < k || size < n.max(1) * 64 {
                return INVALID_VALUE;
            }
            // SAFETY: a live handle.
            later(unsafe { stream(handle) }, move || {
                let (m, n, k, lda, size) = (i64::from(m), i64::from(n), i64::from(k), i64::from(lda), i64::from(size));
                let mut answer = 0_i64;
                openblas!($function, &m => Long, &n => Long, &k => Long, at(a) => Place, &lda => Long, at(tau) => Place,
                    at(work) => Place, &size => Long, &mut answer => *mut i64; ());
                report(info, answer);
            })
        }
    )*} };
}

orgqr! {
    cusolverDnSorgqr_bufferSize cusolverDnSorgqr "sorgqr_";
    cusolverDnDorgqr_bufferSize cusolverDnDorgqr "dorgqr_";
    cusolverDnCungqr_bufferSize cusolverDnCungqr "cungqr_";
    cusolverDnZungqr_bufferSize cusolverDnZungqr "zungqr_";
}

macro_rules! ormqr {
    ($($size:ident $name:ident $transpose:literal $function:literal;)*) => { calls! {$(
        fn $size(
            _: *mut Handle, _: c_int, _: c_int, m: c_int, n: c_int, _: c_int, _: u64, _: c_int, _: u64, _: u64, _: c_int, numbers: *mut c_int
        ) {
            // SAFETY: the caller's pointer.
            unsafe { *numbers = m.max(n).max(1) * 64 };
            0
        }

        fn $name(
            handle: *mut Handle, side: c_int, transpose: c_int, m: c_int, n: c_int, k: c_int, a: u64, lda: c_int, tau: u64, c: u64, ldc: c_int,
            work: u64, size: c_int, info: u64
        ) {
            // Real matrices have a transpose, complex ones a conjugate transpose.
            let (side, t) = match (side, transpose) {
                (0, 0) => (b'L', b'N'),
                (1, 0) => (b'R', b'N'),
                (0, $transpose) => (b'L', b"NTC"[$transpose]),
                (1, $transpose) => (b'R', b"NTC"[$transpose]),
                _ => return INVALID_VALUE,
            };
            let rows = if side == b'L' { m } else { n };
            if lda < rows.max(1) || ldc < m.max(1) || k > rows || size < m.max(n).max(1) * 64 {
                return INVALID_VALUE;
            }
            // SAFETY: a live handle.
            later(unsafe { stream(handle) }, move || {
                let (m, n, k, lda) = (i64::from(m), i64::from(n), i64::from(k), i64::from(lda));
                let (ldc, size, mut answer) = (i64::from(ldc), i64::from(size), 0_i64);
                openblas!($function, &side => *const u8, &t => *const u8, &m => Long, &n => Long, &k => Long, at(a) => Place,
                    &lda => Long, at(tau) => Place, at(c) => Place, &ldc => Long, at(work) => Place, &size => Long,
                    &mut answer => *mut i64, 1 => usize, 1 => usize; ());
                report(info, answer);
            })
        }
    )*} };
}

ormqr! {
    cusolverDnSormqr_bufferSize cusolverDnSormqr 1 "sormqr_";
    cusolverDnDormqr_bufferSize cusolverDnDormqr 1 "dormqr_";
    cusolverDnCunmqr_bufferSize cusolverDnCunmqr 2 "cunmqr_";
    cusolverDnZunmqr_bufferSize cusolverDnZunmqr 2 "zunmqr_";
}

calls! {
    fn cusolverDnXsyevd_bufferSize(
        _: *mut Handle, _: *mut c_void, _: c_int, _: c_int, _: i64, _: c_int, _: u64, _: i64, _: c_int,
        _: u64, _: c_int, device: *mut usize, host: *mut usize
    ) {
        sizes(device, host)
    }

    fn cusolverDnXsyevd(
        handle: *mut Handle, _: *mut c_void, job: c_int, fill: c_int, n: i64, kind: c_int, a: u64, lda: i64,
        _: c_int, w: u64, _: c_int, device: u64, device_size: usize, host: *mut c_void, host_size: usize,
        info: u64
    ) {
        // SAFETY: a live handle.
        let stream = unsafe { stream(handle) };
        if lda < n.max(1) || !has_room(stream, device, device_size, host, host_size) {
            return INVALID_VALUE;
        }
        later(stream, move || {
            let (mut answer, job, side, size) = (0_i64, b"NV"[job as usize], side(fill), n.max(1) * 64);
            let (mut own, mut reals) = (work(size), work(3 * n));
            if is_complex(kind) {
                openblas!(&format!("{}heev_", letter(kind)), &job => *const u8, &side => *const u8, &n => Long, at(a) => Place,
                    &lda => Long, at(w) => Place, own.as_mut_ptr().cast() => Place, &size => Long, reals.as_mut_ptr().cast() => Place,
                    &mut answer => *mut i64, 1 => usize, 1 => usize; ());
            } else {
                openblas!(&format!("{}syev_", letter(kind)), &job => *const u8, &side => *const u8, &n => Long, at(a) => Place,
                    &lda => Long, at(w) => Place, own.as_mut_ptr().cast() => Place, &size => Long, &mut answer => *mut i64,
                    1 => usize, 1 => usize; ());
            }
            report(info, answer);
        })
    }

    fn cusolverDnXgesvd_bufferSize(
        _: *mut Handle, _: *mut c_void, _: c_char, _: c_char, _: i64, _: i64, _: c_int, _: u64, _: i64,
        _: c_int, _: u64, _: c_int, _: u64, _: i64, _: c_int, _: u64, _: i64, _: c_int, device: *mut usize,
        host: *mut usize
    ) {
        sizes(device, host)
    }

    fn cusolverDnXgesvd(
        handle: *mut Handle, _: *mut c_void, ju: c_char, jv: c_char, m: i64, n: i64, kind: c_int, a: u64,
        lda: i64, _: c_int, s: u64, _: c_int, u: u64, ldu: i64, _: c_int, v: u64, ldv: i64, _: c_int,
        device: u64, device_size: usize, host: *mut c_void, host_size: usize, info: u64
    ) {
        // SAFETY: a live handle.
        let stream = unsafe { stream(handle) };
        // As in cuSOLVER, there must be at least as many rows as columns.
        if m < n || lda < m.max(1) || !has_room(stream, device, device_size, host, host_size) {
            return INVALID_VALUE;
        }
        later(stream, move || {
            let (mut answer, ju, jv, size) = (0_i64, ju as u8, jv as u8, (m + n).max(1) * 64);
            let (mut own, mut reals) = (work(size), work(5 * n));
            let name = format!("{}gesvd_", letter(kind));
            if is_complex(kind) {
                openblas!(&name, &ju => *const u8, &jv => *const u8, &m => Long, &n => Long, at(a) => Place, &lda => Long, at(s) => Place,
                    at(u) => Place, &ldu => Long, at(v) => Place, &ldv => Long, own.as_mut_ptr().cast() => Place, &size => Long,
                    reals.as_mut_ptr().cast() => Place, &mut answer => *mut i64, 1 => usize, 1 => usize; ());
            } else {
                openblas!(&name, &ju => *const u8, &jv => *const u8, &m => Long, &n => Long, at(a) => Place, &lda => Long, at(s) => Place,
                    at(u) => Place, &ldu => Long, at(v) => Place, &ldv => Long, own.as_mut_ptr().cast() => Place, &size => Long,
                    &mut answer => *mut i64, 1 => usize, 1 => usize; ());
            }
            report(info, answer);
        })
    }
}
