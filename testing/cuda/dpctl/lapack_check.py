"""Compare functions of oneMKL's drop-ins that dpnp does not call with NumPy: the inverse of one matrix, and least squares.

lapack_check.py CALLS     CALLS is lapack_calls.cpp as a library
"""

import ctypes
import sys

import numpy as np

import dpctl
import dpnp

from checks import end, report

RANDOM = np.random.default_rng(7)
KINDS = "fdFD"
# Functions and answers of lapack_calls.cpp.
INVERT, SOLVE = 0, 1
BATCH, OTHER = 1, 2


class Sizes(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_int64) for name in ("transposed", "m", "n", "columns", "lda", "stride_a", "ldb", "stride_b", "count", "spare")
    ]


def numbers(shape, kind):
    made = RANDOM.standard_normal(shape)
    if kind in "FD":
        made = made + 1j * RANDOM.standard_normal(shape)
    return made.astype(kind)


def columns_of(matrices, spare=0):
    """The matrices as LAPACK has them, on the device, with `spare` rows below each."""
    count, rows, columns = matrices.shape
    stored = np.full((count, columns, rows + spare), 7, matrices.dtype)
    stored[:, :, :rows] = matrices.swapaxes(1, 2)
    return dpnp.array(stored)


def rows_of(stored, rows):
    return dpnp.asnumpy(stored)[:, :, :rows].swapaxes(1, 2)


def same(got, want):
    """Nothing, or how far they are apart."""
    error = np.max(abs(got - want)) / max(np.max(abs(want)), 1e-30)
    return "" if error <= (1e-3 if got.dtype.char in "fF" else 1e-9) else f"error {error:.1e}"


class Calls:
    def __init__(self, library):
        self.function = ctypes.CDLL(library).onemkl_call
        self.queue = dpctl.SyclQueue()

    def call(self, function, a, b=None, **sizes):
        """The answer and the text."""
        self.queue.wait()
        address = lambda array: ctypes.c_void_p(array.get_array()._pointer if array is not None else None)
        text = ctypes.create_string_buffer(1000)
        answer = self.function(
            function, ord(a.dtype.char), ctypes.c_void_p(self.queue.addressof_ref()), address(a), address(b), ctypes.byref(Sizes(**sizes)), text,
            ctypes.c_size_t(len(text)),
        )
        return answer, text.value.decode()

    def solve(self, a, b, below=1, **others):
        """The answer, the text, and what lies in `b` afterwards."""
        (count, m, n), columns = a.shape, b.shape[2]
        matrices, sides = columns_of(a, below), columns_of(b, below)
        lda, ldb = m + below, b.shape[1] + below
        sizes = dict(m=m, n=n, columns=columns, lda=lda, stride_a=lda * n, ldb=ldb, stride_b=ldb * columns, count=count)
        return *self.call(SOLVE, matrices, sides, **(sizes | others)), rows_of(sides, b.shape[1])


def inverses(calls):
    for kind in KINDS:
        for n in (1, 5, 64):
            a = numbers((1, n, n), kind) + n * np.eye(n, dtype=kind)
            stored = columns_of(a, 2)
            answer, text = calls.call(INVERT, stored, n=n, lda=n + 2)
            report(("inverse", kind, n), text or same(rows_of(stored, n)[0], np.linalg.inv(a[0])))


def least_squares(calls):
    for kind in KINDS:
        for count, m, n in ((1, 5, 5), (1, 300, 200), (8, 20, 3), (3, 7, 6)):
            a, b = numbers((count, m, n), kind), numbers((count, m, 2), kind)
            answer, text, got = calls.solve(a, b)
            want = np.array([np.linalg.lstsq(one, side, rcond=None)[0] for one, side in zip(a, b)])
            report(("least squares", kind, count, m, n), text or same(got[:, :n], want))


def failures(calls):
    def fails(what, got, kind, *parts):
        answer, text = got[:2]
        report(what, "" if answer == kind and all(part in text for part in ("gels_batch", *parts)) else f"answered {answer}: {text}")

    for kind in KINDS:
        a, b = numbers((3, 6, 2), kind), numbers((3, 6, 1), kind)
        a[1, :, 1] = a[2] = 0
        fails(("no full rank", kind), calls.solve(a, b), BATCH, "2 batch calculations failed")
    a, b = numbers((1, 4, 4), "d"), numbers((1, 4, 1), "d")
    fails("transposed", calls.solve(a, b, transposed=1), OTHER, "not served")
    fails("more columns than rows", calls.solve(a, b, m=3), OTHER, "not served")
    fails("a small scratchpad", calls.solve(a, b, spare=-1), OTHER, "scratchpad")
    answer, text, got = calls.solve(a, b)
    report("after failures", text or same(got[0], np.linalg.solve(a[0], b[0])))
    for nothing in ({"count": 0}, {"columns": 0}, {"n": 0}):
        answer, text, got = calls.solve(a, b, **nothing)
        report(("nothing to do", nothing), text or same(got, b))


if __name__ == "__main__":
    CALLS = Calls(sys.argv[1])
    for part in (inverses, least_squares, failures):
        part(CALLS)
    end()
