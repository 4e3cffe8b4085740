//! Factorizations and solvers, on cuSOLVER. Matrices are column-major. Large matrices of a batch are enqueued one after
//! the other.
#![expect(unsafe_code, reason = "NVIDIA's functions, and C functions of our own")]

use std::ffi::{c_char, c_int, c_void};

use crate::batch::Batch;
use crate::blas::{conjugate_transpose, fill, operation};
use crate::call::{answer, stream};
use crate::cublas::Aligned;
use crate::driver::{copy_pieces, driver, upload};
use crate::element::Element;
use crate::failure::Result;
use crate::lapack_batch;
use crate::solver::{Room, Session, with_session};
use crate::workspace;

/// The size of a pivot in bytes; pivots are 64-bit numbers.
const PIVOT: usize = 8;

/// Allocates the memory that a routine requires.
macro_rules! room_for {
    ($session:expr, $ask:ident; $($arg:expr),*) => {{
        let (mut device, mut host) = (0, 0);
        let asked = $session.solver.$ask($session.handle, $session.params, $($arg,)* &mut device, &mut host);
        asked.and_then(|()| $session.room(device, host))
    }};
}

/// Runs a routine in its memory.
macro_rules! run {
    ($session:expr, $run:ident, $room:expr, $info:expr; $($arg:expr),*) => {{
        let Room { device, device_size, host, host_size, .. } = &$room;
        $session.solver.$run($session.handle, $session.params, $($arg,)* *device, *device_size, *host, *host_size, $info)
    }};
}

/// Computes LU factorizations.
///
/// # Safety
/// `infos` is null or has space for `count` numbers until the stream has completed the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_getrf(
    element: c_int,
    m: i64,
    n: i64,
    a: Batch,
    lda: i64,
    pivots: Batch,
    count: i64,
    infos: *mut c_int,
) -> *const c_char {
    answer(|| {
        let (element, count) = (Element::from_number(element)?, count.max(0) as usize);
        let kind = element.cuda_type();
        if m == n && lapack_batch::is_at_once(n, count) {
            return lapack_batch::getrf(stream()?, element, n, a, lda, pivots, count, infos);
        }
        with_session(stream()?, count, 0, |session| {
            let room = room_for!(session, cusolverDnXgetrf_bufferSize; m, n, kind, a.first, lda, kind)?;
            let done = (0..count).try_for_each(|index| {
                let info = session.info(&room, index);
                let (a, pivots) = (a.at(index, element.size()), pivots.at(index, PIVOT));
                run!(session, cusolverDnXgetrf, room, info; m, n, kind, a, lda, pivots, kind)
            });
            done.and(session.finish(&room, infos, count))
        })
    })
}

/// Solves with LU factorizations.
#[unsafe(no_mangle)]
pub extern "C" fn pi_math_getrs(
    element: c_int,
    transpose: c_int,
    n: i64,
    columns: i64,
    a: Batch,
    lda: i64,
    pivots: Batch,
    b: Batch,
    ldb: i64,
    count: i64,
) -> *const c_char {
    answer(|| {
        let element = Element::from_number(element)?;
        let (kind, count, t) = (element.cuda_type(), count.max(0) as usize, operation(transpose)?);
        if columns > 0 && lapack_batch::is_at_once(n, count) {
            let (shape, a, b) = ((n, columns), (a, lda), (b, ldb));
            return lapack_batch::getrs(stream()?, element, t, shape, a, pivots, b, count);
        }
        with_session(stream()?, 1, 0, |session| {
            let room = session.room(0, 0)?;
            (0..count).try_for_each(|index| {
                let (a, b) = (a.at(index, element.size()), b.at(index, element.size()));
                let (info, pivots) = (session.info(&room, 0), pivots.at(index, PIVOT));
                let (solver, handle, params) = (session.solver, session.handle, session.params);
                solver
                    .cusolverDnXgetrs(handle, params, t, n, columns, kind, a, lda, pivots, kind, b, ldb, info)
            })
        })
    })
}

