#!/usr/bin/env python3
"""Run two stock runtimes in one process on our library: two that load plugins, and one that loads plugins with one that
loads adapters.

    python3 testing/robustness/two_runtimes.py --times 180

Both copy through device memory at once, from several threads, which can lock up Intel's CPU runtime behind the vendor's
plugin. A run that hangs is ended and counts as failed.

Exit code 0: every run succeeded. 1: some failed. 2: it could not run.
"""

import argparse
import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import xtask

OURS = xtask.TARGET / "release/libpi_opencl.so"
# Two releases in one process, whether the adapter is a copy of the library or a link to it, and how many files of ours the process
# maps. Through a link, both interfaces share one library.
PAIRS = [
    (("2023.2.4", "2024.2.2"), False, 1),
    (("2024.2.2", "2026.2.0"), False, 1),
    (("2026.2.0", "2024.2.2"), False, 1),
    (("2024.2.2", "2026.2.0"), True, 2),
    (("2026.2.0", "2024.2.2"), True, 2),
]
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
    (folder / "libpi_opencl.so").symlink_to(OURS)
    return folder


def our_adapter(is_copy):
    adapter = FOLDER / "libur_adapter_opencl.so.0"
    adapter.unlink(missing_ok=True)
    if is_copy:
        shutil.copy(OURS, adapter)
    else:
        adapter.symlink_to(OURS)
    return adapter


def run_pair(names, is_copy, files, times, driver):
    vendors = [xtask.environment(name) for name in names]
    libraries = [vendor.release.soname for vendor in vendors]
    folders = [str(with_our_plugin(vendor)) for vendor in vendors]
    own = {"LD_LIBRARY_PATH": ":".join(folders), "UR_ADAPTERS_FORCE_LOAD": str(our_adapter(is_copy))}
    program, totals = FOLDER / "two_libsycl", xtask.Totals()
    with xtask.Step(f"stock {libraries[0]} and {libraries[1]} in one process, {files} of our files") as step:
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
    for names, is_copy, files in PAIRS:
        totals += run_pair(names, is_copy, files, arguments.times, driver)
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
