"""Plugins and adapters of sycl-pi for the SYCL runtime DPC++, and the commands pi and pi-conformance."""

import os
import sys

__version__ = "@VERSION@"

_HERE = os.path.dirname(os.path.abspath(__file__))


def library_folder():
    """The folder with the plugins, the adapters, libpi_runtime.so and pi."""
    return os.path.join(_HERE, "bin")


def include_folder():
    """The folder for a C compiler's -I: it has pi/pi.h and pi/pi_runtime.h."""
    return os.path.join(_HERE, "include")


def _become(name, arguments):
    """Its default environment is the one that this package is in."""
    if sys.prefix != sys.base_prefix:
        os.environ["SYCL_PI_ENVIRONMENT"] = sys.prefix
    program = os.path.join(library_folder(), name)
    os.execv(program, [program] + arguments)


def main():
    """Becomes pi, with the arguments of this process."""
    _become("pi", sys.argv[1:])


def conformance():
    """Becomes pi-conformance, with the arguments of this process."""
    _become("pi-conformance", sys.argv[1:])


def aspect_filter():
    """Becomes `pi image filter`, which the DPC++ design calls sycl-aspect-filter."""
    _become("pi", ["image", "filter"] + sys.argv[1:])
