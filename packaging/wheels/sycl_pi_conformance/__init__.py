"""The conformance harness of sycl-pi."""

import os
import sys

__version__ = "@VERSION@"


def main():
    """Becomes pi-conformance, with the arguments of this process."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "pi-conformance")
    os.execv(program, [program] + sys.argv[1:])
