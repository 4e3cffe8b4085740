"""oneMKL's products, solvers and transforms for SYCL programs on NVIDIA GPUs. `pi install --spirv-on-nvidia` puts them in place."""

import os

__version__ = "@VERSION@"


def library_folder():
    """The folder with libpi_math.so and the drop-ins."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")
