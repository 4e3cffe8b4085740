#!/usr/bin/env python3
"""Build the drop-ins for oneMKL's libraries and for oneDNN in target/math. A `pi` that cargo built in this checkout
finds them there; for any other, PI_MATH names the folder.

A drop-in is C++ code that is compiled against libsycl's headers. One binary for each major version of libsycl works
with all its releases, so it is built with the headers of the oldest. testing/cuda/dpctl tests them in dpnp, and
testing/cuda/dnn tests the one for oneDNN.

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


# The libraries that the drop-ins need.
LIBRARIES = ("libpi_math.so", "libpi_dnn.so")


def libsycl(major):
    """The major version of libsycl that goes with one of oneMKL."""
    return {5: 8, 6: 9}[major]


def build(libraries, folder, majors=tuple(OLDEST)):
    """Builds the drop-ins that need the libraries of one folder into another, and returns their files."""
    made = []
    for major in majors:
        release = OLDEST[major]
        environment = xtask.environment(release)
        with xtask.Step(f"drop-ins for oneMKL {major} and oneDNN, with the headers of {release}"):
            script = xtask.ROOT / "math/mkl/rim/build.sh"
            xtask.output([script, environment.root, str(major), libraries / "libpi_math.so", folder])
            script = xtask.ROOT / "math/dnn/rim/build.sh"
            xtask.output([script, environment.root, str(libsycl(major)), libraries, folder])
        made += [folder / f"libmkl_sycl_{part}.so.{major}" for part in ("blas", "dft", "lapack", "sparse")]
        made.append(folder / f"libdnnl.so.3.sycl{libsycl(major)}")
    return made


def build_all(majors=tuple(OLDEST)):
    """Builds the libraries and the drop-ins that need them, for these major versions of oneMKL. Returns their folder."""
    libraries, folder = xtask.build("pi_math", "pi_dnn"), xtask.TARGET / "math"
    build(libraries, folder, majors)
    for name in LIBRARIES:
        shutil.copy(libraries / name, folder)
    return folder


def main():
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print(build_all())


if __name__ == "__main__":
    xtask.exit_with(main)
