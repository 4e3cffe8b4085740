"""Tests that batches are a single call of NVIDIA's libraries, with right results."""

import ctypes
import unittest

import numpy as np
from numpy.testing import assert_allclose

from software import ELEMENTS, SOFTWARE, Batch, Product, Triangular, fft

RANDOM = np.random.default_rng(5)
KINDS = "fdFD"
COUNT, N = 6, 5


def numbers(shape, kind):
    made = RANDOM.standard_normal(shape)
    if kind in "FD":
        made = made + 1j * RANDOM.standard_normal(shape)
    return made.astype(kind)


def close(got, want):
    tolerance = 2e-4 if got.dtype.char in "fF" else 1e-10
    assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def by_columns(matrices):
    """Matrices of a batch as LAPACK has them: each one's transpose in C's order."""
    return np.ascontiguousarray(matrices.swapaxes(1, 2))


def by_rows(stored):
    return stored.swapaxes(1, 2)


def factored(lu, pivots):
    """The matrices that have these LUs."""
    rows = by_rows(lu)
    made = (np.tril(rows, -1) + np.eye(rows.shape[1])) @ np.triu(rows)
    for matrix, places in zip(made, pivots):
        for row in reversed(range(len(places))):
            matrix[[row, places[row] - 1]] = matrix[[places[row] - 1, row]]
    return made


def long(number):
    return ctypes.c_int64(number)


