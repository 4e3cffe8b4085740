//! Factorizations and solvers of batches of small matrices, with the batched functions of cuBLAS and cuSOLVER.

use std::ffi::c_int;

use crate::batch::{ADDRESS, Batch};
use crate::cublas::{Blas, with_handle};
use crate::driver::{Stream, copy_pieces, copy_slices, driver};
use crate::element::Element;
use crate::failure::Result;
use crate::solver::{Solver, with_session};

/// The sizes in bytes of a caller's pivot and of cuBLAS's.
const PIVOT: usize = 8;
const SMALL_PIVOT: usize = 4;

/// The alignment of our own memory.
const ALIGNMENT: usize = 256;

fn aligned(size: usize) -> usize {
    size.next_multiple_of(ALIGNMENT)
}

/// Converts a size for these functions.
fn int(number: i64) -> Result<c_int> {
    c_int::try_from(number).map_err(|_| format!("cuBLAS's functions for batches have no sizes like {number}"))
}

/// Returns whether a batch of square matrices is processed in one call. A single large matrix already keeps the GPU
/// busy.
pub(crate) fn is_at_once(n: i64, count: usize) -> bool {
    (1..512).contains(&n) && (2..=c_int::MAX as usize).contains(&count)
}

/// Works like [`is_at_once`] for QR, where fewer threads process each matrix.
pub(crate) fn is_qr_at_once(m: i64, n: i64, count: usize) -> bool {
    m.min(n) >= 1 && m.max(n) <= 256 && is_at_once(n, count) && count >= n as usize / 16
}

/// Memory for pivots of both widths.
struct Pivots {
    small: u64,
    wide: u64,
    n: usize,
    count: usize,
}

impl Pivots {
    fn bytes(n: usize, count: usize) -> usize {
        aligned(n * count * SMALL_PIVOT) + aligned(n * count * PIVOT)
    }

    fn at(memory: u64, n: usize, count: usize) -> Self {
        Self { small: memory, wide: memory + aligned(n * count * SMALL_PIVOT) as u64, n, count }
    }

    /// Converts pivots from cuBLAS's 32 bits to the caller's 64.
    fn widen(&self, stream: Stream, to: Batch) -> Result<()> {
        let (row, all) = (self.n * PIVOT, self.n * self.count);
        driver()?.cuMemsetD8Async(self.wide, 0, all * PIVOT, stream.raw)?;
        copy_pieces(stream, (self.wide, PIVOT), (self.small, SMALL_PIVOT), SMALL_PIVOT, all)?;
        copy_pieces(stream, (to.first, to.stride as usize * PIVOT), (self.wide, row), row, self.count)
    }

    /// Converts pivots from the caller's 64 bits to cuBLAS's 32.
    fn narrow(&self, stream: Stream, from: Batch) -> Result<()> {
        let (row, all) = (self.n * PIVOT, self.n * self.count);
        copy_pieces(stream, (self.wide, row), (from.first, from.stride as usize * PIVOT), row, self.count)?;
        copy_pieces(stream, (self.small, SMALL_PIVOT), (self.wide, PIVOT), SMALL_PIVOT, all)
    }
}

/// Computes LU factorizations of square matrices.
pub(crate) fn getrf(
    stream: Stream,
    element: Element,
    n: i64,
    a: Batch,
    lda: i64,
    pivots: Batch,
    count: usize,
    infos: *mut c_int,
) -> Result<()> {
    let call = match element {
        Element::Float => Blas::cublasSgetrfBatched,
        Element::Double => Blas::cublasDgetrfBatched,
        Element::ComplexFloat => Blas::cublasCgetrfBatched,
        Element::ComplexDouble => Blas::cublasZgetrfBatched,
    };
    let addresses = aligned(count * ADDRESS);
    with_session(stream, count, addresses + Pivots::bytes(n as usize, count), |session| {
        let room = session.room(0, 0)?;
        let matrices = session.own(count);
        let own = Pivots::at(matrices + addresses as u64, n as usize, count);
        a.upload_addresses(stream, element.size(), count, matrices)?;
        let (n, lda, number) = (int(n)?, int(lda)?, int(count as i64)?);
        with_handle(stream, |blas, handle| {
            call(blas, handle, n, matrices, lda, own.small, room.info, number)
        })?;
        own.widen(stream, pivots)?;
        session.finish(&room, infos, count)
    })
}

