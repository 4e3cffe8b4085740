"""Runs a client's whole suite on one plugin or adapter, in groups of files in separate processes, so that a crash ends only one test."""

import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import shutil
import signal
import tempfile
import time

import results
import xtask

PLUGIN = pathlib.Path(__file__).resolve().parent / "plugin"
FILES_PER_GROUP = 5  # enough to spread the interpreter's start, few enough to keep all processors busy
PATIENCE = 300  # seconds in which a test must begin or end
PATIENCE_ALONE = 100  # the same where nothing runs beside it
MOST_CRASHES = 40  # the number after which the rest of a group is not run
# The bytes that a process may use, because rusticl compiles some kernels endlessly. Its queues only reserve 34 MB each, and dpctl
# keeps one for each test.
MEMORY = 8 << 30
# A process that may use a processor for this number of seconds.
LIMITED = ["/bin/sh", "-c", 'ulimit -S -t "$0"; exec "$@"']
# What would choose another device or adapter. With a log or a layer, other code runs than users have.
NOT_INHERITED = ("ONEAPI_DEVICE_SELECTOR", "SYCL_DEVICE_FILTER", "PI_LOG", "UR_ADAPTERS_FORCE_LOAD", "UR_ADAPTERS_SEARCH_PATH",
                 "UR_ENABLE_LAYERS", "UR_ENABLE_LOADER_INTERCEPT")  # fmt: skip


@dataclasses.dataclass
class Part:
    """What processes of pytest said."""

    tests: dict = dataclasses.field(default_factory=dict)
    loaded: set = dataclasses.field(default_factory=set)
    bad_ends: set = dataclasses.field(default_factory=set)
    interrupted: str = None  # the test that was under way when the events stopped
    ended: bool = False  # whether pytest came to its end

    def add(self, other):
        self.tests.update(other.tests)
        self.loaded |= other.loaded
        self.bad_ends |= other.bad_ends


def read(events):
    """Reads the events of one process. A crash may have cut off the last one."""
    part = Part()
    for line in events.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        part.loaded.update(event.get("maps", []))
        part.interrupted = event.get("start", part.interrupted)
        part.ended |= "end" in event
        if "test" in event:
            part.tests[event.pop("test")] = event
            part.interrupted = None
    return part


def pytest(environment, what, done, log, patience, limit=None):
    """Runs files or single tests, without those in `done`, with a `limit` in seconds of a processor.

    Returns what the process said and its exit code, None if it hung.
    """
    limited = [*LIMITED, str(limit)] if limit else []
    with tempfile.TemporaryDirectory() as scratch, open(log, "ab") as output:
        events, skip = pathlib.Path(scratch, "events"), pathlib.Path(scratch, "done")
        events.write_text("")
        skip.write_text("\n".join(done))
        inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        own = {"PYTHONPATH": PLUGIN, "SYCL_PI_EVENTS": events, "SYCL_PI_DONE": skip, "TMPDIR": scratch}
        words = ["-m", "pytest", "-p", "sycl_pi_report", "-o", f"cache_dir={scratch}/cache", "-q", "--tb=short"]
        words += ["-c", PLUGIN / "pytest.ini", "--rootdir", environment.site_packages, *what]
        ended = xtask.run(
            [*environment.launcher, *limited, environment.python, *words], patience, progress=lambda: events.stat().st_size, memory=MEMORY,
            stdout=output, stderr=output, env={**inherited, **environment.variables, **own}, cwd=environment.site_packages,
        )  # fmt: skip
        return read(events.read_text(errors="replace")), ended.returncode


def ended_badly(code):
    return {"outcome": "hung" if code is None else "crashed", "seconds": 0, "why": xtask.how(code)}


def run_group(environment, files, log, limit=None):
    """When the interpreter crashes, the test under way has crashed, and a new process goes on after it.

    With a limit, a file is left when its process has used this many seconds of a processor.
    """
    group = Part()
    for _ in range(MOST_CRASHES):
        part, code = pytest(environment, files, list(group.tests), log, PATIENCE, limit)
        group.add(part)
        if limit and code == -signal.SIGXCPU:
            why = f"at {part.interrupted}" if part.interrupted else "between tests"
            group.tests[files[0]] = {"outcome": "stopped", "seconds": limit, "why": why}
            return group
        if part.ended:
            # Codes up to 5 are pytest's own.
            if code not in range(6):
                group.bad_ends.add(files[0])
            return group
        if part.interrupted:
            group.tests[part.interrupted] = ended_badly(code)
        elif len(files) == 1:
            group.tests[files[0]] = ended_badly(code)
            return group
        else:
            # It ended while no test was under way: the files one by one.
            for file in files:
                group.add(run_group(environment, [file], log))
            return group
    group.tests[f"{files[0]} (given up after {MOST_CRASHES} crashes)"] = {"outcome": "hung", "seconds": 0, "why": "too many crashes"}
    return group


