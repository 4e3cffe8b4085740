"""Compare the speed of stock dpctl and CuPy on the same arrays, in one process each, alternately. Without arguments it prints the table."""

import json
import statistics
import subprocess
import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")
COUNT = 1 << 26
TURNS = 3


def median_seconds(run, wait, calls=20, rounds=7):
    for _ in range(2):
        run()
        wait()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            run()
        wait()
        times.append((time.perf_counter() - start) / calls)
    return statistics.median(times)


def side(name):
    """Bytes per nanosecond of element-wise functions and sums; milliseconds of sorts; microseconds of a small call."""
    if name == "cupy":
        import cupy as xp

        wait, array = xp.cuda.Device().synchronize, xp.asarray
    else:
        import dpctl
        import dpctl.tensor as xp

        queue = dpctl.SyclQueue()
        wait, array = queue.wait, lambda data: xp.asarray(data, sycl_queue=queue)
    results, rng = {}, np.random.default_rng(1)
    for dtype in ("f4", "f8"):
        size = np.dtype(dtype).itemsize
        a, b, out = (array(rng.random(COUNT).astype(dtype)) for _ in range(3))
        for function in ("add", "multiply"):
            seconds = median_seconds(lambda: getattr(xp, function)(a, b, out=out), wait)
            results[f"{function} {dtype}, GB/s"] = 3 * COUNT * size / seconds / 1e9
        for function in ("sqrt", "exp"):
            seconds = median_seconds(lambda: getattr(xp, function)(a, out=out), wait)
            results[f"{function} {dtype}, GB/s"] = 2 * COUNT * size / seconds / 1e9
        results[f"sum {dtype}, GB/s"] = COUNT * size / median_seconds(lambda: xp.sum(a), wait) / 1e9
        results[f"sort {dtype}, per s"] = 1 / median_seconds(lambda: xp.sort(a), wait, 2, 3)
        small = [array(rng.random(1024).astype(dtype)) for _ in range(3)]
        seconds = median_seconds(lambda: xp.add(small[0], small[1], out=small[2]), wait, 500)
        results[f"add of 1024 {dtype}, per ms"] = 1e-3 / seconds
    print(json.dumps(results))


def table():
    runs = {"cupy": [], "dpctl": []}
    for turn in range(TURNS):
        for name in sorted(runs, reverse=turn % 2 == 1):
            done = subprocess.run([sys.executable, __file__, name], stdout=subprocess.PIPE, check=True)
            runs[name].append(json.loads(done.stdout))
    print(f"{'':24} {'CuPy':>10} {'dpctl':>10}   dpctl / CuPy, medians of {TURNS} processes each")
    for row in runs["cupy"][0]:
        cupy, dpctl = (statistics.median(run[row] for run in runs[name]) for name in ("cupy", "dpctl"))
        print(f"{row:24} {cupy:10.2f} {dpctl:10.2f}   {dpctl / cupy:.3f}")


side(sys.argv[1]) if len(sys.argv) > 1 else table()
