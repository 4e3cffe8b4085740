"""The persistent cache of the stock libsycl (SYCL_CACHE_PERSISTENT=1): a second start loads binaries instead of compiling."""

import json
import os
import pathlib
import re
import tempfile

import results
import suite
import xtask

PROGRAM = pathlib.Path(__file__).resolve().parent / "cache_program.py"
KEPT = results.FOLDER / "cache.json"


def start(environment, cache, **more):
    """One start of the program: what it says of itself, and all that it printed."""
    variables = {**os.environ, **environment.variables, "SYCL_CACHE_PERSISTENT": "1", "SYCL_CACHE_DIR": cache, **more}
    text = xtask.output([environment.python, PROGRAM], env=variables)
    printed = json.loads(re.search("^RESULT (.*)$", text, re.MULTILINE)[1])
    meant = environment.plugin.resolve(strict=True)
    if printed["plugins"] != [str(meant)]:
        raise xtask.CannotRun(f"the dpnp program loaded {printed['plugins']} instead of {meant}")
    return printed, text


def measure(plugin, environment):
    """Three starts with one cache folder, empty at first: seconds of the first use of the device, binaries that the first start stored, and
    what the third, with calls traced, made from binaries and still from SPIR-V."""
    release = environment.release
    with (
        tempfile.TemporaryDirectory() as cache,
        xtask.Step(f"persistent cache of {release.version}, {suite.whose(plugin, release)}") as step,
    ):
        first, _ = start(environment, cache)
        stored = sum(1 for _ in pathlib.Path(cache).rglob("*.bin"))
        second, _ = start(environment, cache)
        third, trace = start(environment, cache, SYCL_PI_TRACE="-1")
        if not first["total"] == second["total"] == third["total"]:
            raise xtask.CannotRun(f"the program's result changed from {first['total']} to {second['total']} with cached binaries")
        calls = {name: trace.count(f"\n---> {name}(") for name in ("piProgramCreateWithBinary", "piProgramCreate")}
        step.outcome = f"first start {first['seconds']:.3f} s, second {second['seconds']:.3f} s"
    numbers = {"first": first["seconds"], "second": second["seconds"], "stored": stored}
    made = {"from_binaries": calls["piProgramCreateWithBinary"], "from_spirv": calls["piProgramCreate"]}
    return {"release": release.version, "plugin": plugin, **numbers, **made}


def works(measured):
    """Whether the later start loaded what the first one stored, and compiled nothing."""
    return measured["stored"] > 0 and measured["from_binaries"] > 0 and measured["from_spirv"] == 0


def load():
    """The measurements kept last."""
    return json.loads(KEPT.read_text()) if KEPT.exists() else []


def text(measured):
    """The part of the report."""
    if not measured:
        return "## SYCL_CACHE_PERSISTENT=1\n\nNot measured yet: `python3 testing/clients/clients.py --release 2023.2.4 --cache`."
    header = ["release", "plugin", "first start, s", "second start, s", "binaries stored", "made from binaries", "compiled"]
    rows = [[f"{value:.3f}" if isinstance(value, float) else value for value in one.values()] for one in measured]
    return f"""## SYCL_CACHE_PERSISTENT=1

A small dpnp program, started three times with one cache folder that is empty at first; seconds until the first
result is there. The third start is traced: what it makes from binaries and what it still compiles.

{xtask.table(header, rows)}"""
