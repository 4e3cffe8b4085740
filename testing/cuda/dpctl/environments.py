"""Stock dpnp in two environments: unchanged on Intel's CPU runtime, and with our files installed on the software GPU.

environments.py RELEASE COMMAND...   runs a command in the environment on the software GPU, `python` being its Python
"""

import dataclasses
import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "testing"), str(ROOT / "math/mkl/rim")]
import drop_ins as mkl
import xtask
from xtask import TARGET

BUILT = TARGET / "release"
# Releases of DPC++ with a matching dpnp, one for each major version of libsycl.
RELEASES = ["2026.2.0", "2025.3.3"]
# Packages that the tests and the drop-ins need.
CRATES = ("pi", "pi-nvvm", "pi_dnn", "pi_math", "software-cuda", "software-math", "software-nvvm", "pi_cuda")
# NVIDIA's libraries, whose names the stand-in gets.
NVIDIAS = ["libcublas.so.12", "libcublasLt.so.12", "libcufft.so.11", "libcusolver.so.11", "libcusparse.so.12"]
# What would choose another device or adapter.
NOT_INHERITED = ("ONEAPI_DEVICE_SELECTOR", "PI_LOG", "UR_ADAPTERS_FORCE_LOAD", "UR_ADAPTERS_SEARCH_PATH", "SYCL_UR_TRACE")


def major(release):
    """The major version of oneMKL that goes with a release."""
    return {"2025": 5, "2026": 6}[release[:4]]


def build(majors=tuple(mkl.OLDEST)):
    """Builds everything, and answers the folder with the drop-ins for these major versions of oneMKL."""
    xtask.build(*CRATES)
    return mkl.build_all(majors)


def on_cpu(release):
    """The environment as its vendors ship it."""
    stock = xtask.environment(f"{release}-dpnp")
    return dataclasses.replace(stock, variables=with_inherited(stock.variables))


def on_software_gpu(release, drop_ins, kind="dpnp-tests", add=lambda place: None):
    """A copy of the environment with what `add` puts there, into which `pi` has installed our files as a user's."""
    stock = xtask.environment(f"{release}-dpnp", plugin="ours", backend="cuda")
    place, libraries = TARGET / kind / release, TARGET / "software-math"
    copy(stock.root, place)
    add(place)
    install = [BUILT / "pi", "install", "--spirv-on-nvidia", "--plugin", BUILT / "libur_adapter_cuda.so", place]
    xtask.output(install, env={**os.environ, "PI_MATH": str(drop_ins)})
    libraries.mkdir(exist_ok=True)
    for name in NVIDIAS:
        # A program that has the old file open keeps it.
        shutil.copy2(BUILT / "libsoftware_math.so", libraries / "new")
        (libraries / "new").rename(libraries / name)
    # The adapter is where the install has put it, and nothing else names one.
    own = {name: value for name, value in stock.variables.items() if not name.startswith("UR_ADAPTERS_")}
    own = {name: value.replace(str(stock.root), str(place)) for name, value in own.items()}
    own |= {"PI_NVIDIA_LIBRARIES": str(libraries), "PI_TEST_MATH": str(BUILT / "libpi_math.so")}
    return dataclasses.replace(
        stock,
        variables=with_inherited(own),
        root=place,
        lib=place / "lib",
        site_packages=place / stock.site_packages.relative_to(stock.root),
        python=place / "bin/python",
    )


def copy(stock, place):
    """Copies an environment, unless the copy there has the same content. Links take no space: `pi install` replaces files, and writes
    over none."""
    stamp = ".stamp"
    if (place / stamp).exists() and (place / stamp).read_bytes() == (stock / stamp).read_bytes():
        return
    shutil.rmtree(place, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    linked = xtask.run(["cp", "--archive", "--link", stock, place], 600)
    if linked.returncode != 0:
        # The cache may be on another file system.
        shutil.rmtree(place, ignore_errors=True)
        xtask.output(["cp", "--archive", "--reflink=auto", stock, place])


def with_inherited(own):
    """The variables of a program: the process's own, and these."""
    return {name: value for name, value in os.environ.items() if name not in NOT_INHERITED} | own


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in RELEASES:
        raise xtask.CannotRun(f"{__doc__}\nreleases: {', '.join(RELEASES)}")
    environment = on_software_gpu(sys.argv[1], build())
    words = [str(environment.python) if word == "python" else word for word in sys.argv[2:]]
    os.execvpe(words[0], words, environment.variables)


if __name__ == "__main__":
    xtask.exit_with(main)
