"""A Python environment into which the wheel is installed, and a check of what it leaves behind."""

import os
import pathlib
import shutil
import subprocess

import xtask

# What an active environment of the caller would say.
FOREIGN = ["VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME"]


def of_nobody():
    """The environment of a user who has no Python environment active. Python leaves no compiled files."""
    variables = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return {**variables, "PYTHONDONTWRITEBYTECODE": "1"}


def find_python(minor):
    """A Python 3.`minor` that can make environments, or None: PYTHON39 and the like, PATH, the folders of pyenv and uv."""
    name, home = f"python3.{minor}", pathlib.Path.home()
    managed = [home / ".pyenv/versions", home / ".local/share/uv/python"]
    found = [os.environ.get(f"PYTHON3{minor}"), shutil.which(name), *(file for root in managed for file in root.glob(f"*/bin/{name}"))]
    check = f"import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, {minor}))"
    fits = lambda python: subprocess.run([python, "-c", check], capture_output=True).returncode == 0
    return next((python for python in found if python and fits(python)), None)


class Target:
    """An environment with Python and pip."""

    def __init__(self, root, python=None):
        self.root = pathlib.Path(root)
        if python:
            xtask.output([python, "-m", "venv", self.root])

    def run(self, program, *words, **variables):
        """Runs a program of the environment, whose exit code is part of the test."""
        environment = {**of_nobody(), **variables}
        return xtask.run([self.root / "bin" / program, *words], limit=600, env=environment)

    def output(self, program, *words, **variables):
        return xtask.output([self.root / "bin" / program, *words], env={**of_nobody(), **variables}).strip()

    def install(self, wheel):
        self.output("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", wheel)

    def uninstall(self):
        self.output("python", "-m", "pip", "uninstall", "--quiet", "--disable-pip-version-check", "--yes", "sycl-pi")

    def listing(self):
        """Name, kind, mode and link of everything in it."""
        return sorted(xtask.output(["find", self.root, "-mindepth", "1", "-printf", "%P %y %m %l\\n"]).splitlines())

    def differences(self, other):
        """What differs between two environments in name, kind, mode, link or bytes. `find` and `diff` know nothing of ours."""
        names = set(self.listing()) ^ set(other.listing())
        diff = ["diff", "--recursive", "--no-dereference", "--brief", self.root, other.root]
        done = subprocess.run(diff, capture_output=True, text=True)
        if done.returncode > 1:
            raise xtask.CannotRun(f"diff failed: {done.stderr}")
        return sorted(names) + done.stdout.splitlines()


def said(done):
    return f"{xtask.how(done.returncode)}\n{done.stdout}{done.stderr}"
