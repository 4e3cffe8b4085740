"""Runs basic calls of dpctl on one OpenCL driver, on the vendor's adapter and on ours.

A call that ends or holds up its process counts against itself only: the calls after it run in a new process.
"""

import json
import os
import pathlib
import tempfile

import suite
import xtask

PROGRAM = pathlib.Path(__file__).resolve().parent / "calls_program.py"
LIMIT = 60  # seconds for one call. Those that end take less than ten, most of which is a driver's compiler


def outcomes(environment):
    """What was wrong with each call by its name, None where it was right, and the device's name."""
    found, device = {}, None
    with tempfile.TemporaryDirectory() as scratch:
        printed = pathlib.Path(scratch, "printed")
        variables = {name: value for name, value in os.environ.items() if name not in suite.NOT_INHERITED} | environment.variables
        while True:
            with open(printed, "w") as output:
                command = [*environment.launcher, environment.python, PROGRAM, *found]
                ended = xtask.run(
                    command, LIMIT, progress=lambda: printed.stat().st_size, memory=suite.MEMORY, stdout=output, env=variables, cwd=scratch
                )
            lines = printed.read_text(errors="replace").splitlines()
            events = [json.loads(line.removeprefix("EVENT ")) for line in lines if line.startswith("EVENT ")]
            if not events:
                raise xtask.CannotRun(f"no device: {xtask.tail(ended.stderr, 1) or xtask.how(ended.returncode)}")
            device = events[0]["device"]
            suite.prove_loaded(environment, events[0]["loaded"])
            found |= {event["call"]: event["trouble"] for event in events if "call" in event}
            under_way = [event["start"] for event in events if "start" in event]
            if not under_way or under_way[-1] in found:
                return found, device
            found[under_way[-1]] = xtask.how(ended.returncode)


def run(environments):
    """The table of all calls on environments by the name of whose adapter they have, and whether ours is nowhere worse."""
    columns, devices = {}, set()
    for plugin, environment in environments.items():
        with xtask.Step(f"basic calls of {environment.release.client} ({environment.on}), {suite.whose(plugin, environment.release)}") as step:
            try:
                columns[plugin], device = outcomes(environment)
                devices.add(device)
            except xtask.CannotRun as error:
                columns[plugin] = {}
                step.note(str(error))
            step.outcome = f"{list(columns[plugin].values()).count(None)} of {len(columns[plugin])} right"
    names = list(dict.fromkeys(name for column in columns.values() for name in column))
    rows = [[name, *(cell(column, name) for column in columns.values())] for name in names]
    worse = [name for name in names if columns.get("ours", {}).get(name, "") and not columns.get("vendor", {}).get(name, "")]
    return "\n".join([f"Device: {', '.join(devices)}", "", *xtask.table(["call", *columns], rows).splitlines()]), not worse


def cell(column, name):
    return "-" if name not in column else "ok" if column[name] is None else column[name].replace("|", "/")[:150]
