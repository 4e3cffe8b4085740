"""A pytest plugin that writes each event immediately as a line of JSON, so that a crash of the interpreter loses
nothing.

pytest writes its own JUnit file only at the end, so a crash loses it. SYCL_PI_EVENTS names the file to append to, and
SYCL_PI_DONE a file with the tests that must not run again.
"""

import json
import os

_PREFIXES = ("libpi_", "libur_", "libsycl.", "libsycl-", "libintelocl", "libOpenCL", "libpocl")
_SERVES = ("libpi_opencl", "libpi_cuda", "libur_adapter_opencl")
_OUTCOMES = {("skipped", True): "xfailed", ("passed", True): "xpassed", ("skipped", False): "skipped", ("passed", False): "passed"}
_events = open(os.environ["SYCL_PI_EVENTS"], "a", buffering=1, encoding="utf-8")
_process = os.getpid()
_seen = set()
_under_way = {}


def _say(**event):
    if os.getpid() == _process:
        _events.write(json.dumps(event) + "\n")


def _maps():
    """Report the libraries of interest that this process has mapped since the last report."""
    found = set()
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            fields = line.rstrip("\n").split(None, 5)
            if len(fields) == 6 and os.path.basename(fields[5]).startswith(_PREFIXES):
                found.add(fields[5])
    new = sorted(found - _seen)
    if new:
        _seen.update(new)
        _say(maps=new)


def _why(report):
    text = report.longrepr
    if isinstance(text, tuple):
        text = text[2]
    lines = [line for line in str(text).splitlines() if line.strip()]
    marked = [line[1:].strip() for line in lines if line.startswith("E ")]
    return (marked or lines[-1:] or [""])[0][:300]


def pytest_collection_modifyitems(config, items):
    with open(os.environ["SYCL_PI_DONE"], encoding="utf-8") as done:
        skip = {line.rstrip("\n") for line in done}
    if skip:
        gone = [item for item in items if item.nodeid in skip]
        items[:] = [item for item in items if item.nodeid not in skip]
        config.hook.pytest_deselected(items=gone)


def pytest_collectreport(report):
    if report.outcome != "passed":
        outcome = "skipped" if report.outcome == "skipped" else "error"
        _say(test=report.nodeid, outcome=outcome, seconds=0, why=_why(report))


def pytest_runtest_logstart(nodeid, location):
    _under_way.update(test=nodeid, outcome="passed", seconds=0, why="")
    _say(start=nodeid)


def pytest_runtest_logreport(report):
    """One of a test's three phases: the worst of them is the test's outcome."""
    failed = "failed" if report.when == "call" else "error"
    outcome = _OUTCOMES.get((report.outcome, hasattr(report, "wasxfail")), failed)
    _under_way["seconds"] += report.duration
    if outcome != "passed" and _under_way["outcome"] not in ("failed", "error"):
        _under_way.update(outcome=outcome, why="" if report.outcome == "passed" else _why(report))


def pytest_runtest_logfinish(nodeid, location):
    if not any(name in path for path in _seen for name in _SERVES):
        _maps()
    _say(**_under_way)


def pytest_sessionfinish(session, exitstatus):
    _maps()
    _say(end=int(exitstatus))