def run_file(environment, files, log, limit):
    """Runs one file for a limited time, unless an earlier run with the same adapter did."""
    (file,) = files
    kept = log.parent / "files" / f"{file.replace('/', '.')}.json"
    key = [results.sha256(environment.plugin), limit]
    if kept.exists():
        record = json.loads(kept.read_text())
        if record.pop("key") == key:
            return Part(record["tests"], set(record["loaded"]), set(record["bad_ends"]))
    part = run_group(environment, files, log, limit)
    results.write(kept, {"key": key, "tests": part.tests, "loaded": sorted(part.loaded), "bad_ends": sorted(part.bad_ends)})
    return part


def run(environment, plugin, jobs=2, only=None, every=1, limit=None):
    """Runs the suite, or every Nth of the files whose path contains `only`.

    With a limit, each file has so many seconds of a processor, and a run that was interrupted goes on where it was.
    """
    release, start = environment.release, time.monotonic()
    files = test_files(environment.site_packages, release.package, only)[::every]
    size, one = (1, functools.partial(run_file, limit=limit)) if limit else (FILES_PER_GROUP, run_group)
    groups = [files[first : first + size] for first in range(0, len(files), size)]
    logs = results.FOLDER / "logs" / results.name_of(release, plugin, environment.on)
    if not limit:
        shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True, exist_ok=True)
    whole = Part()
    with xtask.Step(f"{release.client} on {release.version} ({environment.on}), {whose(plugin, release)}") as step:
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            started = [pool.submit(one, environment, files, logs / f"group-{at:03}.log") for at, files in enumerate(groups)]
            for count, group in enumerate(concurrent.futures.as_completed(started), 1):
                whole.add(group.result())
                step.note(f"{count} of {len(groups)} groups of files, {len(whole.tests)} tests")
        kept = results.Run(
            release=release.name, plugin=plugin, backend=environment.on, plugin_sha256=results.sha256(environment.plugin),
            wheels=release.wheels, every=every, limit=limit, seconds=time.monotonic() - start, tests=dict(sorted(whole.tests.items())),
            loaded=sorted(whole.loaded), bad_ends=sorted(whole.bad_ends),
        )  # fmt: skip
        step.outcome = str(kept)
    prove_loaded(environment, whole.loaded)
    if environment.plugin.resolve() not in {pathlib.Path(path).resolve() for path in whole.loaded}:
        raise xtask.CannotRun(f"no test process loaded {environment.plugin}")
    return kept


def run_alone(environment, name, log):
    """Runs one test in a process of its own, and says how it ended."""
    part, code = pytest(environment, [name], [], log, PATIENCE_ALONE)
    prove_loaded(environment, part.loaded)
    return part.tests.get(name, ended_badly(code))["outcome"]


def whose(plugin, release):
    return {"ours": "our", "vendor": "the vendor's"}[plugin] + f" {release.loads}"


def test_files(site_packages, package, only=None):
    """The client's test files, relative to the packages' folder."""
    paths = (site_packages / package).rglob("*.py")
    files = [str(path.relative_to(site_packages)) for path in paths if path.name.startswith("test_") or path.name.endswith("_test.py")]
    files = sorted(file for file in files if not only or only in file)
    if not files:
        raise xtask.CannotRun(f"no test file in {site_packages / package} matches")
    return files


def prove_loaded(environment, loaded):
    """Holds a run to the one plugin or adapter that it was meant for."""
    meant = environment.plugin.resolve(strict=True)
    kind = environment.backend.replace("-", "_")
    # The vendor's other plugins of 2024 load adapters of their own.
    serving = environment.plugin.name.split(".so")[0]
    names = {serving, f"libpi_{kind}" if serving.startswith("libpi_") else f"libur_adapter_{kind}"}
    for path in map(pathlib.Path, loaded):
        if path.name.split(".so")[0] in names and path.resolve() != meant:
            raise xtask.CannotRun(f"a test process loaded {path} instead of {meant}")
