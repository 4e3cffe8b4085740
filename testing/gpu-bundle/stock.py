#!/usr/bin/env python3
"""Stock releases of DPC++ without Python: libsycl, dpctl's C API, and a C program that uses it.

    python3 testing/gpu-bundle/stock.py FOLDER     put them into a folder
    python3 testing/gpu-bundle/stock.py --test     run each on our CUDA plugin and the software driver: it loads the plugin, copies, waits

Exit code 0: all releases work. 1: a release failed. 2: it could not run.
"""

import argparse
import os
import pathlib
import shutil
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import xtask

# The oldest release, the last of PI 12, and the newest.
RELEASES = ["2022.2.1", "2023.2.4", "2024.2.2"]
# Intel's libraries that libsycl and dpctl are linked with. The newest serve all releases.
COMMON = ["libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so"]
INTERFACE = "libDPCTLSyclInterface.so.0"
SOURCE = xtask.ROOT / "testing/cuda/libsycl/copies.c"


def add(folder):
    """Makes a folder for each release, and the folder `common`."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "common").mkdir(parents=True)
    # dpctl of 2022 is linked with it.
    shutil.copy(pathlib.Path(xtask.driver("intel-2023").variables["OCL_ICD_FILENAMES"]).parent / "libOpenCL.so.1", folder / "common")
    for release in RELEASES:
        environment = xtask.environment(release)
        own, dpctl = folder / release, environment.site_packages / "dpctl"
        own.mkdir()
        for name in COMMON:
            shutil.copy(environment.lib / name, folder / "common")
        shutil.copy(environment.lib / environment.release.soname, own)
        shutil.copy(dpctl / INTERFACE, own)
        # With the release's own headers.
        command = ["cc", "-O1", "-w", "-I", dpctl / "include", SOURCE, "-L", dpctl, f"-l:{INTERFACE}"]
        xtask.output([*command, "-Wl,--allow-shlib-undefined", "-o", own / "copies"])


def test():
    built = xtask.build("pi_cuda", "software-cuda")
    driver = xtask.TARGET / "software-cuda"
    folder = driver / "stock"
    add(folder)
    shutil.copy(built / "libsoftware_cuda.so", driver / "libcuda.so.fresh")
    (driver / "libcuda.so.fresh").rename(driver / "libcuda.so.1")
    totals = xtask.Totals()
    for release in RELEASES:
        shutil.copy(built / "libpi_cuda.so", folder / release)
        libraries = ":".join(map(str, [folder / release, folder / "common", driver]))
        done = xtask.run([folder / release / "copies"], limit=60, env={**os.environ, "LD_LIBRARY_PATH": libraries})
        passed = done.returncode == 0 and "libpi_cuda.so" in done.stdout
        print(f"stock {release} on the CUDA plugin: {'ok' if passed else f'FAILED: {xtask.how(done.returncode)}'}")
        if not passed:
            print(xtask.tail(done.stdout + done.stderr, 30))
        totals.count(passed)
    print(totals)
    return totals.code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("folder", nargs="?", type=pathlib.Path)
    what.add_argument("--test", action="store_true")
    arguments = parser.parse_args()
    return test() if arguments.test else add(arguments.folder)


if __name__ == "__main__":
    xtask.exit_with(main)
