"""Time small calls of stock dpnp and dpctl, in microseconds from Python.

    PI_CUDA_AS=level_zero python small_calls.py [--calls 3000] [--rounds 7] [--json FILE] [--before FILE]

Run it with the Python of an environment that has dpnp and our files, on an otherwise idle machine with a GPU. To
compare two builds, run it with the files of the first and --json, then with those of the second and --before. The table
then has the quotient, which is below 1 if the second is faster. Each round times every call, so that a slow moment of
the machine does not affect one call alone.

Exit code 0: results are right. 1: some are not.
"""

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import dpctl
import dpctl.memory
import dpnp
import numpy as np


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=3000, help="calls of a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=7, help="rounds, of which the table has the median (default: %(default)s)")
    parser.add_argument("--json", type=Path, help="where to write the times")
    parser.add_argument("--before", type=Path, help="times of another build")
    return parser.parse_args()


def works():
    """The calls by name, and the queue on which they run."""
    host = np.linspace(1, 2, 1024, dtype=np.float32)
    s, device = dpnp.asarray(host), dpctl.select_default_device()
    o, queue, context = dpnp.empty_like(s), s.sycl_queue, s.sycl_queue.sycl_context
    memory, pinned = dpctl.memory.MemoryUSMDevice(8192, queue=queue), dpctl.memory.MemoryUSMHost(64, queue=queue)
    sizes = iter(range(1 << 60))
    calls = {
        "dpctl.SyclQueue(context, device)": lambda: dpctl.SyclQueue(context, device),
        "MemoryUSMDevice of 8 KiB": lambda: dpctl.memory.MemoryUSMDevice(8192, queue=queue),
        "MemoryUSMDevice of 100 sizes": lambda: dpctl.memory.MemoryUSMDevice(8192 * (1 + next(sizes) % 100), queue=queue),
        "copy of 64 bytes to the host": lambda: queue.memcpy(pinned, memory, 64),
        "queue.wait() of an idle queue": queue.wait,
        "dpnp.empty(1024)": lambda: dpnp.empty(1024),
        "dpnp.zeros(1024)": lambda: dpnp.zeros(1024),
        "dpnp.asarray(3.0)": lambda: dpnp.asarray(3.0),
        "s + s": lambda: s + s,
        "add(s, s, out=o)": lambda: dpnp.add(s, s, out=o),
        "s + 1": lambda: s + 1,
        "s.sum()": lambda: s.sum(),
        "float(o[0])": lambda: float(o[0]),
    }
    return calls, queue


def is_right():
    host = np.linspace(1, 2, 1024, dtype=np.float32)
    s = dpnp.asarray(host)
    total = float(s.sum())
    return (dpnp.asnumpy(s + s) == host + host).all() and abs(total - host.sum()) < 1e-2 and float(s[5]) == host[5]


def main():
    asked = arguments()
    calls, queue = works()
    print(queue.sycl_device.name, "driver", queue.sycl_device.driver_version)
    times = {name: [] for name in calls}
    for turn in range(asked.rounds + 1):
        for name, call in calls.items():
            queue.wait()
            start = time.perf_counter()
            for _ in range(asked.calls):
                call()
            queue.wait()
            if turn > 0:  # the first one compiles
                times[name].append((time.perf_counter() - start) / asked.calls * 1e6)
    now = {name: statistics.median(rounds) for name, rounds in times.items()}
    before = json.loads(asked.before.read_text()) if asked.before else {}
    print("| call | µs | least | before | now / before |\n| --- | ---: | ---: | ---: | ---: |")
    for name, median in now.items():
        compared = f"{before[name]:.1f} | {median / before[name]:.2f}" if name in before else "| "
        print(f"| `{name}` | {median:.1f} | {min(times[name]):.1f} | {compared} |")
    if asked.json:
        asked.json.write_text(json.dumps(now, indent=1))
    return int(not is_right())


if __name__ == "__main__":
    sys.exit(main())
