#!/usr/bin/env python3
"""Test the built-in functions of OpenCL C on the software GPU, or on an OpenCL driver, against values that are computed exactly.

    python3 testing/builtins/builtins.py --sample           few values of each function: CI runs a third of the functions each day
    python3 testing/builtins/builtins.py                    all of them, for many minutes
    python3 testing/builtins/builtins.py --only remquo,ilogb
    python3 testing/builtins/builtins.py --json FILE        findings for a program
    python3 testing/builtins/builtins.py --driver rusticl-26
                                                            on an OpenCL driver, as `cargo xtask env --help` names them

The software GPU uses the host's mathematical functions instead of NVIDIA's. Only a real GPU shows the errors of
NVIDIA's own: see `testing/gpu-bundle`, part `builtins`. All options are those of the program `builtins`, whose --help
explains them.

Exit code 0: all results are right. 1: some are wrong. 2: it could not run.
"""

import argparse
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import xtask


def main():
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        return 0
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--driver")
    arguments, options = parser.parse_known_args()
    # What is computed exactly takes time: the program is optimized.
    program = xtask.build("testing-builtins") / "builtins"
    if arguments.driver:
        driver = xtask.driver(arguments.driver)
        launcher, variables, plugin = driver.launcher, driver.variables, xtask.build("pi_opencl") / "libpi_opencl.so"
    else:
        launcher, variables = [], xtask.environment("2023.2.4", "ours", "cuda", build=True).variables
        plugin = xtask.build("pi_cuda") / "libpi_cuda.so"
    command = [*launcher, program, "--plugin", plugin, *options]
    with xtask.Step(f"built-in functions on {arguments.driver or 'the software GPU'}"):
        code = subprocess.run(command, env=os.environ | variables, stdin=subprocess.DEVNULL).returncode
    if code not in (0, 1):
        raise xtask.CannotRun(f"{program.name}: {xtask.how(code)}")
    totals = xtask.Totals()
    totals.count(code == 0)
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
