"""Shared code of this repository's scripts: queries `cargo xtask` for environments and paths, shows progress, and counts tests.

A script in a folder beside this file finds it with

    sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
    import xtask

Its last lines are `if __name__ == "__main__": xtask.exit_with(main)`.
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGET = ROOT / "target"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "sycl-pi"

# `cargo xtask test` has built everything that its scripts use. A script of the packages' tests runs without sources.
IS_BUILT = bool(os.environ.get("SYCL_PI_BUILT"))
# Programs under test that run now. They are in sessions of their own, so that a key press does not end them.
RUNNING = set()


class CannotRun(Exception):
    """The reason is for people."""


def exit_with(main):
    """Ends as `main` says: 0 and 1 are its own, 2 means that it could not run. An interrupt ends the programs under test too."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupted)
    try:
        sys.exit(main())
    except (CannotRun, OSError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


def interrupted(number, frame):
    for process in list(RUNNING):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    os._exit(128 + number)


def ask(*words):
    """What `cargo xtask` prints. Its progress and its errors are shown as they come."""
    command = ["cargo", "xtask", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise CannotRun(f"`{' '.join(command)}` ended with {done.returncode}")
    return done.stdout


@dataclasses.dataclass(eq=False)
class Release:
    """A release of DPC++ with one client: `cargo xtask env --list`."""

    name: str  # 2024.0.3, 2024.0.3-numba-dpex
    version: str
    interface: str  # PI 14.37, UR 0.12.0
    soname: str  # of its libsycl
    loads: str  # plugin or adapter
    client: str  # dpctl 0.15.0
    package: str  # that holds the client's tests
    suite: bool  # whether they are run
    wheels: list  # dpctl==0.15.0

    @property
    def has_adapters(self):
        return self.loads == "adapter"


def releases():
    """All of them by name, those with plugins first, oldest first."""
    return {one["name"]: Release(**one) for one in json.loads(ask("env", "--list"))}


@dataclasses.dataclass
class Environment:
    """Where a release's client is installed, and how it runs. Of a driver alone only the variables are known."""

    variables: dict
    release: Release = None
    root: pathlib.Path = None
    lib: pathlib.Path = None
    site_packages: pathlib.Path = None
    python: pathlib.Path = None
    plugin: pathlib.Path = None  # the plugin or adapter that its libsycl loads
    backend: str = None
    driver: str = None  # the OpenCL driver, if it is not the release's own
    launcher: list = dataclasses.field(default_factory=list)  # words before each command: a driver may run in a root file system

    def __post_init__(self):
        for name in ("root", "lib", "site_packages", "python", "plugin"):
            value = getattr(self, name)
            setattr(self, name, value and pathlib.Path(value))
        if isinstance(self.release, dict):
            self.release = Release(**self.release)

    @property
    def on(self):
        """What results are named after: the driver if it is not the release's own, else the backend."""
        return self.driver or self.backend


def driver(name):
    """Installs an OpenCL driver where it is missing: intel-2023, intel-current, pocl."""
    return Environment(**json.loads(ask("env", "--driver", name, "--json")))


def environment(release, plugin="vendor", backend="opencl", file=None, build=False, validate=False, driver=None):
    """Installs a release where it is missing, with ours or `file` in its place where that is meant, on its own OpenCL driver or another."""
    words = ["env", "--release", release, "--plugin", plugin, "--json"]
    words += ["--driver", driver] if driver else ["--backend", backend]
    words += ["--plugin-file", file] if file else []
    words += ["--build"] * (build and not IS_BUILT) + ["--validate"] * validate
    return Environment(**json.loads(ask(*words)))


def build(*packages, programs=(), profile="release"):
    """Builds packages of this workspace, or these programs of them. Returns the folder of the built files."""
    folder = TARGET / ("debug" if profile == "dev" else profile)
    if IS_BUILT:
        return folder
    with Step(f"building {', '.join(programs or packages)}"):
        words = [word for name in packages for word in ("--package", name)]
        words += [word for name in programs for word in ("--bin", name)]
        command = ["cargo", "build", "--quiet", "--profile", profile, *words, "--target-dir", TARGET]
        output(command, cwd=ROOT, env={**os.environ, "CARGO_INCREMENTAL": "0"})
    return folder


def output(command, **options):
    """The standard output of a program that must succeed. Otherwise the error quotes the end of what it wrote."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", **options)
    if done.returncode != 0:
        raise CannotRun(f"{command[0]} failed ({how(done.returncode)}):\n{tail(done.stdout + done.stderr)}")
    return done.stdout


def install(*packages):
    """Installs packages of Debian where they are missing and the user is root. Otherwise the error has the command to type."""
    has_dpkg = shutil.which("dpkg")
    missing = [name for name in packages if not has_dpkg or subprocess.run(["dpkg", "--status", name], capture_output=True).returncode]
    if not missing:
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=600", *missing]
    if not has_dpkg or os.geteuid() != 0:
        raise CannotRun(f"missing packages; install them first: {' '.join(command)}")
    with Step(" ".join(command)) as step:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        try:
            output(command, env=environment)
        except CannotRun:
            step.note("apt-get update")
            output(["apt-get", "update"])
            output(command, env=environment)


def of_the_day(what, choices, whole, count=1):
    """Some of the choices, other ones each day, for tests whose whole takes too long for every run. It is printed, with the command of the whole.

    The variable PI_TEST_DAY is a day, counted from 1970, or `all`.
    """
    day = os.environ.get("PI_TEST_DAY", "")
    if day == "all":
        return list(choices)
    day = int(day) if day.isdigit() else int(time.time()) // 86400
    places = {(day * count + one) % len(choices) for one in range(count)}
    taken = [choice for place, choice in enumerate(choices) if place in places]
    print(f"{what}: of {len(choices)}, a sample (PI_TEST_DAY={day}): {', '.join(map(str, taken))}. All: {whole}", flush=True)
    return taken


def tail(text, lines=25):
    return "\n".join(text.splitlines()[-lines:])


def how(code):
    """How a process ended, in words. None stands for one that was killed after its time."""
    if code is None:
        return "no end in time"
    return f"ended by signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"ended with code {code}"


def run(command, limit, progress=lambda: None, memory=None, **options):
    """Runs a program under test. It is killed with all that it started when `progress()` gave nothing new for `limit` seconds.

    Its code is None then. If it uses more than `memory` bytes, it is killed too, and its code says so.
    """
    defaults = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "errors": "replace"}
    process = subprocess.Popen(command, start_new_session=True, **{**defaults, **options})
    RUNNING.add(process)
    seen, since = progress(), time.monotonic()
    try:
        while True:
            try:
                out, err = process.communicate(timeout=min(limit, 1))
                return subprocess.CompletedProcess(command, process.returncode, out, err)
            except subprocess.TimeoutExpired:
                if memory and resident(process.pid) > memory:
                    os.killpg(process.pid, signal.SIGKILL)
                    out, err = process.communicate()
                    return subprocess.CompletedProcess(command, process.returncode, out, err)
                now = progress()
                if now != seen:
                    seen, since = now, time.monotonic()
            if time.monotonic() - since >= limit:
                os.killpg(process.pid, signal.SIGKILL)
                return subprocess.CompletedProcess(command, None, *process.communicate())
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        RUNNING.discard(process)


def resident(number):
    """The bytes of memory that a process uses, 0 if it has ended. What it only reserves does not count."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        return int(pathlib.Path(f"/proc/{number}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


class Step:
    """One step in progress: a line at its start, at most four a minute in between, and one at its end with its time.

    The processors' time is that of programs which the step started. On a machine with other work only it compares.
    """

    def __init__(self, what):
        self.what, self.outcome = what, ""
        self.start, self.said, self.before = time.monotonic(), time.monotonic(), os.times()
        print(f"{what} ...", file=sys.stderr, flush=True)

    def __enter__(self):
        return self

    def note(self, detail):
        if time.monotonic() - self.said > 15:
            self.said = time.monotonic()
            print(f"{self.what}: {detail}", file=sys.stderr, flush=True)

    def __exit__(self, kind, error, trace):
        if kind is None:
            now = os.times()
            processors = sum(now[2:4]) - sum(self.before[2:4])
            took = f"{time.monotonic() - self.start:.1f} s, processors {processors:.1f} s"
            print(f"{self.what}{': ' * bool(self.outcome)}{self.outcome} ({took})", file=sys.stderr, flush=True)


@dataclasses.dataclass
class Totals:
    """How many tests passed, failed, and were skipped for a declared reason. Its text is a script's closing line."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other):
        return Totals(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"

    def count(self, passed):
        self.passed += bool(passed)
        self.failed += not passed

    @property
    def code(self):
        """The exit code: no test at all is a failure too."""
        return 0 if self.failed == 0 and self.passed + self.skipped > 0 else 1


def unit_tests(folder):
    """Runs the tests of scripts: the files test_*.py in a folder."""
    found = unittest.TestLoader().discover(str(folder))
    result = unittest.TextTestRunner(stream=sys.stderr).run(found)
    failed = len(result.failures) + len(result.errors)
    return Totals(result.testsRun - failed - len(result.skipped), failed, len(result.skipped))


def table(header, rows):
    """A Markdown table, in columns for people too."""
    rows = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[place]) for row in rows) for place in range(len(header))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def write_part(page, name, text):
    """Replaces a part of a page of docs/reports, between its two comments. What people wrote around it stays."""
    file = ROOT / "docs" / "reports" / page
    between = re.compile(f"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
    old = file.read_text()
    new, count = between.subn(lambda found: f"{found[1]}\n{text.strip()}\n\n{found[2]}", old)
    if count != 1:
        raise CannotRun(f"{file} has no part {name!r}")
    if new != old:
        file.write_text(new)
    print(f"{file}: part {name!r} is written", file=sys.stderr)
