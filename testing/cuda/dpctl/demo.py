"""Runs ten lines of dpnp and the same lines of NumPy, compares the results, and shows the time of each and a picture.

It runs on dpnp's default device.
"""

import argparse
import sys
import time

import numpy as np

import dpnp

ARGUMENTS = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ARGUMENTS.add_argument("--size", type=int, default=2048, help="rows and columns of the matrix (default: %(default)s)")
ARGUMENTS.add_argument("--picture", metavar="FILE", help="write the picture, in the format PGM")
ASKED = ARGUMENTS.parse_args()
N = ASKED.size


def waves(xp):
    """Five waves through a square, as grey values."""
    y, x = xp.meshgrid(xp.linspace(-20, 20, 1024), xp.linspace(-20, 20, 1024), indexing="ij")
    angles = xp.arange(5).reshape(5, 1, 1) * (np.pi / 5)
    return ((xp.cos(x * xp.cos(angles) + y * xp.sin(angles)).sum(axis=0) + 5) * 25.5).astype("int32")


# A name, and what is computed with dpnp or NumPy, of a square matrix.
LINES = (
    ("random numbers", lambda xp, a: xp.random.rand(N, N)),
    ("product", lambda xp, a: a @ a.T),
    ("solution", lambda xp, a: xp.linalg.solve(a + N * xp.eye(N), a[0])),
    ("eigenvalues", lambda xp, a: xp.linalg.eigvalsh(a[: N // 4, : N // 4] + a[: N // 4, : N // 4].T)),
    ("transform", lambda xp, a: xp.fft.fft2(a)),
    ("transform, back", lambda xp, a: xp.fft.irfft2(xp.fft.rfft2(a))),
    ("sort", lambda xp, a: xp.sort(a, axis=1)),
    ("sums", lambda xp, a: xp.sqrt(a).sum(axis=1)),
    ("histogram", lambda xp, a: xp.histogram(a, bins=32)[0]),
    ("picture", lambda xp, a: waves(xp)),
)


def timed(work, wait):
    """The result, and the time of the better of two runs: in the first one, programs are built."""
    seconds = []
    for _ in range(2):
        start = time.perf_counter()
        result = work()
        wait()
        seconds.append(time.perf_counter() - start)
    return result, min(seconds)


def is_right(name, got, want):
    if name == "random numbers":
        # Two generators: the numbers differ, what they are like does not.
        return got.shape == want.shape and abs(got.mean() - 0.5) < 2 / N and 0 <= got.min() and got.max() < 1
    if name == "picture":
        return np.abs(got - want).max() <= 1
    return np.allclose(got, want, rtol=1e-9, atol=1e-9 * np.abs(want).max())


def main():
    a = dpnp.random.rand(N, N)
    host, wait, wrong = dpnp.asnumpy(a), a.sycl_queue.wait, 0
    print(f"dpnp {dpnp.__version__} on {a.sycl_device.name} beside NumPy {np.__version__}, {N} x {N} doubles")
    for name, work in LINES:
        got, seconds = timed(lambda: work(dpnp, a), wait)
        want, beside = timed(lambda: work(np, host), lambda: None)
        got = dpnp.asnumpy(got)
        right = is_right(name, got, want)
        wrong += not right
        times = f"{seconds * 1e3:9.2f} ms   NumPy {beside * 1e3:9.2f} ms   {beside / seconds:6.1f} times as fast"
        print(f"{name:16} {times}   {'right' if right else 'WRONG'}", flush=True)
    if ASKED.picture:
        with open(ASKED.picture, "wb") as file:
            file.write(b"P5 %d %d 255\n" % got.shape[::-1] + got.astype(np.uint8).tobytes())
        print("picture:", ASKED.picture)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
