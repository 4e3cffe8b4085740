#!/usr/bin/env python3
"""Build the drop-ins for oneMKL's libraries in target/math. `pi install --spirv-on-nvidia` takes them from there if PI_MATH names it.

A drop-in is C++ against libsycl's headers. One binary for each major version of libsycl works with all its releases, so it is built with
the headers of the oldest. testing/cuda/dpctl tests them in dpnp.

Exit code 0: they are built, and the last line is their folder. 2: it could not run.
"""

import argparse
import pathlib
import shutil
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "testing"))
import xtask

# The oldest release of each major version of libsycl, by the major version of oneMKL that goes with it.
OLDEST = {5: "2025.0.5", 6: "2026.0.0"}


def build(library, folder, majors=tuple(OLDEST)):
    """Builds the drop-ins that call `library` into a folder, and returns their files."""
    for major in majors:
        release = OLDEST[major]
        environment = xtask.environment(release)
        with xtask.Step(f"drop-ins for oneMKL {major}, with the headers of {release}"):
            script = xtask.ROOT / "math/mkl/rim/build.sh"
            xtask.output([script, environment.root, str(major), library, folder])
    return [folder / f"libmkl_sycl_{part}.so.{major}" for major in majors for part in ("blas", "dft", "lapack")]


def build_all(majors=tuple(OLDEST)):
    """Builds libpi_math.so and the drop-ins that call it, for these major versions of oneMKL. Returns their folder."""
    library = xtask.build("pi_math") / "libpi_math.so"
    folder = xtask.TARGET / "math"
    build(library, folder, majors)
    shutil.copy(library, folder)
    return folder


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print(build_all())


if __name__ == "__main__":
    xtask.exit_with(main)
