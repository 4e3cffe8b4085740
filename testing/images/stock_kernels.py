#!/usr/bin/env python3
"""Read the device images of dpctl, dpnp and oneMKL, build dpctl's kernels through the runtime, and launch some of them.

    python3 testing/images/stock_kernels.py                       all packages: hours
    python3 testing/images/stock_kernels.py --package dpctl-0.22 --every 100 --driver intel-current

Each image's property sets are decoded and encoded again to the same bytes, and its SPIR-V is read. The number of images
must be that which the linker lists in the section `.tgtimg`. Kernels to launch are chosen at random among those whose
names reveal what they compute; their results are compared with a loop on the host.

The compilers of Intel's CPU runtimes end the process for some kernels in one build of two to twelve. Such a kernel is
tried again. It counts as a fault of ours unless the driver, alone with the kernel's image, does the same.

Exit code 0: all images can be read, and no result is wrong. 1: something is wrong. 2: it could not run.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import stock
import xtask

# The seconds that a driver may take for one kernel, because it never returns from some.
LIMIT = 120
# How often a kernel is tried if it ends the process.
TRIES = 8
# Larger than any number of kernels, so only the first one is built.
ONE = 1 << 40


def build_programs():
    """stock-kernels, and a program of one page that builds an image with the driver alone."""
    # Nearly all of the time is the driver's.
    built = xtask.build("testing-programs", programs=["stock-kernels"], profile="dev")
    xtask.output(["cc", "-std=c11", "-O1", HERE / "bare_build.c", "-o", built / "bare_build", "-ldl"])
    return built


class Run:
    def __init__(self, arguments):
        self.arguments = arguments
        self.built, self.plugin = build_programs(), xtask.build("pi_opencl") / "libpi_opencl.so"
        self.problems = []
        self.right = 0

    def kernels(self, what, *words, environment=None):
        """Lines of fields of stock-kernels, and how it ended if that was no ordinary end."""
        command = [self.built / "stock-kernels", what, *map(str, words)]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        killer = threading.Timer(LIMIT, process.kill)
        killer.start()
        last = None
        for line in process.stdout:
            killer.cancel()
            killer = threading.Timer(LIMIT, process.kill)
            killer.start()
            last = line.rstrip("\n").split("\t")
            yield last
        killer.cancel()
        if process.wait() != 0:
            if what == "describe" or last is None or last[0] != "next":
                raise xtask.CannotRun(f"stock-kernels {what} {words}: {xtask.how(process.returncode)}")
            yield ["crashed", xtask.how(process.returncode)]

    def describe(self, libraries):
        """A row for each package. Returns the libraries that have kernels."""
        columns = ["images", "listed", "kernels", "compressed", "unreadable"]
        packages, with_kernels = collections.defaultdict(collections.Counter), []
        with xtask.Step(f"reading the images of {len(libraries)} libraries") as step:
            for library in libraries:
                step.note(str(library))
                for fields in self.kernels("describe", library.file):
                    match fields:
                        case ["library", _, images, listed, kernels, _, compressed, _]:
                            counts = dict(zip(columns, map(int, [images, listed, kernels, compressed])))
                            packages[library.package].update(counts)
                            with_kernels += [library] * (counts["kernels"] > 0)
                            if images == listed:
                                self.right += 1
                            else:
                                self.problems.append(f"{library}: {images} images found, {listed} listed")
                        case ["unreadable", problem]:
                            packages[library.package]["unreadable"] += 1
                            self.problems.append(f"{library}: {problem}")
        print(xtask.table(["package", *columns], [[name, *(row[column] for column in columns)] for name, row in packages.items()]), "\n")
        return with_kernels

    def build(self, library, driver, environment):
        """What came of each N-th kernel, and why: the number of each outcome and of each reason."""
        outcomes, crashes, detail = {}, collections.Counter(), {}

        def pass_from(first, step):
            """Builds from a kernel on. Returns where to go on, if the process ended."""
            current = None
            for word, *rest in self.kernels("build", self.plugin, library.file, first, step, environment=environment):
                match word:
                    case "next":
                        current = (int(rest[0]), rest[1])
                    case "crashed":
                        crashes[current] += 1
                        detail[current] = rest[0]
                        return current[0] + step
                    case "built" | "refused" | "failed":
                        outcomes[current] = (word, rest[0])
            return None

        start = 0
        while start is not None:
            start = pass_from(start, self.arguments.every)
        for kernel in crashes:
            while kernel not in outcomes and crashes[kernel] < TRIES:
                pass_from(kernel[0], ONE)
            if not self.dies_alone(library, kernel[1], environment):
                self.problems.append(f"{driver}, {library}, {kernel[1]}: {detail[kernel]}, and not with the driver alone")
        counts = collections.Counter(word for word, _ in outcomes.values())
        counts["given up"] = len(crashes.keys() - outcomes.keys())
        counts["driver crashes"] = crashes.total()
        reasons = collections.Counter(reason(text) for word, text in outcomes.values() if word != "built")
        return counts, reasons

    def dies_alone(self, library, kernel, environment):
        """Whether the driver ends a process that has nothing but it and the kernel's image, or does not come back, in one of many runs."""
        with tempfile.TemporaryDirectory() as folder:
            code = pathlib.Path(folder) / "kernel.spv"
            xtask.output([self.built / "stock-kernels", "code", library.file, kernel, code])
            command = [self.built / "bare_build", code]
            codes = (xtask.run(command, LIMIT, env=environment).returncode for _ in range(4 * TRIES))
            return any(code is None or code < 0 for code in codes)

    def launch(self, driver, libraries, environment):
        """Launches kernels of arrays. Returns the number of each outcome."""
        launched, start, count = [], 0, self.arguments.launches
        names = {str(library.file): library for library in libraries}
        ended = False
        while not ended and len(launched) < count:
            ended = True
            words = [self.plugin, self.arguments.seed, count - len(launched), start, *names]
            for word, *rest in self.kernels("launch", *words, environment=environment):
                if word == "next":
                    start = int(rest[0])
                    launched.append((names[rest[1]], rest[2]))
                elif word == "other":
                    launched.pop()
                elif word in ("right", "refused", "wrong", "crashed"):
                    ended = word != "crashed"
                    launched[-1] += (word,)
                    if word in ("wrong", "crashed"):
                        self.problems.append(f"{driver}, {launched[-1][1]} of {launched[-1][0]}: {word} {' '.join(rest)}")
        return collections.Counter(outcome for *_, outcome in launched)

    def on_driver(self, driver, libraries):
        environment = os.environ | xtask.driver(driver).variables
        if self.arguments.scalar:
            environment["CL_CONFIG_CPU_VECTORIZER_MODE"] = "1"
        columns = ["built", "refused", "failed", "given up", "driver crashes"]
        rows, reasons = collections.defaultdict(collections.Counter), collections.Counter()
        for library in libraries:
            if any(library.package.replace(" ", "-").startswith(name) for name in self.arguments.build):
                with xtask.Step(f"kernels of {library} on {driver}") as step:
                    counts, why = self.build(library, driver, environment)
                    step.outcome = f"{counts['built']} built"
                rows[library.package] += counts
                reasons += why
                self.right += counts["built"]
        print(xtask.table([f"built on {driver}", *columns], [[name, *(row[column] for column in columns)] for name, row in rows.items()]))
        for text, count in reasons.items():
            print(f"- {count} times: {text}")
        arrays = [library for library in libraries if library.name.startswith(("_tensor_", "libdpnp_backend"))]
        with xtask.Step(f"{self.arguments.launches} launches on {driver}") as step:
            counts = self.launch(driver, arrays, environment)
            step.outcome = f"{counts['right']} right"
        print(f"launched on {driver}:", ", ".join(f"{counts[word]} {word}" for word in ["right", "refused", "wrong", "crashed"]), "\n")
        self.right += counts["right"] + counts["refused"]