/// Solves with LU factorizations.
pub(crate) fn getrs(
    stream: Stream,
    element: Element,
    t: c_int,
    (n, columns): (i64, i64),
    (a, lda): (Batch, i64),
    pivots: Batch,
    (b, ldb): (Batch, i64),
    count: usize,
) -> Result<()> {
    let call = match element {
        Element::Float => Blas::cublasSgetrsBatched,
        Element::Double => Blas::cublasDgetrsBatched,
        Element::ComplexFloat => Blas::cublasCgetrsBatched,
        Element::ComplexDouble => Blas::cublasZgetrsBatched,
    };
    let addresses = aligned(count * ADDRESS);
    with_session(stream, 1, 2 * addresses + Pivots::bytes(n as usize, count), |session| {
        session.room(0, 0)?;
        let matrices = session.own(1);
        let sides = matrices + addresses as u64;
        let own = Pivots::at(sides + addresses as u64, n as usize, count);
        a.upload_addresses(stream, element.size(), count, matrices)?;
        b.upload_addresses(stream, element.size(), count, sides)?;
        own.narrow(stream, pivots)?;
        let (n, columns, lda, ldb) = (int(n)?, int(columns)?, int(lda)?, int(ldb)?);
        let (number, mut wrong) = (int(count as i64)?, 0);
        with_handle(stream, |blas, handle| {
            call(blas, handle, t, n, columns, matrices, lda, own.small, sides, ldb, &mut wrong, number)
        })
    })
}

/// Inverts with LU factorizations.
pub(crate) fn getri(
    stream: Stream,
    element: Element,
    n: i64,
    (a, lda): (Batch, i64),
    pivots: Batch,
    count: usize,
) -> Result<()> {
    let call = match element {
        Element::Float => Blas::cublasSgetriBatched,
        Element::Double => Blas::cublasDgetriBatched,
        Element::ComplexFloat => Blas::cublasCgetriBatched,
        Element::ComplexDouble => Blas::cublasZgetriBatched,
    };
    let (addresses, size, rows) = (aligned(count * ADDRESS), element.size(), n as usize);
    let own_bytes = 2 * addresses + Pivots::bytes(rows, count) + rows * rows * count * size;
    with_session(stream, count, own_bytes, |session| {
        let room = session.room(0, 0)?;
        let matrices = session.own(count);
        let inverses = matrices + addresses as u64;
        let own = Pivots::at(inverses + addresses as u64, rows, count);
        let inverse = inverses + (addresses + Pivots::bytes(rows, count)) as u64;
        a.upload_addresses(stream, size, count, matrices)?;
        Batch { first: inverse, stride: n * n }.upload_addresses(stream, size, count, inverses)?;
        own.narrow(stream, pivots)?;
        let (small_n, small_lda, number) = (int(n)?, int(lda)?, int(count as i64)?);
        with_handle(stream, |blas, handle| {
            call(blas, handle, small_n, matrices, small_lda, own.small, inverses, small_n, room.info, number)
        })?;
        let (row, pitch) = (rows * size, lda as usize * size);
        let to = (a.first, pitch, a.stride as usize * size);
        copy_slices(stream, to, (inverse, row, rows * row), (row, rows, count))
    })
}

/// Computes Cholesky factorizations.
pub(crate) fn potrf(
    stream: Stream,
    element: Element,
    side: c_int,
    n: i64,
    (a, lda): (Batch, i64),
    count: usize,
    infos: *mut c_int,
) -> Result<()> {
    let call = match element {
        Element::Float => Solver::cusolverDnSpotrfBatched,
        Element::Double => Solver::cusolverDnDpotrfBatched,
        Element::ComplexFloat => Solver::cusolverDnCpotrfBatched,
        Element::ComplexDouble => Solver::cusolverDnZpotrfBatched,
    };
    with_session(stream, count, count * ADDRESS, |session| {
        let room = session.room(0, 0)?;
        let matrices = session.own(count);
        a.upload_addresses(stream, element.size(), count, matrices)?;
        let (n, lda, number) = (int(n)?, int(lda)?, int(count as i64)?);
        call(session.solver, session.handle, side, n, matrices, lda, room.info, number)?;
        session.finish(&room, infos, count)
    })
}

/// Computes QR factorizations.
pub(crate) fn geqrf(
    stream: Stream,
    element: Element,
    (m, n): (i64, i64),
    (a, lda): (Batch, i64),
    tau: Batch,
    count: usize,
) -> Result<()> {
    let call = match element {
        Element::Float => Blas::cublasSgeqrfBatched,
        Element::Double => Blas::cublasDgeqrfBatched,
        Element::ComplexFloat => Blas::cublasCgeqrfBatched,
        Element::ComplexDouble => Blas::cublasZgeqrfBatched,
    };
    let addresses = aligned(count * ADDRESS);
    with_session(stream, 1, 2 * addresses, |session| {
        session.room(0, 0)?;
        let matrices = session.own(1);
        let taus = matrices + addresses as u64;
        a.upload_addresses(stream, element.size(), count, matrices)?;
        tau.upload_addresses(stream, element.size(), count, taus)?;
        let (m, n, lda, number, mut wrong) = (int(m)?, int(n)?, int(lda)?, int(count as i64)?, 0);
        with_handle(stream, |blas, handle| call(blas, handle, m, n, matrices, lda, taus, &mut wrong, number))
    })
}
