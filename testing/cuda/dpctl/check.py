"""Compare array functions of stock dpctl on a GPU with NumPy. Prints a line for each. Exit code 1: one is wrong."""

import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")
import dpctl
import dpctl.tensor as dpt

FUNCTIONS = "sin cos exp log sqrt tanh log1p expm1 atan cbrt".split()
NUMPY_NAME = {"atan": "arctan", "unique_values": "unique", "cumulative_sum": "cumsum"}


def main():
    queue = dpctl.SyclQueue()
    queue.sycl_device.print_device_info()
    maps = open("/proc/self/maps").read().splitlines()
    print("adapter:", *sorted({line.split()[-1] for line in maps if "libur_adapter" in line}))
    rng = np.random.default_rng(1)
    x, y = rng.uniform(0.1, 10, 1 << 16), rng.uniform(0.1, 10, 1 << 16)
    matrix = rng.random((300, 200))
    dx, dy, dmatrix = (dpt.asarray(array, sycl_queue=queue) for array in (x, y, matrix))
    cases = [(name, lambda n=name: getattr(dpt, n)(dx, dy), getattr(np, name)(x, y)) for name in ("add", "multiply", "divide")]
    for name in FUNCTIONS + ["sum", "max", "argmax", "cumulative_sum", "sort", "argsort", "unique_values"]:
        cases.append((name, lambda n=name: getattr(dpt, n)(dx), getattr(np, NUMPY_NAME.get(name, name))(x)))
    cases += [
        ("matmul", lambda: dpt.matmul(dmatrix, dmatrix.T), matrix @ matrix.T),
        ("where", lambda: dpt.where(dx > dy, dx, dy), np.where(x > y, x, y)),
        ("nonzero", lambda: dpt.nonzero(dx > 5)[0], np.nonzero(x > 5)[0]),
        ("boolean index", lambda: dx[dx > 5], x[x > 5]),
        ("Mandelbrot", lambda: mandelbrot(dpt, {"sycl_queue": queue}), mandelbrot(np, {})),
    ]
    wrong = 0
    for name, run, expected in cases:
        start = time.perf_counter()
        got = dpt.asnumpy(run())
        cold = time.perf_counter() - start
        start = time.perf_counter()
        dpt.asnumpy(run())
        again = time.perf_counter() - start
        right = got.shape == expected.shape and np.allclose(got, expected, rtol=1e-13, atol=0)
        wrong += not right
        print(f"{name:16} {'right' if right else 'WRONG'}  first {cold * 1e3:7.1f} ms, again {again * 1e3:6.2f} ms")
    print(f"{len(cases) - wrong} right, {wrong} wrong")
    return 1 if wrong else 0


def mandelbrot(xp, where):
    """How many steps each point of a grid stays inside, in whole numbers."""
    re, im = xp.linspace(-2.0, 0.5, 160, **where), xp.linspace(-1.25, 1.25, 120, **where)
    c = xp.reshape(re, (1, -1)) + 1j * xp.reshape(im, (-1, 1))
    z, steps = xp.zeros_like(c), xp.zeros(c.shape, dtype=xp.int32, **where)
    for _ in range(30):
        inside = xp.real(z) * xp.real(z) + xp.imag(z) * xp.imag(z) <= 4.0
        z = xp.where(inside, z * z + c, z)
        steps = steps + xp.astype(inside, xp.int32)
    return steps


sys.exit(main())