/// Inverts with LU factorizations, by solving for the identity.
#[unsafe(no_mangle)]
pub extern "C" fn pi_math_getri(
    element: c_int,
    n: i64,
    a: Batch,
    lda: i64,
    pivots: Batch,
    count: i64,
) -> *const c_char {
    answer(|| {
        let element = Element::from_number(element)?;
        let (kind, count, size) = (element.cuda_type(), count.max(0) as usize, element.size());
        if lapack_batch::is_at_once(n, count) {
            let stream = stream()?;
            let most = (workspace::LARGE / (n as usize * n as usize * size)).max(1);
            return (0..count).step_by(most).try_for_each(|start| {
                let (a, pivots) = (a.behind(start, size), pivots.behind(start, PIVOT));
                lapack_batch::getri(stream, element, n, (a, lda), pivots, most.min(count - start))
            });
        }
        let row = n as usize * size;
        with_session(stream()?, 1, 0, |session| {
            // A column of ones, then the identity that becomes the inverse.
            let start = row.next_multiple_of(256);
            let room = session.room(start + row * n as usize, 0)?;
            let (ones, inverse, stream) = (room.device, room.device + start as u64, session.stream);
            let one = Aligned::real(element, 1.0);
            upload(stream, one.bytes()[..size].repeat(n as usize), ones)?;
            (0..count).try_for_each(|index| {
                driver()?.cuMemsetD8Async(inverse, 0, row * n as usize, stream.raw)?;
                copy_pieces(stream, (inverse, row + size), (ones, size), size, n as usize)?;
                let (a, pivots) = (a.at(index, size), pivots.at(index, PIVOT));
                let (solver, handle, params) = (session.solver, session.handle, session.params);
                solver.cusolverDnXgetrs(
                    handle, params, 0, n, n, kind, a, lda, pivots, kind, inverse, n, room.info,
                )?;
                copy_pieces(stream, (a, lda as usize * size), (inverse, row), row, n as usize)
            })
        })
    })
}

/// Computes Cholesky factorizations.
///
/// # Safety
/// The requirements of [`pi_math_getrf`] apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_potrf(
    element: c_int,
    lower: c_int,
    n: i64,
    a: Batch,
    lda: i64,
    count: i64,
    infos: *mut c_int,
) -> *const c_char {
    answer(|| {
        let (element, count) = (Element::from_number(element)?, count.max(0) as usize);
        let (kind, side) = (element.cuda_type(), fill(lower));
        if lapack_batch::is_at_once(n, count) {
            return lapack_batch::potrf(stream()?, element, side, n, (a, lda), count, infos);
        }
        with_session(stream()?, count, 0, |session| {
            let room = room_for!(session, cusolverDnXpotrf_bufferSize; side, n, kind, a.first, lda, kind)?;
            let done = (0..count).try_for_each(|index| {
                let (a, info) = (a.at(index, element.size()), session.info(&room, index));
                run!(session, cusolverDnXpotrf, room, info; side, n, kind, a, lda, kind)
            });
            done.and(session.finish(&room, infos, count))
        })
    })
}

/// Solves with a Cholesky factorization.
#[unsafe(no_mangle)]
pub extern "C" fn pi_math_potrs(
    element: c_int,
    lower: c_int,
    n: i64,
    columns: i64,
    a: u64,
    lda: i64,
    b: u64,
    ldb: i64,
) -> *const c_char {
    answer(|| {
        let (kind, side) = (Element::from_number(element)?.cuda_type(), fill(lower));
        with_session(stream()?, 1, 0, |session| {
            let room = session.room(0, 0)?;
            let (solver, handle, params) = (session.solver, session.handle, session.params);
            solver.cusolverDnXpotrs(handle, params, side, n, columns, kind, a, lda, kind, b, ldb, room.info)
        })
    })
}

/// Computes QR factorizations.
#[unsafe(no_mangle)]
pub extern "C" fn pi_math_geqrf(
    element: c_int,
    m: i64,
    n: i64,
    a: Batch,
    lda: i64,
    tau: Batch,
    count: i64,
) -> *const c_char {
    answer(|| {
        let element = Element::from_number(element)?;
        let (kind, count) = (element.cuda_type(), count.max(0) as usize);
        if lapack_batch::is_qr_at_once(m, n, count) {
            return lapack_batch::geqrf(stream()?, element, (m, n), (a, lda), tau, count);
        }
        with_session(stream()?, 1, 0, |session| {
            let room = room_for!(session, cusolverDnXgeqrf_bufferSize; m, n, kind, a.first, lda, kind, tau.first, kind)?;
            let done = (0..count).try_for_each(|index| {
                let (a, tau) = (a.at(index, element.size()), tau.at(index, element.size()));
                run!(session, cusolverDnXgeqrf, room, room.info; m, n, kind, a, lda, kind, tau, kind)
            });
            done.and(session.finish(&room, std::ptr::null_mut(), 0))
        })
    })
}

