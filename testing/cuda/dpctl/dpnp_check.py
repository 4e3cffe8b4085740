"""Array functions of stock dpnp on a GPU, held against NumPy. It prints a line for each; it ends with 1 if one is wrong.

Functions of oneMKL are tried too: its libraries have code for Intel's devices, and say so on others.
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
    ours = [
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
    mkl = [
        ("matmul of doubles", lambda: dpnp.matmul(dmatrix, dmatrix), matrix @ matrix),
        ("solve", lambda: dpnp.linalg.solve(dmatrix, dmatrix[0]), np.linalg.solve(matrix, matrix[0])),
        ("fft", lambda: dpnp.fft.fft(dx), np.fft.fft(x)),
        ("random", lambda: dpnp.random.uniform(0, 1, 1000).shape, (1000,)),
    ]
    wrong = 0
    for name, run, expected in ours:
        start = time.perf_counter()
        got = dpnp.asnumpy(run())
        right = np.allclose(got, expected, rtol=1e-12, atol=1e-12)
        wrong += not right
        print(f"{name:22} {'right' if right else 'WRONG'}  first {(time.perf_counter() - start) * 1e3:7.1f} ms")
    for name, run, expected in mkl:
        try:
            got = run()
            got = dpnp.asnumpy(got) if isinstance(got, dpnp.ndarray) else got
            print(f"{name:22} {'right' if np.allclose(got, expected, rtol=1e-9) else 'WRONG'} (oneMKL)", flush=True)
        except Exception as error:
            print(f"{name:22} refused (oneMKL): {str(error).splitlines()[0][:160]}", flush=True)
    print(f"{len(ours) - wrong} right, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
