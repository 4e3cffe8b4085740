#!/usr/bin/env python3
"""A newcomer: the README's blocks, typed line by line in an empty Debian, for a processor and for an NVIDIA GPU.

    python3 packaging/newcomer.py                                       all users, on Debian 12 and 13, with each release
    python3 packaging/newcomer.py --suite bookworm --user processor --release 2026.2.0-dpnp
    python3 packaging/newcomer.py --packages FOLDER                     with the packages that are there already

Two more users build the images of packaging/containers by typing their steps. The README is read inside, so that a line which does not
work there fails here. What a release page offers, the wheel of packaging/dist.py, lies where a checkout has it. The index is a folder
of wheels, downloaded once: what it has decides the release of DPC++.

The GPU is the software driver of testing/drivers, which runs what its own libnvvm compiles. NVIDIA's packages are installed and found.
Their libraries are loaded and asked for their versions, which needs no GPU.

Exit code 0: all is well. 1: a line fails, or its result is wrong. 2: it could not run.
"""

import argparse
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import debian
import dist
import fresh_roots
import xtask

# For each suite, Python's version and the packages besides Debian's base. The software GPU's compiler needs ld, and the kernels of dpctl
# until 0.21 are linked with Python's shared library.
PACKAGES = ["python3", "python3-venv", "ca-certificates", "binutils"]
SUITES = {"bookworm": ("3.11", [*PACKAGES, "libpython3.11", "libllvm14"]), "trixie": ("3.13", [*PACKAGES, "libpython3.13"])}
# The software GPU's compiler needs LLVM 14. A newer Debian lacks it, and gets it from this one.
WITH_LLVM = "bookworm"
LIBRARIES = "usr/lib/x86_64-linux-gnu"
LLVM = "libLLVM-14.so.1"
NVIDIA = ["nvidia-cuda-nvcc-cu12", "nvidia-cublas-cu12", "nvidia-cufft-cu12", "nvidia-cusolver-cu12", "nvidia-cusparse-cu12"]
RELEASES = ["2024.2.2", "2025.3.3-dpnp", "2026.2.0-dpnp"]
# Containers run Debian 12.
CONTAINERS = {"container": "Containerfile", "container-nvidia": "Containerfile.nvidia"}
USERS = ["processor", "nvidia", *CONTAINERS]
WORK = xtask.TARGET / "newcomer"
# The software GPU: our files, and the names under which programs look for NVIDIA's.
GPU = {
    "libsoftware_cuda.so": ["gpu/libcuda.so.1"],
    "libsoftware_nvvm.so": ["toolkit/nvvm/lib64/libnvvm.so"],
    "libsoftware_math.so": [f"math/{name}" for name in ("libcublas.so.12", "libcublasLt.so.12", "libcufft.so.11", "libcusolver.so.11", "libcusparse.so.12")],
}


def fits(suite, user, release):
    """Whether there is such a user: with wheels for this Python, and with dpnp where the lines use it."""
    if user in CONTAINERS:
        return suite == "bookworm" and release == RELEASES[-1]
    return release.endswith("-dpnp") or (user == "processor" and suite == "bookworm")


def index(release, python):
    """The wheels of a release that pip finds, downloaded once."""
    return downloaded(f"wheels-{release}-{python}", python, fresh_roots.stock_packages(release))


def nvidia_index():
    """NVIDIA's wheels are the same for all releases, and large."""
    return downloaded("wheels-nvidia", "3.11", NVIDIA)


def downloaded(name, python, packages):
    folder = WORK / name
    if not folder.exists():
        with xtask.Step(f"downloading {name}, once"), tempfile.TemporaryDirectory(dir=WORK) as partial:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--python-version", python]
            cached = xtask.CACHE / "wheels"
            xtask.output([*pip, "--dest", f"{partial}/new", "--find-links", cached, *packages])
            pathlib.Path(f"{partial}/new").rename(folder)
    return folder


def root_of(suite):
    return debian.root(suite, *SUITES[suite][1], name=f"newcomer-{suite}")


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
    if not (root / LIBRARIES / LLVM).exists():
        put_llvm(root)


def put_llvm(root):
    """LLVM 14 with what it needs and this system lacks."""
    origin = root_of(WITH_LLVM)
    script = f"ldd /{LIBRARIES}/{LLVM}"
    needed = re.findall(r"^\s*(\S+) => ", xtask.output(debian.inside(origin, "/bin/sh", "-c", script)), re.M)
    for name in [LLVM, *needed]:
        if not any((root / folder / name).exists() for folder in (LIBRARIES, "lib/x86_64-linux-gnu")):
            shutil.copy((origin / LIBRARIES / name).resolve(), root / "srv/software-gpu/gpu" / name)


def links(folder, to):
    """The same files under other names: wheels are large."""
    shutil.copytree(folder, to, copy_function=lambda source, target: pathlib.Path(target).hardlink_to(source), dirs_exist_ok=True)


def one(suite, user, release, packages):
    """A root of its own, which is removed afterwards."""
    with tempfile.TemporaryDirectory(dir=WORK) as scratch, xtask.Step(f"{user} with {release} on Debian {suite}") as step:
        root = pathlib.Path(scratch) / "root"
        debian.copy(root_of(suite), root)
        links(index(release, SUITES[suite][0]), root / "srv/wheels")
        if "nvidia" in user:
            links(nvidia_index(), root / "srv/wheels")
        links(packages, root / "srv/sycl-pi/target/dist")
        shutil.copy(xtask.ROOT / "README.md", root / "srv/sycl-pi")
        shutil.copy(xtask.ROOT / "packaging/inside/newcomer.py", root / "srv")
        if user == "nvidia":
            put_gpu(root)
        if user in CONTAINERS:
            shutil.copy(xtask.ROOT / "packaging/containers" / CONTAINERS[user], root / "srv/Containerfile")
        variables = {"HOME": "/root", "LANG": "C.UTF-8", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/srv/wheels"}
        command = debian.inside(root, "/usr/bin/python3", "/srv/newcomer.py", user, release)
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
    parser.add_argument("--release", action="append", choices=RELEASES, help="(repeatable)")
    parser.add_argument("--packages", type=pathlib.Path, help="the default is that of packaging/dist.py, which is made anew")
    arguments = parser.parse_args()
    if not debian.can_change_root():
        raise xtask.CannotRun("this user may not change the root folder: run it as root")
    if not arguments.packages:
        dist.make(["wheel"])
    WORK.mkdir(parents=True, exist_ok=True)
    chosen = [arguments.suite or SUITES, arguments.user or USERS, arguments.release or RELEASES]
    totals = xtask.Totals()
    for suite, user, release in itertools.product(*chosen):
        if fits(suite, user, release):
            totals += one(suite, user, release, arguments.packages or dist.FOLDER)
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
