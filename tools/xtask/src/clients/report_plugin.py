"""pytest plugin: a JSON line per event, written at once, so that a crash of the interpreter loses nothing.

SYCL_PI_EVENTS names the file to append to, SYCL_PI_DONE a file with the tests that are not to be run again.
"""

import json
import os

_PREFIXES = ("libpi_", "libur_", "libsycl.", "libsycl-", "libintelocl", "libOpenCL", "libpocl")
_events = open(os.environ["SYCL_PI_EVENTS"], "a", buffering=1, encoding="utf-8")
_process = os.getpid()
_seen = set()


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
        _say(collect=report.nodeid, outcome=report.outcome, why=_why(report))


def pytest_runtest_logstart(nodeid, location):
    _say(start=nodeid)


def pytest_runtest_logreport(report):
    event = {"test": report.nodeid, "when": report.when, "outcome": report.outcome, "seconds": report.duration}
    if hasattr(report, "wasxfail"):
        event["xfail"] = True
    if report.outcome != "passed":
        event["why"] = _why(report)
    _say(**event)


def pytest_runtest_logfinish(nodeid, location):
    if not any(name in path for path in _seen for name in ("libpi_opencl", "libpi_cuda", "libur_adapter_opencl")):
        _maps()
    _say(finish=nodeid)


def pytest_sessionfinish(session, exitstatus):
    _maps()
    _say(end=int(exitstatus))