def reason(text):
    """A message without the names of images and kernels, so that equal reasons are one."""
    text = re.sub(r" \(image .*", "", text).split("failed: ", 1)[-1]
    return re.sub(r"\W*(ZTS\w*|\w{61,})\W*", " ... ", text)[:200]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--package", action="append", help="only packages whose name and version start like this, such as dpctl-0.19 (repeatable)"
    )
    parser.add_argument("--build", action="append", help="build the kernels of these packages only (repeatable); by default dpctl's")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="build every N-th kernel of each library instead of all")
    parser.add_argument(
        "--scalar", action="store_true", help="build without the drivers' vectorizer, which takes more than half of the time"
    )
    parser.add_argument("--launches", type=int, default=50, help="how many kernels are launched on each driver")
    parser.add_argument("--seed", type=int, default=1, help="what chooses the kernels that are launched")
    parser.add_argument("--driver", action="append", choices=["intel-2023", "intel-current"], help="only this driver (repeatable)")
    arguments = parser.parse_args()
    arguments.build = arguments.build or ["dpctl"]
    run = Run(arguments)
    libraries = run.describe(stock.libraries(arguments.package or ()))
    for driver in arguments.driver or ["intel-2023", "intel-current"]:
        run.on_driver(driver, libraries)
    print(*run.problems, sep="\n", end="\n" * bool(run.problems))
    totals = xtask.Totals(run.right, len(run.problems))
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
