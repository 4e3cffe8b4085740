#!/usr/bin/env python3
"""Run two stock runtimes in one process on our files: two that load the same plugin, and one with the plugin beside one with the adapter.

    python3 testing/robustness/two_runtimes.py --times 180

Both copy through device memory at once, from several threads, which can lock up Intel's CPU runtime behind the vendor's
plugin. A run that hangs is ended and counts as failed.

Exit code 0: every run did what it should. 1: not all of them. 2: it could not run.
"""

import argparse
import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import xtask

# Two releases in one process, and how many files of ours they map together.
PAIRS = [(("2023.2.4", "2024.2.2"), 1), (("2024.2.2", "2026.2.0"), 2)]
LIMIT = 1200
FOLDER = xtask.TARGET / "two-libsycl"


def with_our_plugin(vendor):
    """A folder with a release's libraries and our plugin instead of the vendor's. All folders link to the same plugin file."""
    folder = FOLDER / vendor.release.version
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in vendor.lib.iterdir():
        # libsycl looks for plugins in the folder of its own file, after following links. So it is copied.
        if file.name == vendor.release.soname:
            shutil.copy(file, folder)
        elif file.is_file() and not file.name.startswith(("libpi_", "libsycl.so")):
            (folder / file.name).symlink_to(file)
    (folder / "libpi_opencl.so").symlink_to(xtask.TARGET / "release/libpi_opencl.so")
    return folder


def run_pair(names, files, times, driver):
    vendors = [xtask.environment(name) for name in names]
    libraries = [vendor.release.soname for vendor in vendors]
    folders = [str(with_our_plugin(vendor)) for vendor in vendors]
    own = {"LD_LIBRARY_PATH": ":".join(folders), "UR_ADAPTERS_FORCE_LOAD": str(xtask.TARGET / "release/libur_adapter_opencl.so")}
    program, totals = FOLDER / "two_libsycl", xtask.Totals()
    with xtask.Step(f"stock {libraries[0]} and {libraries[1]} in one process") as step:
        xtask.output(["cc", HERE / "programs/two_libsycl.c", "-o", program, "-lpthread", "-ldl"])
        command = [program, *(vendor.site_packages / "dpctl" for vendor in vendors)]
        for _ in range(times):
            ended = xtask.run(command, LIMIT, env={**os.environ, **driver.variables, **own})
            both = all(library in ended.stdout for library in libraries)
            right = ended.returncode == 0 and both and ended.stdout.splitlines()[-1:] == [f"{files} plugin files"]
            totals.count(right)
            if not right:
                print(f"{' and '.join(names)}: {xtask.how(ended.returncode)}\n{xtask.tail(ended.stdout + ended.stderr, 80)}")
        step.outcome = str(totals)
    return totals


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=180, help="how often the program runs with each pair")
    arguments = parser.parse_args()
    xtask.build("pi_opencl")
    driver, totals = xtask.driver("intel-2023"), xtask.Totals()
    for names, files in PAIRS:
        totals += run_pair(names, files, arguments.times, driver)
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
