#!/usr/bin/env python3
"""Run the tests, the conformance harness and the attacks under a sanitizer.

    python3 testing/sanitizers/sanitizers.py address             everything under AddressSanitizer
    python3 testing/sanitizers/sanitizers.py thread units        the product's own tests under ThreadSanitizer
    python3 testing/sanitizers/sanitizers.py address conformance --on cuda

Parts:
    units         the tests of the product's crates, with the parsers' and the translator's
    runtime       the tests of runtime/runtime and runtime/loader that need a driver
    conformance   pi-conformance --strict on our plugins and adapters
    random        random calls on them: --calls for each file
    programs      threads on shared objects, orders of exit, two runtimes at once

The stable compiler has both sanitizers; RUSTC_BOOTSTRAP=1 makes it accept the option. The standard library is rebuilt
with the sanitizer, which requires `rustup component add rust-src`: otherwise, ThreadSanitizer does not see the standard
library's locks. Everything is built in target/sanitizers, apart from other builds. Drivers are not instrumented: the
files in suppressions/ say which of their reports are suppressed, and why.

Exit code 0: no report and no failed test. 1: some. 2: it could not run.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import subjects

ROOT = subjects.ROOT
HERE = pathlib.Path(__file__).resolve().parent
TARGET = "x86_64-unknown-linux-gnu"
UNITS = [
    "sycl-pi-core", "sycl-ur-core", "sycl-pi-backend", "sycl-pi-cuda", "sycl-pi-dynload", "sycl-pi-host-process",
    "sycl-pi-opencl", "sycl-pi-level-zero", "sycl-pi-logger", "sycl-pi-nvidia-files", "sycl-pi-nvvm-compiler", "sycl-pi-front",
    "sycl-ur-front", "sycl-pi-loader", "sycl-pi-spirv", "sycl-pi-image", "sycl-pi-cache", "sycl-pi-nvvm", "sycl-pi-runtime",
    "pi_runtime", "testing-fuzz", "testing-nvvm",
]
# Libraries that the parts load. One that is a library for Rust and for C at once has a build of its own.
LIBRARIES = [
    ["--package", "pi_opencl", "--package", "pi_level_zero", "--package", "pi_cuda", "--package", "software-cuda"],
    ["--package", "software-level-zero"],
    ["--package", "testing-ur-host", "--example", "pi_over_ur"],
]
# Programs that load them, and what each part runs.
PROGRAMS = {
    "runtime": ["--package", "sycl-pi-runtime", "--test", "driver"],
    "conformance": ["--package", "pi-conformance", "--bin", "pi-conformance"],
    "random": ["--package", "testing-random-calls", "--bin", "testing-random-calls"],
    "programs": ["--package", "testing-robustness", "--bin", "testing-robustness"],
}
# The sanitizer's functions are in the program, and the libraries that it loads find them there.
EXPORT = {"address": "-Clink-arg=-Wl,--export-dynamic-symbol=__asan_*", "thread": "-Clink-arg=-Wl,--export-dynamic-symbol=__tsan_*"}
RUNTIMES = {"address": "asan", "thread": "tsan"}
REPORT = re.compile(r"^(?:==(?:[^=\n]+==)?\d+==ERROR: \w+Sanitizer: |WARNING: ThreadSanitizer: )(.*?)(?: \(pid=\d+\))?$", re.M)
SUMMARY = re.compile(r"^SUMMARY: (.*)$", re.M)
# A frame of code that a driver compiled at run time. Its memory accesses are seen, but its locks are not.
OF_A_DRIVER = re.compile(r"^ +#1 <null> <null> ", re.M)
COUNTS = re.compile(r"(\d+) passed[,;] (\d+) failed")
CALLS = re.compile(r"^(\d+) calls", re.M)


class CannotRun(Exception):
    """The reason is for people."""


class Run:
    """One sanitizer, with the folder of its build and that of its reports."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.sanitizer = arguments.sanitizer
        self.folder = ROOT / "target" / "sanitizers" / self.sanitizer
        self.built = self.folder / TARGET / "debug"
        self.reports = self.folder / "reports"
        shutil.rmtree(self.reports, ignore_errors=True)
        self.reports.mkdir(parents=True)
        self.rows = []
        self.programs_of = {}

    def folder_of(self, title):
        """Where the reports and the output of a step go."""
        folder = self.reports / re.sub("[^A-Za-z0-9.]+", "-", title)
        folder.mkdir(exist_ok=True)
        return folder

    def environment(self, title, leaks=False, kept_back=256):
        """How a program is run. `kept_back` is how many megabytes AddressSanitizer keeps of freed memory, to see its use."""
        # A test that asks for 2^60 bytes expects null, as from the ordinary allocator.
        log = f"log_path={self.folder_of(title)}/report:log_exe_name=1:allocator_may_return_null=1"
        if self.sanitizer == "address":
            # Plugins and drivers live in one process and have functions of the same names: not an error.
            own = f"{log}:detect_leaks={int(leaks)}:quarantine_size_mb={kept_back}:thread_local_quarantine_size_kb=64"
            own += f":suppressions={HERE}/suppressions/address.txt:detect_odr_violation=0:allow_addr2line=1"
            leak = f"suppressions={HERE}/suppressions/leak.txt:print_suppressions=0"
            return {"ASAN_OPTIONS": own, "LSAN_OPTIONS": leak}
        # Children of programs with threads go on, as they do without a sanitizer. The reports are counted, not the exit codes.
        own = f"{log}:suppressions={HERE}/suppressions/thread.txt:die_after_fork=0:print_suppressions=0"
        return {"TSAN_OPTIONS": own + ":history_size=4:exitcode=0"}

    def cargo(self, *words):
        """Starts cargo for this sanitizer. Tests keep their lines in reports, and are optimized a little: they take long."""
        environment = dict(
            os.environ,
            RUSTC_BOOTSTRAP="1",
            RUSTFLAGS=f"-Zsanitizer={self.sanitizer}",
            CARGO_TARGET_DIR=str(self.folder),
            CARGO_PROFILE_DEV_DEBUG="line-tables-only",
            CARGO_PROFILE_DEV_OPT_LEVEL="1",
        )
        command = ["cargo", words[0], "-Zbuild-std", "--target", TARGET, *words[1:]]
        return command, environment

    def build(self, parts):
        """Builds the libraries, and the programs of these parts."""
        for words in LIBRARIES:
            command, environment = self.cargo("build", *words)
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
        for part in parts:
            words = [*PROGRAMS[part], "--message-format", "json", "--", EXPORT[self.sanitizer]]
            command, environment = self.cargo("rustc", *words)
            lines = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
            made = [json.loads(line).get("executable") for line in lines.splitlines()]
            self.programs_of[part] = [file for file in made if file][-1]

    def step(self, title, command, environment, seconds):
        """Runs one command, shows what it did, and names the reports that it left."""
        start = time.monotonic()
        folder = self.folder_of(title)
        log = folder / "output.log"
        with open(log, "wb") as output:
            try:
                done = subprocess.run(
                    command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=seconds
                )
                ended = done.returncode
            except subprocess.TimeoutExpired:
                ended = f"did not end within {seconds} s"
        text = log.read_text(errors="replace")
        counts = [(int(passed), int(failed)) for passed, failed in COUNTS.findall(text)]
        passed, failed = sum(one for one, _ in counts), sum(one for _, one in counts)
        calls = CALLS.findall(text)
        what = f"{calls[-1]} calls" if calls else f"{passed} passed, {failed} failed"
        kinds = collections.Counter()
        for file in sorted(folder.glob("report*")):
            text = file.read_text(errors="replace")
            for report in text.split("==================\n"):
                if not OF_A_DRIVER.search(report):
                    kinds.update(SUMMARY.findall(report) or REPORT.findall(report))
        found = sum(kinds.values())
        self.rows.append((title, what, found, round(time.monotonic() - start), ended))
        lines = [f"{title}: {what}, {found} reports ({self.rows[-1][3]} s), ended with {ended}"]
        lines += [f"    {times} x {kind}" for kind, times in kinds.most_common()]
        if found or ended != 0:
            lines.append(f"    in full: {folder}")
        print("\n".join(lines), flush=True)

    def each(self, subjects, run):
        """Runs something for each subject, `--jobs` at once."""
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            for _ in pool.map(run, subjects):
                pass

    def subjects(self):
        wanted = self.arguments.on
        chosen = [one for one in subjects.all_of(self.built) if not wanted or any(word in str(one) for word in wanted)]
        if not chosen:
            raise CannotRun("no plugin or adapter on a driver is named so; without --on each is tried and named")
        return chosen

    def units(self):
        # A sanitizer starts in no program that has more rights than its user, and does not follow loom, which changes stacks
        # by itself. And cargo builds no library of an example here.
        left_out = ["--skip", "a_set_user_id_program", "--skip", "orders::", "--skip", "own_plugin::"]
        packages = [word for name in self.arguments.package or UNITS for word in ("--package", name)]
        command, environment = self.cargo("test", "--no-fail-fast", "--lib", "--tests", *packages, "--", *left_out)
        # Tests that need a driver have a part of their own.
        environment |= self.environment("units", leaks=True) | {"PI_TEST_PLUGIN": "/nonexistent"}
        self.step("units", command, environment, 7200)

    def runtime(self):
        def one(subject):
            # As current drivers do, the software driver gives the addresses of variables in modules that are linked later.
            variables = {"PI_TEST_PLUGIN": str(subject.file), "PI_SOFT_ZE_TAKE_ADDRESS": "0"}
            # Those compile programs, without the sanitizer.
            left_out = ["--skip", "page::", "--skip", "example::"]
            self.program("runtime", left_out, subjects.Subject(subject.file, subject.driver, subject.variables | variables))

        without_spirv = ("pocl", "software CUDA")
        plugins = [subject for subject in self.subjects() if not subject.is_adapter and subject.driver not in without_spirv]
        self.each(plugins, one)

    def program(self, part, words, subject, title=None, kept_back=256):
        title = f"{title or part}: {subject}"
        environment = dict(os.environ) | subject.variables | self.environment(title, kept_back=kept_back)
        self.step(title, [self.programs_of[part], *words], environment, 3600)

    def conformance(self):
        def one(subject):
            words = [subject.file, "--strict", "--timeout", "300"]
            words += ["--layout", "2026.2"] if subject.is_adapter else ["--pi-version", "15.47"]
            words += [word for glob in self.arguments.filter for word in ("--filter", glob)]
            # Some cases measure that memory does not grow.
            self.program("conformance", words, subject, kept_back=2)

        self.each(self.subjects(), one)

    def random(self):
        if self.sanitizer == "thread":
            print("random calls: left out, their commands share the caller's memory on purpose", flush=True)
            return
        batch = 10_000

        def one(subject):
            plugin = subjects.as_plugin(subject, self.built)
            words = [plugin.file, "--timeout", "600", "--pi-version", "15.47", "--seed", str(self.arguments.seed)]
            words += ["--calls", str(batch), "--batches", str(max(1, self.arguments.calls // batch))]
            self.program("random", words, plugin)

        self.each(self.subjects(), one)

    def programs(self):
        # Programs in C: the sanitizer's runtime comes in whole, and the plugin finds its functions there.
        sysroot = subprocess.run(["rustc", "--print", "sysroot"], check=True, capture_output=True, text=True).stdout.strip()
        runtime = f"{sysroot}/lib/rustlib/{TARGET}/lib/librustc-stable_rt.{RUNTIMES[self.sanitizer]}.a"
        link = f"-Wl,--whole-archive {runtime} -Wl,--no-whole-archive -Wl,--export-dynamic -lm -lrt"

        def one(subject):
            plugin = subjects.as_plugin(subject, self.built)
            plugin.variables = plugin.variables | {"LDLIBS": link}
            for command, more in [
                ("stress", ["--seconds", str(self.arguments.seconds), "--pi-version", "15.47"]),
                ("exit-order", ["--timeout", "300"]),
                ("two-runtimes", []),
            ]:
                if command == "two-runtimes" and subject.is_adapter:
                    continue
                if command == "exit-order" and self.sanitizer == "thread":
                    print("exit-order: left out, its programs end while threads use the same memory", flush=True)
                    continue
                words = [command, plugin.file, *more, *plugin.left_out.get(command, [])]
                self.program("programs", words, plugin, title=command)

        self.each(self.subjects(), one)


PARTS = {"units": Run.units, "runtime": Run.runtime, "conformance": Run.conformance, "random": Run.random, "programs": Run.programs}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sanitizer", choices=["address", "thread"])
    parser.add_argument("part", nargs="*", help=f"only these: {', '.join(PARTS)}")
    parser.add_argument("--on", action="append", help='only files and drivers that contain this, such as "cuda" (repeatable)')
    parser.add_argument("--package", action="append", help="only the units of this crate (repeatable)")
    parser.add_argument("--filter", action="append", default=[], help="only cases of the harness such as 'MEM-0*' (repeatable)")
    parser.add_argument("--calls", type=int, default=100_000, help="random calls on each file")
    parser.add_argument("--seed", type=int, default=1, help="of the random calls")
    parser.add_argument("--seconds", type=int, default=20, help="how long threads share objects")
    parser.add_argument("--jobs", type=int, default=1, help="how many files of ours are tried at once")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.part if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; the parts are {', '.join(PARTS)}")

    run = Run(arguments)
    chosen = arguments.part or list(PARTS)
    programs = [part for part in chosen if part in PROGRAMS]
    if programs:
        run.build(programs)
    for part in chosen:
        PARTS[part](run)
    print(f"\n| {run.sanitizer} | what ran | reports | seconds |\n| --- | ---: | ---: | ---: |")
    for title, what, found, seconds, _ in run.rows:
        print(f"| {title} | {what} | {found} | {seconds} |")
    return 0 if all(found == 0 and ended == 0 for *_, found, _, ended in run.rows) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CannotRun, OSError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
