//! cuBLAS's and cuSOLVER's functions for batches of matrices, which are given by their addresses in device memory.

use std::ffi::{c_int, c_void};

use crate::blas::Handle;
use crate::faults::calls;
use crate::openblas::openblas;
use crate::stream::{at, later};

const INVALID_VALUE: c_int = 7;

type Long = *const i64;
type Place = *mut c_void;

/// Returns the address of matrix `index`.
fn matrix(addresses: u64, index: c_int) -> Place {
    // SAFETY: one of the caller's addresses.
    at(unsafe { at::<u64>(addresses).add(index as usize).read() })
}

/// Returns the pivots of matrix `index` for LAPACK.
fn pivots(list: u64, n: c_int, index: c_int) -> Vec<i64> {
    let place = |row: c_int| index as usize * n as usize + row as usize;
    // SAFETY: the caller provides this number.
    (0..n).map(|row| i64::from(unsafe { at::<c_int>(list).add(place(row)).read() })).collect()
}

fn report(infos: u64, index: c_int, info: i64) {
    // SAFETY: the caller provides room for each matrix.
    unsafe { at::<c_int>(infos).add(index as usize).write(info as c_int) };
}

macro_rules! batched {
    ($($size:literal $letter:literal $getrf:ident $getrs:ident $getri:ident $geqrf:ident;)*) => { calls! {$(
        fn $getrf(
            handle: *mut Handle, n: c_int, a: u64, lda: c_int, list: u64, infos: u64, count: c_int
        ) {
            if lda < n.max(1) {
                return INVALID_VALUE;
            }
            // SAFETY: a live handle, and the caller's matrices.
            later(unsafe { (*handle).stream }, move || for index in 0..count {
                let (rows, lda, mut info, mut own) = (i64::from(n), i64::from(lda), 0_i64, vec![0_i64; n as usize]);
                let a = matrix(a, index);
                openblas!(concat!($letter, "getrf_"), &rows => Long, &rows => Long, a => Place, &lda => Long,
                    own.as_mut_ptr() => *mut i64, &mut info => *mut i64; ());
                for (row, pivot) in own.into_iter().enumerate() {
                    // SAFETY: the caller provides room for n pivots of each matrix.
                    unsafe { at::<c_int>(list).add(index as usize * n as usize + row).write(pivot as c_int) };
                }
                report(infos, index, info);
            })
        }

        fn $getrs(
            handle: *mut Handle, t: c_int, n: c_int, columns: c_int, a: u64, lda: c_int, list: u64, b: u64, ldb: c_int, wrong: *mut c_int,
            count: c_int
        ) {
            // SAFETY: the caller's pointer.
            unsafe { *wrong = 0 };
            if lda < n.max(1) || ldb < n.max(1) {
                return INVALID_VALUE;
            }
            // SAFETY: a live handle, and the caller's matrices.
            later(unsafe { (*handle).stream }, move || for index in 0..count {
                let (rows, columns, lda, ldb) = (i64::from(n), i64::from(columns), i64::from(lda), i64::from(ldb));
                let (mut info, t, own) = (0_i64, b"NTC"[t as usize], pivots(list, n, index));
                let (a, b) = (matrix(a, index), matrix(b, index));
                openblas!(concat!($letter, "getrs_"), &t => *const u8, &rows => Long, &columns => Long, a => Place, &lda => Long,
                    own.as_ptr() => Long, b => Place, &ldb => Long, &mut info => *mut i64, 1 => usize; ());
            })
        }

        fn $getri(
            handle: *mut Handle, n: c_int, a: u64, lda: c_int, list: u64, c: u64, ldc: c_int, infos: u64, count: c_int
        ) {
            if lda < n.max(1) || ldc < n.max(1) {
                return INVALID_VALUE;
            }
            // SAFETY: a live handle, and the caller's matrices.
            later(unsafe { (*handle).stream }, move || for index in 0..count {
                let (rows, ldc_long, mut info, size) = (i64::from(n), i64::from(ldc), 0_i64, i64::from(n) * 64);
                let (own, mut work) = (pivots(list, n, index), vec![[0_f64; 2]; size as usize]);
                let (a, c) = (matrix(a, index), matrix(c, index));
                for column in 0..n as usize {
                    let (from, to) = (column * lda as usize * $size, column * ldc as usize * $size);
                    // SAFETY: a column of each matrix.
                    unsafe { a.byte_add(from).cast::<u8>().copy_to(c.byte_add(to).cast(), n as usize * $size) };
                }
                openblas!(concat!($letter, "getri_"), &rows => Long, c => Place, &ldc_long => Long, own.as_ptr() => Long,
                    work.as_mut_ptr().cast() => Place, &size => Long, &mut info => *mut i64; ());
                report(infos, index, info);
            })
        }

        fn $geqrf(
            handle: *mut Handle, m: c_int, n: c_int, a: u64, lda: c_int, tau: u64, wrong: *mut c_int, count: c_int
        ) {
            // SAFETY: the caller's pointer.
            unsafe { *wrong = 0 };
            if lda < m.max(1) {
                return INVALID_VALUE;
            }
            // SAFETY: a live handle, and the caller's matrices.
            later(unsafe { (*handle).stream }, move || for index in 0..count {
                let (rows, columns, lda, mut info, size) = (i64::from(m), i64::from(n), i64::from(lda), 0_i64, i64::from(n) * 64);
                let mut work = vec![[0_f64; 2]; size as usize];
                let (a, tau) = (matrix(a, index), matrix(tau, index));
                openblas!(concat!($letter, "geqrf_"), &rows => Long, &columns => Long, a => Place, &lda => Long, tau => Place,
                    work.as_mut_ptr().cast() => Place, &size => Long, &mut info => *mut i64; ());
            })
        }
    )*} };
}

batched! {
    4 "s" cublasSgetrfBatched cublasSgetrsBatched cublasSgetriBatched cublasSgeqrfBatched;
    8 "d" cublasDgetrfBatched cublasDgetrsBatched cublasDgetriBatched cublasDgeqrfBatched;
    8 "c" cublasCgetrfBatched cublasCgetrsBatched cublasCgetriBatched cublasCgeqrfBatched;
    16 "z" cublasZgetrfBatched cublasZgetrsBatched cublasZgetriBatched cublasZgeqrfBatched;
}

/// Functions of cuSOLVER, which has another type of handle.
macro_rules! potrf {
    ($($name:ident $function:literal;)*) => { calls! {$(
        fn $name(
            handle: *mut crate::solver::Handle, fill: c_int, n: c_int, a: u64, lda: c_int, infos: u64, count: c_int
        ) {
            if lda < n.max(1) {
                return 3;
            }
            // SAFETY: a live handle, and the caller's matrices.
            later(unsafe { crate::solver::stream(handle) }, move || for index in 0..count {
                let (rows, lda, mut info, side) = (i64::from(n), i64::from(lda), 0_i64, if fill == 0 { b'L' } else { b'U' });
                let a = matrix(a, index);
                openblas!($function, &side => *const u8, &rows => Long, a => Place, &lda => Long, &mut info => *mut i64, 1 => usize; ());
                report(infos, index, info);
            })
        }
    )*} };
}

potrf! {
    cusolverDnSpotrfBatched "spotrf_";
    cusolverDnDpotrfBatched "dpotrf_";
    cusolverDnCpotrfBatched "cpotrf_";
    cusolverDnZpotrfBatched "zpotrf_";
}