/// Computes the orthogonal matrix of a QR factorization.
#[unsafe(no_mangle)]
pub extern "C" fn pi_math_orgqr(
    element: c_int,
    m: i64,
    n: i64,
    k: i64,
    a: Batch,
    lda: i64,
    tau: Batch,
    count: i64,
) -> *const c_char {
    use crate::solver::Solver;
    answer(|| {
        let (element, count) = (Element::from_number(element)?, count.max(0) as usize);
        let (m, n, k, lda) = (int(m)?, int(n)?, int(k)?, int(lda)?);
        with_session(stream()?, 1, 0, |session| {
            let (solver, handle, mut numbers) = (session.solver, session.handle, 0);
            let ask = match element {
                Element::Float => Solver::cusolverDnSorgqr_bufferSize,
                Element::Double => Solver::cusolverDnDorgqr_bufferSize,
                Element::ComplexFloat => Solver::cusolverDnCungqr_bufferSize,
                Element::ComplexDouble => Solver::cusolverDnZungqr_bufferSize,
            };
            let run = match element {
                Element::Float => Solver::cusolverDnSorgqr,
                Element::Double => Solver::cusolverDnDorgqr,
                Element::ComplexFloat => Solver::cusolverDnCungqr,
                Element::ComplexDouble => Solver::cusolverDnZungqr,
            };
            ask(solver, handle, m, n, k, a.first, lda, tau.first, &mut numbers)?;
            let room = session.room(numbers.max(0) as usize * element.size(), 0)?;
            (0..count).try_for_each(|index| {
                let (a, tau) = (a.at(index, element.size()), tau.at(index, element.size()));
                run(solver, handle, m, n, k, a, lda, tau, room.device, numbers, room.info)
            })
        })
    })
}

/// Converts a size for cuSOLVER's older functions.
fn int(number: i64) -> Result<c_int> {
    c_int::try_from(number).map_err(|_| format!("cuSOLVER's functions for Q have no sizes like {number}"))
}

/// Multiplies the conjugate transpose of the orthogonal matrix of a QR factorization, which has `k` reflections, by
/// matrices of `m` rows.
#[unsafe(no_mangle)]
pub extern "C" fn pi_math_ormqr(
    element: c_int,
    m: i64,
    columns: i64,
    k: i64,
    a: Batch,
    lda: i64,
    tau: Batch,
    b: Batch,
    ldb: i64,
    count: i64,
) -> *const c_char {
    use crate::solver::Solver;
    /// Q is the left factor.
    const LEFT: c_int = 0;
    answer(|| {
        let (element, count) = (Element::from_number(element)?, count.max(0) as usize);
        let (m, columns, k, lda, ldb) = (int(m)?, int(columns)?, int(k)?, int(lda)?, int(ldb)?);
        with_session(stream()?, 1, 0, |session| {
            let (solver, handle, mut numbers) = (session.solver, session.handle, 0);
            let ask = match element {
                Element::Float => Solver::cusolverDnSormqr_bufferSize,
                Element::Double => Solver::cusolverDnDormqr_bufferSize,
                Element::ComplexFloat => Solver::cusolverDnCunmqr_bufferSize,
                Element::ComplexDouble => Solver::cusolverDnZunmqr_bufferSize,
            };
            let run = match element {
                Element::Float => Solver::cusolverDnSormqr,
                Element::Double => Solver::cusolverDnDormqr,
                Element::ComplexFloat => Solver::cusolverDnCunmqr,
                Element::ComplexDouble => Solver::cusolverDnZunmqr,
            };
            // cuSOLVER does not accept the conjugate transpose for real numbers.
            let t = operation(if element == element.real() { 1 } else { 3 })?;
            ask(solver, handle, LEFT, t, m, columns, k, a.first, lda, tau.first, b.first, ldb, &mut numbers)?;
            let room = session.room(numbers.max(0) as usize * element.size(), 0)?;
            let (work, info) = (room.device, room.info);
            (0..count).try_for_each(|index| {
                let [a, tau, b] = [a, tau, b].map(|batch| batch.at(index, element.size()));
                run(solver, handle, LEFT, t, m, columns, k, a, lda, tau, b, ldb, work, numbers, info)
            })
        })
    })
}

/// Copies the diagonals of `n` by `n` matrices to the host, one after the other.
///
/// # Safety
/// `diagonals` has space for them until the stream has completed the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_diagonals(
    element: c_int,
    n: i64,
    a: Batch,
    lda: i64,
    count: i64,
    diagonals: *mut c_void,
) -> *const c_char {
    answer(|| {
        let (size, n, count) =
            (Element::from_number(element)?.size(), n.max(0) as usize, count.max(0) as usize);
        let (stream, step, row) = (stream()?, (lda as usize + 1) * size, n * size);
        workspace::with(stream, |memory| {
            let own = memory.at_least(row * count)?;
            // Makes as few copies as possible: either one for each matrix, or one for each position on the diagonal.
            if count <= n {
                (0..count).try_for_each(|index| {
                    let to = own + (index * row) as u64;
                    copy_pieces(stream, (to, size), (a.at(index, size), step), size, n)
                })?;
            } else {
                let pitch = a.stride as usize * size;
                (0..n).try_for_each(|index| {
                    let (to, from) = (own + (index * size) as u64, a.first + (index * step) as u64);
                    copy_pieces(stream, (to, row), (from, pitch), size, count)
                })?;
            }
            driver()?.cuMemcpyDtoHAsync_v2(diagonals, own, row * count, stream.raw)
        })
    })
}

