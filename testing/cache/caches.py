#!/usr/bin/env python3
"""Measure and check our program cache with real programs, and compare it with the persistent cache of the stock
libsycl.

    python3 testing/cache/caches.py bench        the start of 20 kernels: cold, from the disk and from memory
    python3 testing/cache/caches.py processes    what 8 processes, and 4 ranks of an MPI job, build of the same 20 kernels
    python3 testing/cache/caches.py beside       both caches in one folder: neither reads, damages or removes the other's files
    python3 testing/cache/caches.py killed --minutes 3
                                                 writers of one cache are killed at random moments; nothing may be lost
    python3 testing/cache/caches.py killed --minutes 2 --programs
                                                 the same with device images that run on Intel's CPU runtime
    python3 testing/cache/caches.py test         the short form of all checks, for `cargo xtask test`

Exit code 0: all results are right. 1: some are wrong. 2: it could not run.
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import killed
import programs
import xtask

# A driver for images of current compilers.
DRIVER = "intel-current"
WARM_STARTS = 5
# Seconds that a build elsewhere is waited for: longer than any takes on a busy machine, so that none is repeated.
WAIT = {"PI_CACHE_WAIT": "600"}


def prepare(arguments, stock=True):
    """Our side, and the stock one where it is needed."""
    programs.build()
    driver = xtask.driver(DRIVER)
    ours = programs.ours(driver)
    return (ours, programs.stock(arguments.release, driver)) if stock else ours


def bench(arguments):
    """Cold, warm-disk and warm-memory starts of the same kernels, alternating with the stock libsycl."""
    ours, stock = prepare(arguments)
    count = len(programs.kernels())
    pairs = {"cold": [], "warm disk": [], "warm disk, one by one": []}

    def measure(kind, root, number, built, **more):
        sides = {"ours": ours, "stock": stock}
        order = list(sides) if number % 2 == 0 else list(sides)[::-1]
        times = {side: sides[side].run(root / side, **more) for side in order}
        if {one["kernels"] for one in times.values()} != {count} or (times["ours"]["built"], times["ours"]["loaded"]) != (built, count - built):
            raise xtask.CannotRun(f"{built} programs were to be built and {count - built} to be loaded: {times}")
        pairs[kind].append(times)

    with xtask.Step(f"{count} kernels, ours and libsycl of {arguments.release}") as step:
        for number in range(arguments.rounds):
            step.note(f"round {number + 1} of {arguments.rounds}")
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                measure("cold", root, number, count)
                for start in range(WARM_STARTS):
                    measure("warm disk", root, start, 0)
                    measure("warm disk, one by one", root, start, 0, ONE_BY_ONE="1")
    first = {"first": "kernels ready", "first_cpu": "kernels ready, processor time", "process": "the whole process"}
    again = {"again": "kernels ready", "again_cpu": "kernels ready, processor time"}
    rows = [row(f"{kind}: {what}", pairs[kind], key) for kind in pairs for key, what in first.items()]
    for kind in ("warm disk", "warm disk, one by one"):
        rows += [row(f"{kind.replace('disk', 'memory')}: {what}", pairs[kind], key) for key, what in again.items()]
    print(xtask.table([f"{count} kernels", "ours, ms", "stock libsycl, ms", "ratio"], rows))


def row(what, pairs, key):
    """Medians of both sides, and the median of the ratios of runs that followed each other."""
    ours, stock = [[one[side][key] for one in pairs] for side in ("ours", "stock")]
    ratio = statistics.median(mine / theirs for mine, theirs in zip(ours, stock))
    return [what, f"{statistics.median(ours) * 1e3:.3f}", f"{statistics.median(stock) * 1e3:.3f}", f"{ratio:.2f}"]


def processes(arguments):
    """Several processes, or the ranks of an MPI job, start with an empty cache at the same time: each program is built once."""
    side, totals = prepare(arguments, stock=False), xtask.Totals()

    def check(what, texts, count):
        times = [json.loads(line) for text in texts for line in text.splitlines() if line.startswith("{")]
        built, loaded = (sum(one[key] for one in times) for key in ("built", "loaded"))
        kernels = len(programs.kernels())
        print(f"{what}, {kernels} kernels each: {built} programs built in all, {loaded} loaded")
        totals.count((len(times), built, loaded) == (count, kernels, (count - 1) * kernels))

    if arguments.processes:
        with tempfile.TemporaryDirectory() as cache, xtask.Step(f"{arguments.processes} processes with one empty cache"):
            children = [side.start(f"{cache}/cache", **WAIT) for _ in range(arguments.processes)]
            check(f"{arguments.processes} processes", [child.communicate()[0] for child in children], arguments.processes)
    if arguments.ranks:
        try:
            xtask.install("openmpi-bin")
        except xtask.CannotRun as error:
            print(f"skipped: there is no mpirun: {error}")
            totals.skipped += 1
            return totals
        # mpirun refuses to run as root, and to start more ranks than cores, without these options. --quiet drops its own messages.
        words = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--quiet", "-n", str(arguments.ranks), *side.words]
        with tempfile.TemporaryDirectory() as cache, xtask.Step(f"mpirun -n {arguments.ranks} with one empty cache"):
            text = xtask.output(words, env=side.environment(f"{cache}/cache", **WAIT))
            check(f"{arguments.ranks} ranks of mpirun", [text], arguments.ranks)
    return totals


def files(root):
    """Every file below a folder with its bytes."""
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def untouched(before, now):
    return before.items() <= now.items()


def beside(arguments):
    """The stock libsycl's persistent cache and ours in one folder."""
    ours, stock = prepare(arguments)
    count, totals = len(programs.kernels()), xtask.Totals()

    def check(what, holds):
        print(f"{'ok  ' if holds else 'FAIL'}  {what}")
        totals.count(holds)

    def pi(word):
        return json.loads(xtask.output([programs.RELEASE / "pi", "cache", word, "--json", "--dir", root]))

    def stock_calls():
        """How many programs the stock side made from binaries and from SPIR-V, as its own trace of calls tells."""
        lines = stock.text(root, SYCL_PI_TRACE="-1").splitlines()
        return tuple(sum(line.startswith(f"---> {name}(") for line in lines) for name in ("piProgramCreateWithBinary", "piProgramCreate"))

    with tempfile.TemporaryDirectory() as folder, xtask.Step(f"our cache and that of libsycl {arguments.release} in one folder"):
        root = pathlib.Path(folder, "cache")
        stock.run(root)
        theirs = files(root)
        binaries = sum(path.suffix == ".bin" for path in theirs)
        check(f"the stock cache keeps {binaries} binaries", binaries == count)
        check("pi cache ls lists none of them", pi("ls")["items"] == [])

        built = ours.run(root)
        check("ours builds its own programs", (built["built"], built["loaded"]) == (count, 0))
        both = files(root)
        check("and leaves the stock cache's files as they are", untouched(theirs, both))
        mine = {path: content for path, content in both.items() if path not in theirs}
        check("pi cache ls lists ours", len(pi("ls")["items"]) == count)

        made, compiled = stock_calls()
        check(f"the stock libsycl makes {made} programs from binaries and compiles {compiled}", (made, compiled) == (count, 0))
        check("and leaves our files as they are", untouched(mine, files(root)))

        warm = ours.run(root)
        check("ours finds its programs", (warm["built"], warm["loaded"]) == (0, count))
        pi("verify")
        check("pi cache verify finds nothing to repair", untouched(theirs, files(root)))

        pi("clear")
        left = files(root)
        gone = not any(path.suffix in (".bin", ".src") and path in left for path in mine)
        check("pi cache clear removes ours and nothing of the stock cache", untouched(theirs, left) and gone)
        check("the stock libsycl still compiles nothing", stock_calls() == (count, 0))

        before = files(root)
        off = ours.run(root, SYCL_CACHE_PERSISTENT="0")
        check("ours with SYCL_CACHE_PERSISTENT=0 gets all kernels", (off["kernels"], off["loaded"]) == (count, 0))
        check("and leaves no file", files(root).keys() <= before.keys())
    return totals