class Solvers(unittest.TestCase):
    def setUp(self):
        SOFTWARE.fail()

    def lu(self, kind, spare=0, singular=None, count=COUNT, n=N):
        """Matrices, their LU, pivots with `spare` numbers behind those of each matrix, and infos."""
        a = numbers((count, n, n), kind)
        if singular is not None:
            a[singular] = 0
        stored, pivots = by_columns(a), np.zeros((count, n + spare), np.int64)
        infos = (ctypes.c_int * count)()
        SOFTWARE.call(
            "pi_math_getrf", ELEMENTS[kind], long(n), long(n), Batch.of(stored), long(n), Batch.of(pivots), long(count), infos
        )
        return a, stored, pivots, list(infos)

    def solve(self, kind, spare=0, transpose=0):
        a, lu, pivots, infos = self.lu(kind, spare)
        self.assertEqual(infos, [0] * COUNT)
        b = numbers((COUNT, N, 2), kind)
        sides = by_columns(b)
        SOFTWARE.call(
            "pi_math_getrs", ELEMENTS[kind], transpose, long(N), long(2), Batch.of(lu), long(N), Batch.of(pivots), Batch.of(sides), long(N),
            long(COUNT),
        )
        return a, b, by_rows(sides)

    def test_factorize_and_solve_with_two_calls(self):
        for letter, kind in zip("SDCZ", KINDS):
            a, b, solution = self.solve(kind)
            close(a @ solution, b)
            self.assertEqual(SOFTWARE.calls(f"cublas{letter}getrfBatched"), 1)
            self.assertEqual(SOFTWARE.calls(f"cublas{letter}getrsBatched"), 1)
        self.assertEqual(SOFTWARE.calls("cusolverDnXgetrf") + SOFTWARE.calls("cusolverDnXgetrs"), 0)

    def test_take_pivots_that_lie_apart(self):
        a, b, solution = self.solve("d", spare=3)
        close(a @ solution, b)

    def test_solve_with_the_conjugate_transpose(self):
        a, b, solution = self.solve("D", transpose=3)
        close(a.conj().swapaxes(1, 2) @ solution, b)

    def test_say_which_matrix_is_singular(self):
        infos = self.lu("d", singular=4)[3]
        self.assertEqual([info != 0 for info in infos], [index == 4 for index in range(COUNT)])

    def test_invert_with_one_call(self):
        for letter, kind in zip("SDCZ", KINDS):
            a, lu, pivots, _ = self.lu(kind)
            SOFTWARE.call("pi_math_getri", ELEMENTS[kind], long(N), Batch.of(lu), long(N), Batch.of(pivots), long(COUNT))
            close(a @ by_rows(lu), np.broadcast_to(np.eye(N), a.shape))
            self.assertEqual(SOFTWARE.calls(f"cublas{letter}getriBatched"), 1)

    def test_invert_large_batches_part_by_part(self):
        count, n = 16600, 45
        lu = np.broadcast_to(2 * np.eye(n), (count, n, n)).copy()
        pivots = np.broadcast_to(np.arange(1, n + 1), (count, n)).copy()
        SOFTWARE.call("pi_math_getri", ELEMENTS["d"], long(n), Batch.of(lu), long(n), Batch.of(pivots), long(count))
        self.assertTrue((lu == np.eye(n) / 2).all())
        self.assertEqual(SOFTWARE.calls("cublasDgetriBatched"), 2)

    def test_invert_matrices_that_lie_apart(self):
        a, lu, pivots, _ = self.lu("d")
        apart = np.full((COUNT, N + 1, N + 2), 7.0)
        apart[:, :N, :N] = lu
        SOFTWARE.call("pi_math_getri", ELEMENTS["d"], long(N), Batch.of(apart), long(N + 2), Batch.of(pivots), long(COUNT))
        close(a @ by_rows(apart[:, :N, :N]), np.broadcast_to(np.eye(N), a.shape))
        self.assertTrue((apart[:, N:] == 7).all() and (apart[:, :, N:] == 7).all())

    def test_invert_matrices_whose_step_is_no_number_of_columns(self):
        a, lu, pivots, _ = self.lu("d")
        flat = np.full((COUNT, N * N + 1), 7.0)
        flat[:, : N * N] = lu.reshape(COUNT, -1)
        SOFTWARE.call("pi_math_getri", ELEMENTS["d"], long(N), Batch.of(flat), long(N), Batch.of(pivots), long(COUNT))
        close(a @ by_rows(flat[:, : N * N].reshape(lu.shape)), np.broadcast_to(np.eye(N), a.shape))
        self.assertTrue((flat[:, N * N] == 7).all())

    def test_widen_pivots_in_memory_that_was_used(self):
        noise = numbers(1 << 12, "D")
        fft(noise[::-1], np.empty_like(noise), base_in=noise)
        pivots = self.lu("d")[2]
        self.assertTrue(((pivots >= 1) & (pivots <= N)).all())

    def test_do_cholesky_with_one_call(self):
        for letter, kind in zip("SDCZ", KINDS):
            a = numbers((COUNT, N, N), kind)
            a = a @ a.conj().swapaxes(1, 2) + np.eye(N, dtype=kind)
            a[2] = -a[2]
            stored, infos = by_columns(a), (ctypes.c_int * COUNT)()
            SOFTWARE.call("pi_math_potrf", ELEMENTS[kind], 1, long(N), Batch.of(stored), long(N), long(COUNT), infos)
            self.assertEqual([index for index in range(COUNT) if infos[index]], [2])
            lower = np.tril(by_rows(stored))
            good = [0, 1, 3, 4, 5]
            close((lower @ lower.conj().swapaxes(1, 2))[good], a[good])
            self.assertEqual(SOFTWARE.calls(f"cusolverDn{letter}potrfBatched"), 1)

    def test_solve_with_a_cholesky_factor_of_either_side(self):
        for kind in KINDS:
            for lower in (0, 1):
                a, b = numbers((N, N), kind), numbers((N, 3), kind)
                a = a @ a.conj().T + np.eye(N, dtype=kind)
                factor = np.linalg.cholesky(a)
                stored, solution = by_columns((factor if lower else factor.conj().T)[None]), by_columns(b[None])
                places = ctypes.c_void_p(stored.ctypes.data), ctypes.c_void_p(solution.ctypes.data)
                SOFTWARE.call("pi_math_potrs", ELEMENTS[kind], lower, long(N), long(3), places[0], long(N), places[1], long(N))
                close(a @ by_rows(solution)[0], b)

    def test_do_qr_with_one_call(self):
        for letter, kind in zip("SDCZ", KINDS):
            a = numbers((COUNT, N, 3), kind)
            stored, tau = by_columns(a), np.zeros((COUNT, 3), kind)
            SOFTWARE.call("pi_math_geqrf", ELEMENTS[kind], long(N), long(3), Batch.of(stored), long(N), Batch.of(tau), long(COUNT))
            r = np.triu(by_rows(stored)[:, :3])
            close(r.conj().swapaxes(1, 2) @ r, a.conj().swapaxes(1, 2) @ a)
            self.assertEqual(SOFTWARE.calls(f"cublas{letter}geqrfBatched"), 1)

    def qr(self, a, spare=0):
        """The QR of matrices as LAPACK stores it, with `spare` rows below each matrix, and tau."""
        count, m, n = a.shape
        stored, tau = np.full((count, n, m + spare), 7, a.dtype), np.zeros((count, n), a.dtype)
        stored[:, :, :m] = a.swapaxes(1, 2)
        SOFTWARE.call(
            "pi_math_geqrf", ELEMENTS[a.dtype.char], long(m), long(n), Batch.of(stored), long(m + spare), Batch.of(tau), long(count)
        )
        return stored, tau

    def test_solve_least_squares(self):
        for letter, name, kind in zip("SDCZ", ("or", "or", "un", "un"), KINDS):
            for count, m, n in ((COUNT, N, 3), (1, N, N), (2, 40, 20)):
                a, b = numbers((count, m, n), kind), numbers((count, m, 2), kind)
                qr, tau = self.qr(a, spare=1)
                sides = by_columns(b)
                SOFTWARE.fail()
                SOFTWARE.call(
                    "pi_math_ormqr", ELEMENTS[kind], long(m), long(2), long(n), Batch.of(qr), long(m + 1), Batch.of(tau), Batch.of(sides),
                    long(m), long(count),
                )
                self.assertEqual(SOFTWARE.calls(f"cusolverDn{letter}{name}mqr"), count)
                triangle = Triangular(
                    element=ELEMENTS[kind], m=n, n=2, a=qr.ctypes.data, lda=m + 1, stride_a=(m + 1) * n, b=sides.ctypes.data, ldb=m,
                    stride_b=2 * m, count=count,
                )
                ctypes.memmove(triangle.alpha, np.array([1], kind).ctypes.data, np.dtype(kind).itemsize)
                SOFTWARE.call("pi_math_trsm", ctypes.byref(triangle))
                want = [np.linalg.lstsq(one, side, rcond=None) for one, side in zip(a, b)]
                close(by_rows(sides)[:, :n], np.array([solution for solution, *_ in want]))
                if m > n:
                    residuals = np.array([squares for _, squares, *_ in want])
                    close((abs(by_rows(sides)[:, n:]) ** 2).sum(axis=1).astype(residuals.dtype), residuals)

    def test_copy_diagonals_to_the_host(self):
        for kind in KINDS:
            # One copy for each matrix, and one for each place.
            for count, n in ((2, N), (N + 2, N), (1, 1), (3, 1)):
                a = numbers((count, n, n + 3), kind)
                got = np.zeros((count, n), kind)
                SOFTWARE.call("pi_math_diagonals", ELEMENTS[kind], long(n), Batch.of(a), long(n + 3), long(count), ctypes.c_void_p(got.ctypes.data))
                np.testing.assert_array_equal(got, a.diagonal(axis1=1, axis2=2))

    def test_do_large_matrices_one_after_the_other(self):
        a, lu, pivots, infos = self.lu("d", count=2, n=512)
        self.assertEqual(SOFTWARE.calls("cusolverDnXgetrf"), 2)
        self.assertEqual(SOFTWARE.calls("cublasDgetrfBatched"), 0)
        self.assertEqual(infos, [0, 0])
        close(factored(lu, pivots), a)

    def test_say_which_large_matrix_is_singular(self):
        for singular in (0, 1):
            infos = self.lu("d", count=2, n=512, singular=singular)[3]
            self.assertEqual([info != 0 for info in infos], [index == singular for index in (0, 1)])

    def test_solve_for_sides_that_lie_apart(self):
        for count, n in ((COUNT, N), (2, 512)):
            a, lu, pivots, _ = self.lu("d", count=count, n=n)
            b = numbers((count, n, 2), "d")
            sides = np.full((count, 2, n + 3), 7.0)
            sides[:, :, :n] = by_columns(b)
            SOFTWARE.call(
                "pi_math_getrs", ELEMENTS["d"], 0, long(n), long(2), Batch.of(lu), long(n), Batch.of(pivots), Batch.of(sides), long(n + 3),
                long(count),
            )
            close(a @ by_rows(sides[:, :, :n]), b)
            self.assertTrue((sides[:, :, n:] == 7).all())

    def test_invert_one_matrix_with_room_below_it(self):
        a, lu, pivots, _ = self.lu("d", count=1)
        apart = np.full((1, N, N + 2), 7.0)
        apart[:, :, :N] = lu
        SOFTWARE.call("pi_math_getri", ELEMENTS["d"], long(N), Batch.of(apart), long(N + 2), Batch.of(pivots), long(1))
        close(a @ by_rows(apart[:, :, :N]), np.eye(N)[None])
        self.assertTrue((apart[:, :, N:] == 7).all())


