#!/usr/bin/env python3
"""A newcomer: the README's blocks, typed line by line in an empty Debian, for a processor and for an NVIDIA GPU.

    python3 packaging/newcomer.py                                       all users, on Debian 12 and 13
    python3 packaging/newcomer.py --suite bookworm --user processor
    python3 packaging/newcomer.py --packages FOLDER --wheels FOLDER     with what is there already

Two more users build the images of packaging/containers by typing their steps. The README is read inside, so that a line which does not work there fails here. What a release page offers, the wheels of
packaging/dist.py, lies where a checkout has it. The index is a folder of wheels, downloaded once. The GPU is the software driver of
testing/drivers, which runs what its own libnvvm compiles; NVIDIA's packages are installed and found, but not run.

Exit code 0: all is well. 1: a line fails, or its result is wrong. 2: it could not run.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import debian
import dist
import xtask

# Python's version, and the packages of the root besides Debian's base. The software GPU's compiler needs LLVM 14, which Debian 13 lacks.
SUITES = {"bookworm": ("3.11", ["python3", "python3-venv", "ca-certificates", "libllvm14"]), "trixie": ("3.13", ["python3", "python3-venv", "ca-certificates"])}
USERS = {
    "processor": ["dpnp", "intel-opencl-rt"],
    "nvidia": ["dpnp", "intel-opencl-rt", "nvidia-cuda-nvcc-cu12", "nvidia-cublas-cu12", "nvidia-cufft-cu12", "nvidia-cusolver-cu12"],
}
# Containers are of Debian 12.
CONTAINERS = {"container": "Containerfile", "container-nvidia": "Containerfile.nvidia"}
USERS |= {"container": USERS["processor"], "container-nvidia": USERS["nvidia"]}
WORK = xtask.TARGET / "newcomer"
# The software GPU: our files, and the names under which programs look for NVIDIA's.
GPU = {
    "libsoftware_cuda.so": ["gpu/libcuda.so.1"],
    "libsoftware_nvvm.so": ["toolkit/nvvm/lib64/libnvvm.so"],
    "libsoftware_math.so": [f"math/{name}" for name in ("libcublas.so.12", "libcublasLt.so.12", "libcufft.so.11", "libcusolver.so.11", "libcusparse.so.12")],
}


def index(user, python):
    """The wheels that pip finds, downloaded once."""
    folder = WORK / f"wheels-{user}-{python}"
    if not folder.exists():
        with xtask.Step(f"downloading wheels for {user}, Python {python}, once"), tempfile.TemporaryDirectory(dir=WORK) as partial:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--python-version", python]
            cached = xtask.CACHE / "wheels"
            xtask.output([*pip, "--dest", f"{partial}/new", "--find-links", cached, *USERS[user]])
            pathlib.Path(f"{partial}/new").rename(folder)
    return folder


def put_gpu(root):
    """The software driver with its compiler and its libraries. libdevice is a file that only has to be there."""
    built = xtask.build("software-cuda", "software-nvvm", "software-math")
    for name, places in GPU.items():
        for place in places:
            target = root / "srv/software-gpu" / place
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(built / name, target)
    libdevice = root / "srv/software-gpu/toolkit/nvvm/libdevice/libdevice.10.bc"
    libdevice.parent.mkdir()
    libdevice.write_text("The software driver has these functions.\n")


def links(folder, to):
    """The same files under other names: wheels are large."""
    shutil.copytree(folder, to, copy_function=lambda source, target: pathlib.Path(target).hardlink_to(source))


def one(suite, user, packages, wheels):
    """A root of its own, which is removed afterwards."""
    python, installed = SUITES[suite]
    with tempfile.TemporaryDirectory(dir=WORK) as scratch, xtask.Step(f"{user} on Debian {suite}") as step:
        root = pathlib.Path(scratch) / "root"
        debian.copy(debian.root(suite, *installed, name=f"newcomer-{suite}"), root)
        links(wheels or index(user, python), root / "srv/wheels")
        links(packages, root / "srv/sycl-pi/target/dist")
        shutil.copy(xtask.ROOT / "README.md", root / "srv/sycl-pi")
        shutil.copy(xtask.ROOT / "packaging/inside/newcomer.py", root / "srv")
        if user == "nvidia":
            put_gpu(root)
        if user in CONTAINERS:
            shutil.copy(xtask.ROOT / "packaging/containers" / CONTAINERS[user], root / "srv/Containerfile")
        variables = {"HOME": "/root", "LANG": "C.UTF-8", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/srv/wheels"}
        command = debian.inside(root, "/usr/bin/python3", "/srv/newcomer.py", user)
        process = subprocess.Popen(command, env={**debian.PATH, **variables}, stdout=subprocess.PIPE, text=True)
        last = ""
        for line in process.stdout:
            print(line, end="", flush=True)
            last = line.strip()
        counts = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped", last)
        totals = xtask.Totals(*map(int, counts.groups())) if counts else xtask.Totals(failed=1)
        totals.failed = max(totals.failed, int(process.wait() != 0))
        step.outcome = str(totals)
        return totals


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", action="append", choices=SUITES, help="(repeatable)")
    parser.add_argument("--user", action="append", choices=USERS, help="(repeatable)")
    parser.add_argument("--packages", type=pathlib.Path, help="the default is that of packaging/dist.py, which is made anew")
    parser.add_argument("--wheels", type=pathlib.Path, help="the default is what pip downloads")
    arguments = parser.parse_args()
    if not debian.can_change_root():
        raise xtask.CannotRun("this user may not change the root folder: run it as root")
    if not arguments.packages:
        dist.make(["wheel", "math"])
    WORK.mkdir(parents=True, exist_ok=True)
    totals = xtask.Totals()
    for suite in arguments.suite or SUITES:
        for user in arguments.user or USERS:
            if user in CONTAINERS and suite != "bookworm":
                continue
            totals += one(suite, user, arguments.packages or dist.FOLDER, arguments.wheels)
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