def kill_writers(arguments):
    totals = xtask.Totals()
    for with_programs in arguments.kinds:
        totals.count(killed.run(arguments.minutes * 60, with_programs, arguments.root, arguments.seed))
    return totals


def test(arguments):
    return processes(arguments) + beside(arguments) + kill_writers(arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("what", choices=["bench", "processes", "beside", "killed", "test"])
    add("--release", default="2023.2.4", help="with bench and beside: the release whose libsycl is beside ours")
    add("--rounds", type=int, default=5, help="of bench: starts with an empty cache. After each come five from the disk of each kind")
    add("--processes", type=int, default=8, help="plain processes")
    add("--ranks", type=int, default=4, help="of the MPI job; 0 for none")
    add("--minutes", type=float, help="how long writers are killed: 1, for test 5 seconds")
    add("--root", type=pathlib.Path, metavar="DIR", help="the folder of the killed writers' cache, which is kept; by default a new one that is removed")
    add("--seed", type=int, help="of the random moments")
    add("--programs", action="store_true", help="killed writers build and run device images through the runtime, instead of storing bytes")
    arguments = parser.parse_args()
    arguments.kinds = [False, True] if arguments.what == "test" else [arguments.programs]
    if arguments.minutes is None:
        arguments.minutes = 5 / 60 if arguments.what == "test" else 1
    if arguments.what == "bench":
        return bench(arguments)
    totals = {"processes": processes, "beside": beside, "killed": kill_writers, "test": test}[arguments.what](arguments)
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
