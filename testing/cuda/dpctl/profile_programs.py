"""Show where the programs of array_programs.py spend their time, by a sampling profiler: py-spy, a package of PyPI.

    python3 profile_programs.py                  a table: a row for each program, the share of its main thread's time in each part
    python3 profile_programs.py --only small     the programs whose name has this text

A sample belongs to the innermost part on the main thread's stack, so the parts add up to the whole. Time under a function that waits for
the device counts as waiting, whoever calls it. Only samples below the program's own function count, and not those of its first run, which compiles. NumPy is part of "Python": dpnp calls
it, and programs make their input with it.

Exit code 0: the table is complete. 2: the profiler could not run.
"""

import argparse
import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import array_programs

PROGRAMS = Path(__file__).with_name("array_programs.py")
# From the device outwards: a frame's file decides.
PARTS = [
    ("driver", re.compile(r"libcuda|libnvidia|libcublas|libcufft|libcusolver|libcusparse")),
    ("ours", re.compile(r"libpi_|libur_adapter")),
    ("libsycl", re.compile(r"libsycl|libur_loader|libumf|libmkl_sycl")),
    ("Python", re.compile(r"numpy")),
    ("dpnp's C++", re.compile(r"(dpnp|dpctl|DPCTL)\S*\.so|_impl\S*\.so|\.(pyx|pxd)\b|cpython-3\S*\.so")),
    ("Python", re.compile(r"\.py\b|python")),
]
WAITS = re.compile(r"^(cuStreamSynchronize|cuEventSynchronize|cuCtxSynchronize|urEventWait|urQueueFinish)\b")
COLUMNS = ["Python", "dpnp's C++", "libsycl", "ours", "driver", "waiting"]


def part(stack):
    """The part to which a stack belongs, from its outermost frame to the innermost one."""
    if any(WAITS.match(frame) for frame in stack):
        return "waiting"
    for frame in reversed(stack):
        file = frame[frame.rfind("(") :]
        for name, files in PARTS:
            if files.search(file):
                return name
    return "Python"


def samples(program):
    """How many samples of the main thread each part has."""
    with tempfile.NamedTemporaryFile(suffix=".raw") as raw:
        command = ["py-spy", "record", "--native", "--idle", "--threads", "--rate", "250", "--format", "raw", "--output", raw.name, "--"]
        done = subprocess.run([*command, sys.executable, PROGRAMS, "--side", "dpnp", "--unchecked", "--only", program], capture_output=True, text=True)
        if done.returncode != 0:
            print(done.stdout + done.stderr, file=sys.stderr)
            raise SystemExit(2)
        count = collections.Counter()
        for line in Path(raw.name).read_text().splitlines():
            stack, number = line.rsplit(" ", 1)
            frames = stack.split(";")
            inside = [index for index, frame in enumerate(frames) if frame.startswith(f"{program} (")]
            is_first = any(frame.startswith("first_run (") for frame in frames)
            if inside and not is_first and any("MainThread" in frame for frame in frames):
                count[part(frames[inside[0] :])] += int(number)
        return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="programs whose name has this text")
    arguments = parser.parse_args()
    print("| program | samples | " + " | ".join(COLUMNS) + " |")
    print("| --- | ---: |" + " ---: |" * len(COLUMNS))
    for program in array_programs.chosen(arguments.only):
        count = samples(program)
        whole = count.total()
        shares = " | ".join(f"{100 * count[column] / max(whole, 1):.0f} %" for column in COLUMNS)
        print(f"| `{program}` | {whole} | {shares} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
