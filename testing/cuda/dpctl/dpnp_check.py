"""Compare array functions of stock dpnp on a GPU with NumPy. Prints a line for each. Exit code 1: one is wrong.

Functions of oneMKL are left out: its libraries have code for Intel's devices.
"""

import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")
import dpnp


def main():
    print("dpnp", dpnp.__version__, "on", dpnp.asarray(0).sycl_device.name)
    rng = np.random.default_rng(1)
    x, whole = rng.uniform(0.1, 10, 1 << 20), rng.integers(-9, 9, (256, 256))
    matrix = rng.random((256, 256))
    dx, dwhole, dmatrix = dpnp.asarray(x), dpnp.asarray(whole), dpnp.asarray(matrix)
    cases = [
        ("sum", lambda: dpnp.sum(dx), np.sum(x)),
        ("mean", lambda: dpnp.mean(dx), np.mean(x)),
        ("std", lambda: dpnp.std(dx), np.std(x)),
        ("max of rows", lambda: dpnp.max(dmatrix, axis=1), np.max(matrix, axis=1)),
        ("cumsum", lambda: dpnp.cumsum(dx), np.cumsum(x)),
        ("sort", lambda: dpnp.sort(dx), np.sort(x)),
        ("unique", lambda: dpnp.unique(dwhole), np.unique(whole)),
        ("histogram", lambda: dpnp.histogram(dx, bins=32)[0], np.histogram(x, bins=32)[0]),
        ("matmul of integers", lambda: dpnp.matmul(dwhole, dwhole), whole @ whole),
        ("exp(-x*x)", lambda: dpnp.exp(-dx * dx), np.exp(-x * x)),
        ("median", lambda: dpnp.median(dx), np.median(x)),
        ("convolve", lambda: dpnp.convolve(dwhole[0], dwhole[1]), np.convolve(whole[0], whole[1])),
    ]
    wrong = 0
    for name, run, expected in cases:
        start = time.perf_counter()
        got = dpnp.asnumpy(run())
        right = np.allclose(got, expected, rtol=1e-12, atol=1e-12)
        wrong += not right
        print(f"{name:22} {'right' if right else 'WRONG'}  first {(time.perf_counter() - start) * 1e3:7.1f} ms")
    print(f"{len(cases) - wrong} right, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
