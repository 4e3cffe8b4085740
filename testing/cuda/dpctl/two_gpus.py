"""Use two GPUs at once: call dpnp on each from a separate thread, copy between them, and check whether each can access
the other's memory.

    PI_CUDA_AS=level_zero python two_gpus.py [--power 26] [--calls 300] [--rounds 5]

Run it with the Python of an environment that has dpnp and our files, on a machine with two GPUs. The table has the time
on both GPUs at once divided by the time on the first one alone: 1 is best. Python lets one thread at a time make calls,
which limits short calls. dpctl only asks on Level Zero whether a GPU can access the other's memory: with
PI_CUDA_AS=opencl, its answer is always no.

Exit code 0: results are right on both GPUs. 1: some are not. 2: there are not two GPUs.
"""

import argparse
import statistics
import sys
import threading
import time

import dpctl
import dpnp
import numpy as np


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--power", type=int, nargs="+", default=[26], help="arrays have 2 to this power floats (default: 26)")
    parser.add_argument("--calls", type=int, default=300, help="calls of a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each measurement (default: %(default)s)")
    return parser.parse_args()


def seconds(*works):
    """How long it takes to do all works at once, each in a thread of its own."""
    threads = [threading.Thread(target=work) for work in works]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def calls_of(array, result, count):
    """Computes sines of an array so many times: into a result that is there, or into new ones."""

    def run():
        for _ in range(count):
            dpnp.sin(array, out=result)
        array.sycl_queue.wait()

    return run


def slower(arrays, results, asked):
    """How much longer both take at once than the first alone, in each round."""
    both = [calls_of(array, result, asked.calls) for array, result in zip(arrays, results, strict=True)]
    # One after the other, because dpnp's first calls from two threads may wait for each other forever.
    for work in both:
        work()
    ratios = []
    for _ in range(asked.rounds):
        alone = seconds(both[0])
        ratios.append(seconds(*both) / alone)
    return ratios


def copy_rate(source, target, rounds):
    """Gigabytes a second from one GPU's array to the other's."""
    queue, source, target = source.sycl_queue, source.get_array().usm_data, target.get_array().usm_data
    rates = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        queue.memcpy(target, source, source.nbytes)
        queue.wait()
        rates.append(source.nbytes / (time.perf_counter() - start) / 1e9)
    return statistics.median(rates[1:])


def main():
    asked = arguments()
    devices = dpctl.get_devices(device_type="gpu")
    if len(devices) < 2:
        print(f"two GPUs are needed; there are {len(devices)}")
        return 2
    devices = devices[:2]
    print(devices[0].name, "and", devices[1].name)
    wrong = 0
    print("| floats | results | both / one: median | least | most |\n| --- | --- | ---: | ---: | ---: |")
    for power in asked.power:
        host = np.linspace(0, 6, 1 << power, dtype=np.float32)
        arrays = [dpnp.asarray(host, device=device) for device in devices]
        for name, results in [("new arrays", [None, None]), ("into an array", [dpnp.empty_like(array) for array in arrays])]:
            ratios = slower(arrays, results, asked)
            print(f"| 2^{power} | {name} | {statistics.median(ratios):.2f} | {min(ratios):.2f} | {max(ratios):.2f} |", flush=True)
        for result in results:  # those that were there
            wrong += not np.allclose(dpnp.asnumpy(result[:1000]), np.sin(host[:1000]), atol=1e-6)
    source, target = arrays
    print(f"from one to the other: {copy_rate(source, target, asked.rounds):.1f} GB/s of {source.nbytes >> 20} MiB")
    wrong += not (dpnp.asnumpy(target[-1000:]) == host[-1000:]).all()
    answers = [one.can_access_peer(other) for one, other in (devices, devices[::-1])]
    print(f"each can access the other's memory: {answers[0]}, {answers[1]}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
