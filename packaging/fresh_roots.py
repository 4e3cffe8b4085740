#!/usr/bin/env python3
"""A stranger's first hour in fresh root file systems of Debian 12, one for each OpenCL library that a system may have.

    python3 packaging/fresh_roots.py                                           each library and each release in turn
    python3 packaging/fresh_roots.py --library none --release 2024.2.2 --wheel FILE

In each: the wheel, `pi doctor`, every line that it prints typed, programs, on stock releases of DPC++. The libraries are ocl-icd,
which does not read OCL_ICD_FILENAMES; Khronos's, as Intel builds it; none.

Exit code 0: all is well. 1: something is not. 2: it could not run.
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
import wheel
import xtask

SUITE = "bookworm"
# Clients' kernels need Python's shared library.
PACKAGES = ["python3", "python3-venv", "libpython3.11", "ca-certificates"]
PYTHON = "3.11"
# Where the environment is inside.
ENVIRONMENT = "/srv/venv"
RELEASES = ["2024.2.2", "2025.3.3", "2026.2.0-dpnp"]
# What people name; pip finds the rest.
NAMED = ["dpctl", "dpnp", "dpcpp-cpp-rt", "intel-opencl-rt"]
LIBRARIES = ["ocl-icd", "khronos", "none"]
# Khronos's library with what it needs, from Intel's packages.
KHRONOS = ["libOpenCL.so.1", "libimf.so", "libsvml.so", "libirng.so", "libintlc.so.5"]
WORK = xtask.TARGET / "fresh-roots"


def stock_packages(release):
    """A release as people get it with pip."""
    pins = [pin for pin in xtask.releases()[release].wheels if pin.split("==")[0] in NAMED]
    # dpctl of 2024 does not say that it needs an older NumPy.
    return pins + (["numpy<2"] if release.startswith("2024") else [])


def wheels(release):
    """The wheels of a release, downloaded once."""
    folder = WORK / f"wheels-{release}"
    if not folder.exists():
        with xtask.Step(f"downloading the wheels of {release}, once"), tempfile.TemporaryDirectory(dir=WORK) as partial:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--python-version", PYTHON]
            cached = xtask.CACHE / "wheels"
            xtask.output([*pip, "--dest", f"{partial}/new", "--find-links", cached, *stock_packages(release)])
            pathlib.Path(f"{partial}/new").rename(folder)
    return folder


def with_environment(release, root):
    """Debian with a release's environment, and with the wheels from which what is typed inside installs."""
    debian.copy(debian.root(SUITE, *PACKAGES), root)
    shutil.copytree(wheels(release), root / "srv/wheels")
    with xtask.Step(f"installing {release} into Debian {SUITE}"):
        xtask.output(debian.inside(root, "/usr/bin/python3", "-m", "venv", ENVIRONMENT))
        pip = [f"{ENVIRONMENT}/bin/pip", "install", "--quiet", "--no-index", "--find-links", "/srv/wheels"]
        xtask.output(debian.inside(root, *pip, *stock_packages(release)))


def put_library(library, root):
    if library == "ocl-icd":
        if not list(WORK.glob("ocl-icd-libopencl1*.deb")):
            xtask.output(["apt-get", "download", "ocl-icd-libopencl1"], cwd=WORK)
        xtask.output(["dpkg-deb", "--extract", *WORK.glob("ocl-icd-libopencl1*.deb"), root])
    if library == "khronos":
        for name in KHRONOS:
            shutil.copy(f"{root}{ENVIRONMENT}/lib/{name}", root / "usr/lib/x86_64-linux-gnu")


def one(library, release, base, product):
    """A root of its own, which is removed afterwards."""
    with tempfile.TemporaryDirectory(dir=WORK) as scratch, xtask.Step(f"{release} with {library} as the system's OpenCL library") as step:
        root = pathlib.Path(scratch) / "root"
        debian.copy(base, root)
        put_library(library, root)
        for file in (product, xtask.ROOT / "packaging/inside/fresh_root.py"):
            shutil.copy(file, root / "srv")
        words = ["/usr/bin/python3", "/srv/fresh_root.py", f"/srv/{product.name}", ENVIRONMENT, *["dpnp"] * release.endswith("dpnp")]
        variables = {"HOME": "/root", "LANG": "C.UTF-8", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/srv/wheels"}
        done = subprocess.run(debian.inside(root, *words), env={**debian.PATH, **variables}, stdout=subprocess.PIPE, text=True)
        print(done.stdout)
        counts = re.fullmatch(r"(\d+) passed, (\d+) failed, 0 skipped", (done.stdout.splitlines() or [""])[-1])
        totals = xtask.Totals(*map(int, counts.groups())) if counts else xtask.Totals(failed=1)
        totals.failed = max(totals.failed, int(done.returncode != 0))
        step.outcome = str(totals)
        return totals


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", action="append", choices=LIBRARIES, help="the system's OpenCL library (repeatable)")
    parser.add_argument("--release", action="append", choices=RELEASES, help="(repeatable)")
    parser.add_argument("--wheel", type=pathlib.Path, help="the default is that of packaging/dist.py, which is made anew")
    arguments = parser.parse_args()
    if not debian.can_change_root():
        raise xtask.CannotRun("this user may not change the root folder: run it as root")
    if not arguments.wheel:
        dist.make(["wheel"])
    product = arguments.wheel or dist.FOLDER / wheel.file_name()
    WORK.mkdir(parents=True, exist_ok=True)
    totals = xtask.Totals()
    for release in arguments.release or RELEASES:
        with tempfile.TemporaryDirectory(dir=WORK) as scratch:
            base = pathlib.Path(scratch) / "root"
            with_environment(release, base)
            for library in arguments.library or LIBRARIES:
                totals += one(library, release, base, product)
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
