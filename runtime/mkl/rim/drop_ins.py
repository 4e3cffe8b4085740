#!/usr/bin/env python3
"""Build the drop-ins for oneMKL's libraries in target/math, as `pi install --spirv-on-nvidia` takes them from where PI_MATH says.

    python3 runtime/mkl/rim/drop_ins.py                    build them, and print the folder
    python3 runtime/mkl/rim/drop_ins.py --check [PART..]   and run testing/cuda/dpctl/math_check.py of dpnp on the software GPU, after
                                                           an install like a user's. Parts: blas, fft, lapack

A drop-in is C++ against libsycl's headers. One binary for each major version of libsycl serves all its releases, so it is built with
the headers of the oldest.

Exit code 0: built, and right where it was checked. 1: dpnp differs from NumPy. 2: it could not run.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "testing"))
import xtask

# The oldest release of each major version of libsycl, by the major version of oneMKL that goes with it.
OLDEST = {5: "2025.0.5", 6: "2026.0.0"}
# The release of the check.
DPNP = "2026.2.0-dpnp"
# The stand-in's names.
NVIDIAS = ["libcublas.so.12", "libcublasLt.so.12", "libcufft.so.11", "libcusolver.so.11"]
PARTS = ["blas", "fft", "lapack"]


def build(library, folder):
    """Builds the drop-ins that call `library` into a folder, and returns their files."""
    for major, release in OLDEST.items():
        environment = xtask.environment(release)
        with xtask.Step(f"drop-ins for oneMKL {major}, with the headers of {release}"):
            script = xtask.ROOT / "runtime/mkl/rim/build.sh"
            xtask.output([script, environment.root, str(major), library, folder])
    return [folder / f"libmkl_sycl_{part}.so.{major}" for major in OLDEST for part in ("blas", "dft", "lapack")]


def build_all():
    """Builds libpi_math.so and the drop-ins that call it. Returns their folder."""
    library = xtask.build("pi_math") / "libpi_math.so"
    folder = xtask.TARGET / "math"
    build(library, folder)
    shutil.copy(library, folder)
    return folder


def check(folder, parts):
    """dpnp of an environment of its own, where `pi install --spirv-on-nvidia` has put everything in place."""
    release = xtask.build("ur_adapter_cuda", "pi-nvvm", "pi", "software-cuda", "software-nvvm", "software-math")
    stock = xtask.environment(DPNP, plugin="ours", backend="cuda")
    place, libraries = xtask.TARGET / "math-environment", xtask.TARGET / "software-math"
    shutil.rmtree(place, ignore_errors=True)
    xtask.output(["cp", "--archive", "--reflink=auto", stock.root, place])
    adapter = release / "libur_adapter_cuda.so"
    install = [release / "pi", "install", "--spirv-on-nvidia", "--plugin", adapter, place]
    xtask.output(install, env={**os.environ, "PI_MATH": str(folder)})
    libraries.mkdir(exist_ok=True)
    for name in NVIDIAS:
        shutil.copy(release / "libsoftware_math.so", libraries / name)
    # The adapter is where the install has put it: nothing else names one.
    variables = {name: value for name, value in stock.variables.items() if not name.startswith("UR_ADAPTERS_")}
    variables = {name: value.replace(str(stock.root), str(place)) for name, value in variables.items()}
    variables["PI_NVIDIA_LIBRARIES"] = str(libraries)
    program = [place / "bin/python", xtask.ROOT / "testing/cuda/dpctl/math_check.py", "check", *parts]
    right = subprocess.run(program, env={**os.environ, **variables}).returncode == 0
    shutil.rmtree(place)
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", nargs="*", choices=PARTS, metavar="PART", help=f"of {', '.join(PARTS)}; all if none is named")
    arguments = parser.parse_args()
    folder = build_all()
    print(folder)
    return 0 if arguments.check is None or check(folder, arguments.check or PARTS) else 1


if __name__ == "__main__":
    xtask.exit_with(main)
