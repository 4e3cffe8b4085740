#!/usr/bin/env python3
"""Run sklearn_check.py with stock scikit-learn-intelex-gpu on the software GPU.

sklearn_software.py [ARGUMENTS of sklearn_check.py]   by default: the estimators for sparse data, in both types

Estimators that sort, such as forests, take minutes there.
"""

import sys
from pathlib import Path

import arguments_check
import environments
import xtask

HERE = Path(__file__).resolve().parent
RELEASE = "2026.2.0"
PACKAGE = f"scikit-learn-intelex-gpu=={RELEASE}"
SPARSE = ("--rows", "300", "sparse", "chances")
PATIENCE = 600


def add(place):
    """Installs the package into an environment."""
    if not list(place.glob("lib/python3*/site-packages/sklearnex")):
        with xtask.Step(f"installing {PACKAGE}"):
            xtask.output([place / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE])


def main():
    drop_ins = environments.build((environments.major(RELEASE),))
    environment = environments.on_software_gpu(RELEASE, drop_ins, "sklearn-tests", add)
    wrong = 0
    for arguments in [sys.argv[1:]] if sys.argv[1:] else [(*SPARSE, "--type", kind) for kind in ("float64", "float32")]:
        done = xtask.run([environment.python, HERE / "sklearn_check.py", *arguments], PATIENCE, env=arguments_check.variables_of(environment))
        print(done.stdout or xtask.tail(done.stderr), end="", flush=True)
        wrong += done.returncode != 0
    return int(bool(wrong))


if __name__ == "__main__":
    xtask.exit_with(main)