/// Computes the eigenvalues, and the vectors if requested, of a symmetric or Hermitian matrix.
///
/// # Safety
/// The requirements of [`pi_math_getrf`] apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_syevd(
    element: c_int,
    vectors: c_int,
    lower: c_int,
    n: i64,
    a: u64,
    lda: i64,
    w: u64,
    infos: *mut c_int,
) -> *const c_char {
    answer(|| {
        let element = Element::from_number(element)?;
        let (kind, values, side) = (element.cuda_type(), element.real().cuda_type(), fill(lower));
        with_session(stream()?, 1, 0, |session| {
            let room = room_for!(session, cusolverDnXsyevd_bufferSize; vectors, side, n, kind, a, lda, values, w, kind)?;
            let done = run!(session, cusolverDnXsyevd, room, room.info; vectors, side, n, kind, a, lda, values, w, kind);
            done.and(session.finish(&room, infos, 1))
        })
    })
}

/// A singular value decomposition: `pi_math_svd` of `rim/pi_math.hpp`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Svd {
    element: c_int,
    /// `A`, `S` or `N`.
    ju: c_char,
    jv: c_char,
    m: i64,
    n: i64,
    a: u64,
    lda: i64,
    s: u64,
    u: u64,
    ldu: i64,
    v: u64,
    ldv: i64,
}

/// Computes the singular values, and the vectors if requested. cuSOLVER requires at least as many rows as columns;
/// other matrices are transposed.
///
/// # Safety
/// The requirements of [`pi_math_getrf`] apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_math_gesvd(svd: *const Svd, infos: *mut c_int) -> *const c_char {
    answer(|| {
        // SAFETY: the caller's structure, for this call.
        let svd = unsafe { *svd };
        let element = Element::from_number(svd.element)?;
        if svd.m >= svd.n {
            return with_session(stream()?, 1, 0, |session| decompose(session, element, &svd, infos));
        }
        // The left vectors of the transpose, transposed, are our right ones.
        let (m, n, size) = (svd.m as usize, svd.n as usize, element.size());
        let is_full = |job: c_char| job == b'A' as c_char;
        let (left_columns, right_rows) = (if is_full(svd.jv) { n } else { m }, m);
        let part = |numbers: usize| (numbers * size).next_multiple_of(256);
        let (matrix, left, right) = (part(n * m), part(n * left_columns), part(right_rows * m));
        let stream = stream()?;
        with_session(stream, 1, matrix + left + right, |session| {
            let mut turned =
                Svd { ju: svd.jv, jv: svd.ju, m: svd.n, n: svd.m, lda: svd.n, ldu: svd.n, ldv: svd.m, ..svd };
            let room = room_of_svd(session, element, &turned)?;
            turned.a = session.own(1);
            turned.u = turned.a + matrix as u64;
            turned.v = turned.u + left as u64;
            conjugate_transpose(stream, element, (m, n), (svd.a, svd.lda), (turned.a, turned.lda))?;
            run_svd(session, element, &turned, &room)?;
            if svd.ju != b'N' as c_char {
                conjugate_transpose(stream, element, (m, m), (turned.v, turned.ldv), (svd.u, svd.ldu))?;
            }
            if svd.jv != b'N' as c_char {
                conjugate_transpose(
                    stream,
                    element,
                    (n, left_columns),
                    (turned.u, turned.ldu),
                    (svd.v, svd.ldv),
                )?;
            }
            session.finish(&room, infos, 1)
        })
    })
}

fn decompose(session: &mut Session<'_>, element: Element, svd: &Svd, infos: *mut c_int) -> Result<()> {
    let room = room_of_svd(session, element, svd)?;
    run_svd(session, element, svd, &room).and(session.finish(&room, infos, 1))
}

fn room_of_svd(session: &mut Session<'_>, element: Element, svd: &Svd) -> Result<Room> {
    let (kind, values) = (element.cuda_type(), element.real().cuda_type());
    let Svd { ju, jv, m, n, a, lda, s, u, ldu, v, ldv, .. } = *svd;
    room_for!(session, cusolverDnXgesvd_bufferSize; ju, jv, m, n, kind, a, lda, values, s, kind, u, ldu, kind, v, ldv, kind)
}

fn run_svd(session: &Session<'_>, element: Element, svd: &Svd, room: &Room) -> Result<()> {
    let (kind, values) = (element.cuda_type(), element.real().cuda_type());
    let Svd { ju, jv, m, n, a, lda, s, u, ldu, v, ldv, .. } = *svd;
    run!(session, cusolverDnXgesvd, room, room.info; ju, jv, m, n, kind, a, lda, values, s, kind, u, ldu, kind, v, ldv, kind)
}
