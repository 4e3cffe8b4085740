"""Tests of products with sparse matrices: which calls of NVIDIA's libraries they are, and what they do when one fails."""

import ctypes
import unittest

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from software import ELEMENTS, SOFTWARE, Csr, DensePair, Failed

RANDOM = np.random.default_rng(11)
DESCRIPTORS = (("CreateCsr", "DestroySpMat"), ("CreateDnVec", "DestroyDnVec"), ("CreateDnMat", "DestroyDnMat"))


class Matrix:
    """A random sparse matrix of doubles, and the dense one."""

    def __init__(self, rows, columns, density=0.5):
        there = RANDOM.random((rows, columns)) < density
        self.dense = np.where(there, RANDOM.standard_normal((rows, columns)), 0)
        self.starts = np.concatenate(([0], np.cumsum(there.sum(axis=1)))).astype("i8")
        self.indices, self.values = np.nonzero(there)[1].astype("i8"), self.dense[there]
        addresses = [array.ctypes.data for array in (self.starts, self.indices, self.values)]
        self.told = Csr(ELEMENTS["d"], 8, 0, rows, columns, there.sum(), *addresses)

    def times_vector(self, x, y, alpha=1.0, beta=0.0):
        alpha, beta = np.array(alpha), np.array(beta)
        addresses = [ctypes.c_void_p(array.ctypes.data) for array in (alpha, x, beta, y)]
        SOFTWARE.call("pi_math_spmv", ctypes.byref(self.told), 0, *addresses)

    def times_matrix(self, x, y, alpha=1.0, beta=0.0):
        alpha, beta = np.array(alpha), np.array(beta)
        pair = DensePair(1, 0, x.shape[1], x.ctypes.data, x.shape[1], y.ctypes.data, y.shape[1])
        addresses = [ctypes.c_void_p(array.ctypes.data) for array in (alpha, beta)]
        SOFTWARE.call("pi_math_spmm", ctypes.byref(self.told), 0, *addresses, ctypes.byref(pair))


class Sparse(unittest.TestCase):
    def setUp(self):
        SOFTWARE.fail()
        self.addCleanup(SOFTWARE.fail)

    def multiply(self, matrix=None, **factors):
        """A right product with a vector and with a matrix."""
        matrix = matrix or Matrix(6, 4)
        alpha, beta = factors.get("alpha", 1), factors.get("beta", 0)
        for x, times in ((RANDOM.random(4), matrix.times_vector), (RANDOM.random((4, 3)), matrix.times_matrix)):
            old = RANDOM.random((6, *x.shape[1:]))
            y = old.copy()
            times(x, y, **factors)
            assert_allclose(y, alpha * (matrix.dense @ x) + beta * old)

    def assert_no_descriptor_is_left(self):
        for create, destroy in DESCRIPTORS:
            self.assertEqual(SOFTWARE.calls(f"cusparse{create}"), SOFTWARE.calls(f"cusparse{destroy}"), create)

    def test_a_product_is_one_call_that_leaves_no_descriptors(self):
        self.multiply(alpha=2.0, beta=-1.0)
        self.assertEqual([SOFTWARE.calls(f"cusparse{name}") for name in ("SpMV", "SpMM", "CreateCsr")], [1, 1, 2])
        self.assert_no_descriptor_is_left()

    def test_a_handle_is_used_again_on_other_streams(self):
        self.multiply()
        SOFTWARE.fail()
        for _ in range(3):
            SOFTWARE.begin_stream()
            self.multiply()
        self.assertEqual(SOFTWARE.calls("cusparseCreate"), 0)
        self.assertEqual(SOFTWARE.calls("cusparseSetStream"), 6)

    def test_the_host_waits_for_nothing(self):
        SOFTWARE.driver_fails("")
        self.multiply()
        # One for each call, by this test.
        self.assertEqual(SOFTWARE.driver_calls("cuStreamSynchronize"), 2)

    def test_a_matrix_without_numbers_needs_no_cusparse(self):
        for factors in ({}, {"beta": 0.5}, {"alpha": 3.0, "beta": 1.0}):
            self.multiply(Matrix(6, 4, density=0), **factors)
        self.assertEqual(SOFTWARE.calls("cusparse"), 0)

    def test_a_factor_of_zero_excludes_what_is_no_number(self):
        matrix = Matrix(6, 4)
        for shape, times in (((), matrix.times_vector), ((3,), matrix.times_matrix)):
            x, y = np.full((4, *shape), np.nan), np.ones((6, *shape))
            times(x, y, alpha=0.0, beta=2.0)
            assert_array_equal(y, 2)
            y[:] = np.nan
            times(x, y, alpha=0.0, beta=0.0)
            assert_array_equal(y, 0)

    def test_a_failure_names_the_function_and_leaves_no_descriptors(self):
        for function, code, why in (
            ("cusparseCreateCsr", 3, "an invalid value"),
            ("cusparseCreateDnMat", 2, "no memory on the device"),
            ("cusparseCreateDnVec", 10, "not supported"),
            ("cusparseSpMM_bufferSize", 11, "not enough resources"),
            ("cusparseSpMV", 6, "the execution failed"),
            ("cusparseSpMM", 7, "internal error"),
        ):
            with self.subTest(function):
                SOFTWARE.fail(function, code)
                with self.assertRaisesRegex(Failed, f"{function} answered {code}: {why}"):
                    self.multiply()
                failed_creates = SOFTWARE.calls(function) if "Create" in function else 0
                created = sum(SOFTWARE.calls(f"cusparse{create}") for create, _ in DESCRIPTORS)
                self.assertEqual(created - failed_creates, sum(SOFTWARE.calls(f"cusparse{destroy}") for _, destroy in DESCRIPTORS))
                SOFTWARE.fail()
                self.multiply()

    def test_of_no_memory_on_the_device(self):
        SOFTWARE.begin_stream()
        SOFTWARE.driver_fails("cuMemAlloc_v2:1:2;cuMemAlloc_v2:2:2")
        with self.assertRaisesRegex(Failed, "bytes of workspace on the device"):
            self.multiply()
        self.assert_no_descriptor_is_left()
        SOFTWARE.driver_fails("")
        self.multiply()

    def test_one_conjugated_row_of_complex_numbers_is_refused(self):
        matrix = Matrix(6, 4)
        told, one, values = matrix.told, np.array(1, "D"), matrix.values.astype("D")
        told.element, told.values = ELEMENTS["D"], values.ctypes.data
        addresses = [ctypes.c_void_p(one.ctypes.data)] * 2
        for transpose, columns, is_refused in ((3, 1, True), (3, 2, False), (1, 1, False)):
            x, y = np.ones((columns, 4), "D"), np.zeros((6, columns), "D")
            pair = DensePair(1, transpose, columns, x.ctypes.data, 4, y.ctypes.data, columns)
            with self.subTest(transpose=transpose, columns=columns):
                if is_refused:
                    with self.assertRaisesRegex(Failed, "pass its conjugate"):
                        SOFTWARE.call("pi_math_spmm", ctypes.byref(told), 0, *addresses, ctypes.byref(pair))
                else:
                    SOFTWARE.call("pi_math_spmm", ctypes.byref(told), 0, *addresses, ctypes.byref(pair))

    def test_indices_of_another_size_are_refused(self):
        matrix = Matrix(6, 4)
        matrix.told.index_size = 2
        with self.assertRaisesRegex(Failed, "no indices of 2 bytes"):
            self.multiply(matrix)


if __name__ == "__main__":
    unittest.main()