class Triangles(unittest.TestCase):
    def solve(self, kind, n, right, lower, count):
        a = np.tril(numbers((count, n, n), kind)) + n * np.eye(n, dtype=kind)
        a = a if lower else a.swapaxes(1, 2)
        b = numbers((count, 3, n) if right else (count, n, 3), kind)
        matrices, sides = by_columns(a), by_columns(b)
        told = Triangular(
            element=ELEMENTS[kind], right=right, lower=lower, m=b.shape[1], n=b.shape[2], a=matrices.ctypes.data, lda=n, stride_a=n * n,
            b=sides.ctypes.data, ldb=b.shape[1], stride_b=3 * n, count=count,
        )
        ctypes.memmove(told.alpha, np.array([2], kind).ctypes.data, np.dtype(kind).itemsize)
        SOFTWARE.fail()
        SOFTWARE.call("pi_math_trsm", ctypes.byref(told))
        solution = by_rows(sides)
        close(solution @ a if right else a @ solution, 2 * b)

    def test_are_solved_with_one_call(self):
        for letter, kind in zip("SDCZ", KINDS):
            for right, lower in ((0, 0), (0, 1), (1, 0), (1, 1)):
                self.solve(kind, N, right, lower, COUNT)
                self.assertEqual(SOFTWARE.calls(f"cublas{letter}trsmBatched_64"), 1)

    def test_of_large_sizes_are_solved_one_after_the_other(self):
        self.solve("d", 600, 0, 1, 2)
        self.assertEqual(SOFTWARE.calls("cublasDtrsm_v2_64"), 2)


