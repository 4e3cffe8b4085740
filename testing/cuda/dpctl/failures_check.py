"""Test failures in dpnp on the software GPU: each must raise one exception with a text within a second, and leave the
queue usable.

failures_check.py             on the software GPU, with the stand-ins of PI_NVIDIA_LIBRARIES
failures_check.py no-library  the one case of a process that finds none of NVIDIA's libraries
"""

import ctypes
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import dpnp
from dpnp.linalg import LinAlgError

from checks import end, report


def works():
    """Whether the queue computes: a sum, a product, a transform and a solution."""
    a = np.arange(16.0).reshape(4, 4) + 9 * np.eye(4)
    x = dpnp.array(a)
    pairs = (
        (x + x, a + a),
        (x @ x, a @ a),
        (dpnp.fft.fft(x), np.fft.fft(a)),
        (dpnp.linalg.solve(x, x[0]), np.linalg.solve(a, a[0])),
    )
    return all(np.allclose(dpnp.asnumpy(got), want) for got, want in pairs)


def fails(what, kind, text, work, after=lambda: None):
    """`work` raises an exception of `kind` with `text`, and then the queue works."""
    start = time.perf_counter()
    try:
        work()
        wrong = "nothing was raised"
    except kind as error:
        wrong = "" if text in str(error) else f"the text is: {error}"
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}"
    seconds = time.perf_counter() - start
    after()
    if not wrong and seconds > 1:
        wrong = f"it took {seconds:.1f} s"
    if not wrong and not works():
        wrong = "the queue does not work afterwards"
    report(what, wrong)


def bad_input():
    la, zeros, batch = dpnp.linalg, dpnp.zeros((3, 3)), dpnp.zeros((4, 3, 3))
    ones = dpnp.ones(3)
    fails("inverse of a singular matrix", LinAlgError, "ingular", lambda: la.inv(zeros))
    fails("inverse of singular matrices", LinAlgError, "ingular", lambda: la.inv(batch))
    fails("solution with a singular matrix", LinAlgError, "ingular", lambda: la.solve(zeros, ones))
    fails("solution with singular matrices", LinAlgError, "ingular", lambda: la.solve(batch, dpnp.ones((4, 3, 1))))
    fails("Cholesky of a negative matrix", LinAlgError, "positive", lambda: la.cholesky(-dpnp.eye(3)))
    fails("Cholesky of negative matrices", LinAlgError, "positive", lambda: la.cholesky(-dpnp.eye(3) + batch))
    fails("product of wrong shapes", ValueError, "mismatch", lambda: dpnp.ones((3, 4)) @ dpnp.ones((5, 6)))
    fails("solution of wrong shapes", ValueError, "", lambda: la.solve(dpnp.eye(3), dpnp.ones(4)))
    fails("inverse of no square", LinAlgError, "square", lambda: la.inv(dpnp.ones((3, 4))))
    fails("transform without numbers", ValueError, "", lambda: dpnp.fft.fft(dpnp.ones(0)))


def failing_libraries():
    folder = os.environ["PI_NVIDIA_LIBRARIES"]
    libraries = [ctypes.CDLL(f"{folder}/{name}") for name in ("libcublas.so.12", "libcufft.so.11", "libcusolver.so.11")]

    def answer(function=b"", code=0):
        for library in libraries:
            library.softwareMathFail(function, code)

    x = dpnp.arange(16.0).reshape(4, 4) + dpnp.eye(4)
    z = x.astype("D")
    for function, code, text, work in (
        (b"cublasGemmEx_64", 3, "cublasGemmEx_64 answered 3: no memory on the device", lambda: x @ x.T[::-1].T),
        (b"cublasGemmEx_64", 13, "the execution failed", lambda: x @ x.T[::-1].T),
        (b"cublasDgemv_v2_64", 15, "not supported", lambda: x @ x[0]),
        (b"cufftMakePlanMany64", 2, "no memory on the device", lambda: dpnp.fft.fft(dpnp.ones(31, dtype="D"))),
        (b"cufftCreate", 7, "the driver serves CUDA", lambda: dpnp.fft.fft(dpnp.ones(33, dtype="D"))),
        (b"cufftXtExec", 6, "the execution failed", lambda: dpnp.fft.fftn(z)),
        (b"cusolverDnXgetrf", 7, "cusolverDnXgetrf answered 7: internal error", lambda: dpnp.linalg.solve(x, x[0])),
        (b"cusolverDnXpotrf", 6, "the execution failed", lambda: dpnp.linalg.cholesky(dpnp.eye(5))),
        (b"cusolverDnXsyevd", 6, "the execution failed", lambda: dpnp.linalg.eigvalsh(x + x.T)),
        (b"cusolverDnXgesvd", 6, "the execution failed", lambda: dpnp.linalg.svd(x)),
    ):
        answer(function, code)
        fails(f"{function.decode()} answers {code}", Exception, text, work, answer)


def no_memory():
    driver = ctypes.CDLL("libcuda.so.1")
    array = dpnp.ones((1 << 18) + 2, dtype="D")
    driver.softwareCudaFail(";".join(f"cuMemAlloc_v2:{call}:2" for call in range(1, 9)).encode())
    fails(
        "no memory on the device",
        Exception,
        "USM allocation failed",
        lambda: dpnp.fft.irfft(array),
        lambda: driver.softwareCudaFail(b""),
    )


def first_calls_in_a_new_process(case, text, **variables):
    """What only a process's first call meets."""
    done = subprocess.run([sys.executable, __file__, case], env={**os.environ, **variables}, capture_output=True, text=True)
    report(case, "" if done.returncode == 0 and text in done.stdout else done.stdout + done.stderr[-500:])


def no_library():
    """Each call says which package is missing, and the queue computes what needs none."""
    x = dpnp.arange(16.0).reshape(4, 4)
    for work in (lambda: x @ x, lambda: dpnp.fft.fft(x), lambda: dpnp.linalg.inv(x)):
        start = time.perf_counter()
        try:
            dpnp.asnumpy(work())
            sys.exit("nothing was raised")
        except Exception as error:
            print(type(error).__name__, error)
        if time.perf_counter() - start > 1:
            sys.exit("it took longer than a second")
    if not np.allclose(dpnp.asnumpy(x + x), 2 * np.arange(16.0).reshape(4, 4)):
        sys.exit("the queue does not work afterwards")


if __name__ == "__main__":
    if sys.argv[1:] == ["no-library"]:
        no_library()
        sys.exit(0)
    report("before", "" if works() else "the queue does not work")
    bad_input()
    failing_libraries()
    no_memory()
    with tempfile.TemporaryDirectory() as nothing:
        first_calls_in_a_new_process("no-library", "pip install nvidia-cublas", PI_NVIDIA_LIBRARIES=nothing)
    end()
