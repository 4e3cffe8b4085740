"""A pytest plugin that runs every n-th test (DPNP_EVERY), and writes each result to DPNP_RESULTS as soon as the test ends."""

import json
import os
import zlib

EVERY = int(os.environ["DPNP_EVERY"])
RESULTS = open(os.environ["DPNP_RESULTS"], "a", encoding="utf-8")
WORST = {}


def short(nodeid):
    """The name of a test without the path of the environment."""
    return nodeid.split("dpnp/tests/")[-1]


def pytest_collection_modifyitems(config, items):
    # A test's name chooses it, so that both devices run the same ones.
    kept = [item for item in items if zlib.crc32(short(item.nodeid).encode()) % EVERY == 0]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


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
