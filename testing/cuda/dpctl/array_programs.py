"""Time small array programs in stock dpnp and in CuPy on the same GPU, in turn, each in a separate process.

    python3 array_programs.py                  the table, with the geometric mean of CuPy's time / dpnp's
    python3 array_programs.py --only small     the programs whose name has this text
    python3 array_programs.py --side dpnp      one side alone, as JSON; works on any device of dpnp's

Each program uses only functions that both libraries have. Its result is compared with NumPy's, computed by the same
code on the processor, so a fast wrong answer counts as failed. A program runs once before it is timed, and then five
times; the median counts.

Exit code 0: every result is right. 1: some are not. 2: it could not run.
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")
TURNS, ROUNDS = 3, 5
# The largest difference from NumPy's result, relative to the largest value of it. All programs compute with double precision.
TOLERANCE = 1e-6
PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def random(*shape, seed=1):
    return np.random.default_rng(seed).random(shape)


@program
def elementwise_large(xp, array):
    x, y = array(random(1 << 24)), array(random(1 << 24, seed=2))
    for _ in range(10):
        y = xp.sqrt(x * x + y * y) * 0.5 + xp.exp(-x)
    return y[:100]


@program
def elementwise_medium(xp, array):
    x = array(random(1 << 16))
    for _ in range(200):
        x = x * 0.99 + xp.sin(x) * 0.01
    return x


@program
def a_thousand_small_steps(xp, array):
    x = array(random(1024))
    for _ in range(1000):
        x = x * 0.999 + 0.001
    return x


@program
def heat_stencil(xp, array):
    u = array(random(1024, 1024))
    for _ in range(100):
        inner = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        u[1:-1, 1:-1] = 0.25 * inner
    return u[::64, ::64]


@program
def game_of_life(xp, array):
    u = array((random(512, 512) > 0.7).astype("i4"))
    for _ in range(100):
        near = sum(xp.roll(xp.roll(u, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1)) - u
        u = ((near == 3) | ((near == 2) & (u == 1))).astype("i4")
    return u


@program
def n_body(xp, array):
    place, speed = array(random(1024, 3)), array(np.zeros((1024, 3)))
    for _ in range(10):
        apart = place[None, :, :] - place[:, None, :]
        distance = xp.sqrt(xp.sum(apart * apart, axis=2) + 0.01)
        speed = speed + 1e-5 * xp.sum(apart / (distance**3)[:, :, None], axis=1)
        place = place + speed
    return place


@program
def jacobi(xp, array):
    n = 1024
    a = random(n, n) / n + np.diag(np.full(n, 2.0))
    diagonal = np.diag(a)
    rest, diagonal, b = array(a - np.diag(diagonal)), array(diagonal.copy()), array(random(n, seed=2))
    x = xp.zeros_like(b)
    for _ in range(100):
        x = (b - rest @ x) / diagonal
    return x


@program
def conjugate_gradients(xp, array):
    n = 1024
    m = random(n, n) / n
    a, b = array(m + m.T + np.diag(np.full(n, 4.0))), array(random(n, seed=2))
    x, r = xp.zeros_like(b), b.copy()
    p, old = r.copy(), float(xp.dot(r, r))
    for _ in range(20):
        ap = a @ p
        alpha = old / float(xp.dot(p, ap))
        x, r = x + alpha * p, r - alpha * ap
        new = float(xp.dot(r, r))
        p, old = r + (new / old) * p, new
    return x


@program
def power_iteration(xp, array):
    a, x = array(random(2048, 2048)), array(random(2048, seed=2))
    for _ in range(100):
        x = a @ x
        x = x / xp.sqrt(xp.sum(x * x))
    return x


@program
def least_squares(xp, array):
    a, b = array(random(100_000, 32)), array(random(100_000, seed=2))
    return xp.linalg.solve(a.T @ a, a.T @ b)


@program
def logistic_regression(xp, array):
    x, truth = random(20_000, 32), random(32, seed=2) - 0.5
    y, x, w = array((x @ truth > 0).astype("f8")), array(x), array(np.zeros(32))
    for _ in range(100):
        p = 1 / (1 + xp.exp(-(x @ w)))
        w = w - 0.5 * (x.T @ (p - y)) / 20_000
    return w


@program
def fft_filter(xp, array):
    x = array(random(1 << 20))
    for _ in range(10):
        f = xp.fft.rfft(x)
        f[1 << 18 :] = 0
        x = xp.fft.irfft(f, 1 << 20)
    return x[:1000]


@program
def sorting(xp, array):
    x = array(random(1 << 22))
    order = xp.argsort(x)
    return xp.concatenate([xp.sort(x)[:: 1 << 12], x[order][:: 1 << 12]])


@program
def prefix_sums(xp, array):
    x = array(random(1 << 22))
    for _ in range(5):
        x = xp.cumsum(x) / (1 << 21)
    return x[:: 1 << 12]


@program
def k_means(xp, array):
    points = array(random(50_000, 8))
    centres = points[:16].copy()
    for _ in range(10):
        apart = xp.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=2)
        mine = xp.argmin(apart, axis=1)
        ones = (mine[:, None] == xp.arange(16)[None, :]).astype("f8")
        centres = (ones.T @ points) / xp.sum(ones, axis=0)[:, None]
    return centres


@program
def principal_components(xp, array):
    x = array(random(50_000, 64))
    x = x - xp.mean(x, axis=0)
    values, _ = xp.linalg.eigh(x.T @ x / 50_000)
    return values


@program
def mandelbrot(xp, array):
    y, x = np.mgrid[-1.5:1.5:512j, -2:1:512j]
    c = array(x + 1j * y)
    z, count = xp.zeros_like(c), xp.zeros(c.shape, dtype="i4")
    for _ in range(50):
        inside = z.real * z.real + z.imag * z.imag <= 4
        z = xp.where(inside, z * z + c, z)
        count = count + inside.astype("i4")
    return xp.sum(count, axis=0)


@program
def batched_products(xp, array):
    a, b = array(random(64, 128, 128)), array(random(64, 128, 128, seed=2))
    for _ in range(20):
        b = xp.matmul(a, b) / 64
    return b[::16, ::16, ::16]


def chosen(only):
    return {name: function for name, function in PROGRAMS.items() if only in name}


def first_run(function, xp):
    """Runs a program untimed: the first run compiles its kernels."""
    function(xp, xp.asarray)


def side(name, only, checked=True):
    """Milliseconds of each program, and its result's difference from NumPy's if it is checked."""
    if name == "cupy":
        import cupy as xp

        wait, to_host = xp.cuda.Device().synchronize, xp.asnumpy
    else:
        import dpnp as xp

        queue = xp.zeros(1).sycl_queue
        wait, to_host = queue.wait, xp.asnumpy
    results = {}
    for program_name, function in chosen(only).items():
        times = []
        first_run(function, xp)
        for _ in range(ROUNDS):
            wait()
            start = time.perf_counter()
            result = function(xp, xp.asarray)
            wait()
            times.append(1e3 * (time.perf_counter() - start))
        results[program_name] = {"ms": statistics.median(times)}
        if checked:
            expected = function(np, np.asarray)
            off = float(np.max(np.abs(to_host(result) - expected)) / np.max(np.abs(expected)))
            results[program_name]["off"] = off
    print(json.dumps(results))


def run(name, only):
    done = subprocess.run([sys.executable, __file__, "--side", name, "--only", only], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print(f"{name} failed", file=sys.stderr)
        raise SystemExit(2)
    return json.loads(done.stdout)


def table(only):
    sides = ("dpnp", "cupy")
    turns = {name: [] for name in sides}
    for turn in range(TURNS):
        # The side that runs first is often slower.
        for name in sides if turn % 2 == 0 else reversed(sides):
            turns[name].append(run(name, only))
    print(f"| {'program':24} | dpnp, ms | CuPy, ms | CuPy / dpnp | spread |")
    print(f"| {'-' * 24} | -------: | -------: | ----------: | -----: |")
    ratios, wrong = [], []
    for name in chosen(only):
        times = {one: [turn[name]["ms"] for turn in turns[one]] for one in sides}
        ours, theirs = (statistics.median(times[one]) for one in sides)
        pairs = [b / a for a, b in zip(times["dpnp"], times["cupy"])]
        ratios.append(theirs / ours)
        print(f"| {name:24} | {ours:8.2f} | {theirs:8.2f} | {theirs / ours:11.2f} | {min(pairs):.2f} to {max(pairs):.2f} |")
        wrong += [f"{name} in {one}: {turn[name]['off']:.1e}" for one in sides for turn in turns[one] if turn[name]["off"] > TOLERANCE]
    print(f"\ngeometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.2f} of {len(ratios)} programs; {len(wrong)} wrong")
    print("\n".join(wrong))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="programs whose name has this text")
    parser.add_argument("--side", choices=["dpnp", "cupy"], help="time one side alone, and print JSON")
    parser.add_argument("--unchecked", action="store_true", help="with --side: do not compare with NumPy")
    arguments = parser.parse_args()
    return side(arguments.side, arguments.only, not arguments.unchecked) if arguments.side else table(arguments.only)


if __name__ == "__main__":
    sys.exit(main())