class Products(unittest.TestCase):
    def setUp(self):
        SOFTWARE.fail()

    def product(self, a, b, count=None, shared=False):
        """The int32 product of bytes by columns: C' = B' A' of what lies in C's order."""
        (_, m, k), n = a.shape, b.shape[2]
        c = np.empty((len(a), m, n), np.int32)
        one = np.array([1, 0, 0, 0], np.int32).view(np.float64)
        told = Product(
            kind=7, m=n, n=m, k=k, a=b.ctypes.data, lda=n, stride_a=0 if shared else k * n, b=a.ctypes.data, ldb=k, stride_b=m * k,
            c=c.ctypes.data, ldc=n, stride_c=m * n, count=len(a) if count is None else count,
        )
        told.alpha[:] = one
        SOFTWARE.call("pi_math_gemm", ctypes.byref(told))
        return c

    def test_of_bytes_with_any_sizes_are_one_call(self):
        for m, k, n in ((3, 5, 7), (1, 1, 1), (4, 8, 6)):
            a, b = (RANDOM.integers(-9, 9, (COUNT, *shape)).astype(np.int8) for shape in ((m, k), (k, n)))
            SOFTWARE.fail()
            np.testing.assert_array_equal(self.product(a, b), a.astype(int) @ b.astype(int))
            self.assertEqual(SOFTWARE.calls("cublasGemmStridedBatchedEx_64"), 1)

    def test_of_bytes_may_share_a_matrix(self):
        a, b = RANDOM.integers(-9, 9, (COUNT, 3, 5)).astype(np.int8), RANDOM.integers(-9, 9, (1, 5, 7)).astype(np.int8)
        SOFTWARE.driver_fails("")
        np.testing.assert_array_equal(self.product(a, b, shared=True), a.astype(int) @ b.astype(int))
        # To the copies of A, B and C, and from that of C.
        self.assertEqual(SOFTWARE.driver_calls("cuMemcpy3DAsync_v2"), 4)

    def test_of_bytes_with_large_copies_are_made_part_by_part(self):
        a, b = (RANDOM.integers(-9, 9, (1000, *shape)).astype(np.int8) for shape in ((257, 1), (1, 257)))
        np.testing.assert_array_equal(self.product(a, b), a.astype(np.int32) * b)
        self.assertEqual(SOFTWARE.calls("cublasGemmStridedBatchedEx_64"), 2)

    def test_of_bytes_without_a_sum_are_zeros(self):
        a, b = np.zeros((COUNT, 3, 0), np.int8), np.zeros((COUNT, 0, 7), np.int8)
        self.assertTrue((self.product(a, b) == 0).all())

    def test_with_a_vector_take_a_step_for_each_vector(self):
        for transpose, (rows, columns) in ((0, (3, 4)), (1, (4, 3))):
            a, x, y = numbers((4, 3), "d"), numbers(2 * columns, "d"), np.full(3 * rows, 7.0)
            one, zero = ctypes.c_double(1), ctypes.c_double(0)
            SOFTWARE.call(
                "pi_math_gemv", ELEMENTS["d"], transpose, long(3), long(4), ctypes.byref(one), ctypes.c_uint64(a.ctypes.data), long(3),
                ctypes.c_uint64(x.ctypes.data), long(2), ctypes.byref(zero), ctypes.c_uint64(y.ctypes.data), long(3),
            )
            close(y[::3], (a if transpose else a.T) @ x[::2])
            self.assertTrue((np.delete(y, np.s_[::3]) == 7).all())

    def test_of_a_vector_and_a_number_take_negative_steps(self):
        x, two = np.arange(9.0), ctypes.c_double(2)
        SOFTWARE.call("pi_math_scal", ELEMENTS["d"], long(3), ctypes.byref(two), ctypes.c_uint64(x.ctypes.data), long(-2))
        np.testing.assert_array_equal(x, [0, 1, 4, 3, 8, 5, 6, 7, 8])

    def test_with_addresses_are_one_call(self):
        a, b, c = numbers((COUNT, 3, 5), "d"), numbers((COUNT, 5, 7), "d"), np.empty((COUNT, 3, 7))
        addresses = [np.array([matrix.ctypes.data for matrix in batch], np.uint64) for batch in (b, a, c)]
        told = Product(kind=1, m=7, n=3, k=5, lda=7, ldb=5, ldc=7, count=COUNT)
        told.a, told.b, told.c = (array.ctypes.data for array in addresses)
        told.alpha[0] = 1
        SOFTWARE.call("pi_math_gemm_pointers", ctypes.byref(told))
        close(c, a @ b)
        self.assertEqual(SOFTWARE.calls("cublas"), 1 + SOFTWARE.calls("cublasSetStream_v2") + SOFTWARE.calls("cublasSetWorkspace_v2"))

    def test_of_bytes_without_a_batch(self):
        a, b = RANDOM.integers(-9, 9, (1, 3, 5)).astype(np.int8), RANDOM.integers(-9, 9, (1, 5, 7)).astype(np.int8)
        np.testing.assert_array_equal(self.product(a, b, count=-1), a.astype(int) @ b.astype(int))


if __name__ == "__main__":
    unittest.main()
