#!/usr/bin/env python3
"""Ask each plugin and adapter for a log with a malformed PI_LOG, in a process of its own.

    python3 testing/robustness/logs.py

Each must say in one line, under its own name, what is wrong and what can be written.

Exit code 0: each does. 1: one does not. 2: it could not run.
"""

import argparse
import os
import pathlib
import re
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import xtask

BACKENDS = ["opencl", "level_zero", "cuda"]
# For each interface, a function that starts the log. It refuses what it is passed.
STARTS = {"pi": "piPluginInit(None)", "ur_adapter": "urGetGlobalProcAddrTable(0, None)"}
PROGRAM = "import ctypes, sys; ctypes.CDLL(sys.argv[1]).{}"
# What is written, and how the line goes on after the name of the variable.
MISTAKES = {
    "warning": '"warning" is neither a level nor a target; using error. ',
    "info,pi_cache=loud": '"loud" in "pi_cache=loud" is not a level; using info. ',
}
HELP = "A directive is LEVEL or TARGET=LEVEL, such as info,pi_cache=debug; LEVEL is off, error, warn, info, debug or trace"


def told(library, function, directives):
    """The lines about the variable that a process writes."""
    done = xtask.run([sys.executable, "-c", PROGRAM.format(function), library], limit=60, env={**os.environ, "PI_LOG": directives})
    if done.returncode != 0:
        raise xtask.CannotRun(f"{library} {xtask.how(done.returncode)}:\n{xtask.tail(done.stdout + done.stderr)}")
    return [line for line in done.stderr.splitlines() if re.search(r"\bPI_LOG\b", line)]


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    built = xtask.build(*(f"pi_{backend}" for backend in BACKENDS))
    totals = xtask.Totals()
    with xtask.Step("malformed PI_LOG") as step, tempfile.TemporaryDirectory() as scratch:
        for backend in BACKENDS:
            for interface, function in STARTS.items():
                library = pathlib.Path(scratch) / f"lib{interface}_{backend}.so"
                library.symlink_to(built / f"libpi_{backend}.so")
                for directives, mistake in MISTAKES.items():
                    expected = [f"[lib{interface}_{backend} ERROR] PI_LOG: {mistake}{HELP}"]
                    lines = told(library, function, directives)
                    totals.count(lines == expected)
                    if lines != expected:
                        print(f"PI_LOG={directives}: {expected} was expected, got {lines}")
        step.outcome = str(totals)
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
