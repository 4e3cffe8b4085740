"""A pytest plugin that runs every n-th test (DPNP_EVERY) or, unless the JSON file DPNP_ONLY contains null, only the tests
listed in that file. It writes each result to DPNP_RESULTS as soon as the test ends."""

import json
import os
import pathlib
import zlib

EVERY = int(os.environ["DPNP_EVERY"])
ONLY = json.loads(pathlib.Path(os.environ["DPNP_ONLY"]).read_text(encoding="utf-8"))
RESULTS = open(os.environ["DPNP_RESULTS"], "a", encoding="utf-8")
WORST = {}


def short(nodeid):
    """The name of a test without the path of the environment."""
    return nodeid.split("dpnp/tests/")[-1]


def pytest_collection_modifyitems(config, items):
    kept = [item for item in items if is_chosen(short(item.nodeid))]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


def is_chosen(name):
    # A test's name chooses it, so that both devices run the same ones.
    return zlib.crc32(name.encode()) % EVERY == 0 if ONLY is None else name in ONLY


def pytest_runtest_logstart(nodeid, location):
    WORST[nodeid] = ("passed", "")


def pytest_runtest_logreport(report):
    if report.failed:
        WORST[report.nodeid] = ("failed", report.longreprtext[-2000:])
    elif report.skipped and WORST[report.nodeid][0] == "passed":
        WORST[report.nodeid] = ("skipped", "")


def pytest_runtest_logfinish(nodeid, location):
    outcome, text = WORST[nodeid]
    RESULTS.write(json.dumps([short(nodeid), outcome, text]) + "\n")
    RESULTS.flush()
