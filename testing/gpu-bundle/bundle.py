#!/usr/bin/env python3
"""Collect everything that a machine with a GPU needs to test and time the CUDA plugin and adapter in one folder, and
pack it.

    python3 testing/gpu-bundle/bundle.py                   target/gpu-bundle and target/gpu-bundle.tar.xz
    python3 testing/gpu-bundle/bundle.py --dpctl --dpnp    with stock dpctl and dpnp

The machine needs only NVIDIA's driver and glibc: unpack the file there, and run ./run.sh. Device code is compiled here
with clang. Its sources are in the folder too.

Exit code 0: it is packed. 2: it could not be made.
"""

import argparse
import pathlib
import shutil
import sys

import stock

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import xtask

PACKAGES = ["pi_cuda", "testing-cuda", "pi-nvvm", "benches-cuda", "pi-conformance", "testing-builtins"]
FILES = """
    libpi_cuda.so libur_adapter_cuda.so testing-cuda pi-cuda-spirv pi-cuda-ulp pi-nvvm pi-cuda-cost pi-cuda-kernels pi-conformance builtins
""".split()
KERNELS = xtask.ROOT / "testing/kernels"
SOURCES = ["kernels.cl", "local.ptx", "cluster.ptx", "crowded.ptx", "speed.cl", "speed.spv"]
# Modules whose kernels are launched.
SPIRV = ["basic.spv", "calls.spv", "callee.spv", "subgroups.spv", "software-level-zero/spec.spv"]
# The most that the packed bundle may take without dpnp, in bytes.
LARGEST = 50_000_000
# What stock dpctl and dpnp are linked with. The release's adapters stay behind.
RUNTIME = """
    libsycl.so.[0-9] libur_loader.so.0 libumf.so.1 libhwloc.so.15 libsvml.so libimf.so libirng.so libintlc.so.5
""".split()
# Device libraries of releases before 2026, which has them inside libsycl.
FALLBACKS = ["libsycl-fallback-*.spv"]
MKL = """
    libOpenCL.so.1 libtbb.so.12 libmkl_core.so.3 libmkl_intel_ilp64.so.3 libmkl_tbb_thread.so.3 libmkl_sycl_blas.so.6
    libmkl_sycl_dft.so.6 libmkl_sycl_lapack.so.6 libmkl_sycl_rng.so.6 libmkl_sycl_vm.so.6
""".split()
PROGRAMS = xtask.ROOT / "testing/cuda/dpctl"


def add_programs(bundle):
    """The plugin, the adapter and their programs, without their debugging information."""
    # One build: their libraries are compiled with the same features.
    built = xtask.build(*PACKAGES)
    for name in FILES:
        shutil.copy(built / name, bundle)
        xtask.output(["strip", "--strip-debug", bundle / name])
    # It knows mathematical functions to 113 bits. It is static: the machine needs no libquadmath.
    source = xtask.ROOT / "testing/cuda/ulp/reference.c"
    xtask.output(["gcc", "-O2", "-static", "-o", bundle / "ulp-reference", source, "-lquadmath", "-lm"])


def add_device_code(images):
    """The tests' kernels as PTX, and SPIR-V modules: some whose kernels are launched, more that are only built."""
    more = images / "spirv/more"
    more.mkdir(parents=True)
    for name in SOURCES:
        shutil.copy(KERNELS / "cuda" / name, images)
    xtask.install("clang")
    clang = ["clang", "-target", "nvptx64-nvidia-cuda", "-x", "cl", "-cl-std=CL2.0", "-O2", "-S"]
    options = [word for one in ("-target-cpu", "sm_70", "-target-feature", "+ptx63") for word in ("-Xclang", one)]
    xtask.output([*clang, *options, KERNELS / "cuda/kernels.cl", "-o", images / "kernels.ptx"])
    for name in SPIRV:
        shutil.copy(KERNELS / name, images / "spirv")
    for file in (xtask.ROOT / "lib/image/tests/images").glob("*.spv"):
        shutil.copy(file, more)


def add_stock(release, libraries, packages, programs, folder):
    """Stock packages with their libsycl, as their wheels have them, without a Python. Kernels are in them as SPIR-V."""
    environment = xtask.environment(release)
    with xtask.Step(f"stock {' and '.join(packages)} of {release}"):
        (folder / "lib").mkdir(parents=True)
        for name in libraries:
            found = list(environment.lib.glob(name))
            if not found:
                raise xtask.CannotRun(f"{environment.lib} lacks {name}")
            for file in found:
                shutil.copy(file, folder / "lib")
        for package in packages:
            shutil.copytree(environment.site_packages / package, folder / "site" / package, symlinks=False)
        for program in programs:
            shutil.copy(program, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=xtask.TARGET / "gpu-bundle", help="where the folder goes")
    parser.add_argument("--no-stock", action="store_true", help="leave out the stock releases of DPC++, which have to be downloaded")
    more = "the machine needs Python 3.12, NumPy and pytest, speed also CuPy"
    parser.add_argument("--dpctl", action="store_true", help=f"add stock dpctl, for the parts dpctl and speed; {more}")
    parser.add_argument("--libnvvm", action="store_true", help="add NVIDIA's libnvvm, which a CUDA toolkit on the machine has: 20 MB more")
    parser.add_argument("--dpnp", action="store_true", help="add stock dpnp with oneMKL, for the part dpnp: 150 MB more")
    arguments = parser.parse_args()
    bundle = arguments.out.absolute()
    shutil.rmtree(bundle, ignore_errors=True)
    bundle.mkdir(parents=True)
    add_programs(bundle)
    add_device_code(bundle / "images")
    if not arguments.no_stock:
        stock.add(bundle / "stock")
    if arguments.dpctl:
        # The last release whose dpctl has arrays.
        programs = [PROGRAMS / "check.py", PROGRAMS / "speed.py"]
        add_stock("2025.3.3", RUNTIME + FALLBACKS, ["dpctl"], programs, bundle / "dpctl")
    if arguments.dpnp:
        programs = [PROGRAMS / "dpnp_check.py", xtask.ROOT / "demo/program.py"]
        add_stock("2026.2.0-dpnp", RUNTIME + MKL, ["dpctl", "dpnp"], programs, bundle / "dpnp")
    if arguments.libnvvm:
        found = pathlib.Path(xtask.ask("provision", "--libnvvm").strip())
        for part in ["nvvm/lib64", "nvvm/libdevice"]:
            shutil.copytree(found / part, bundle / "libnvvm" / part)
    shutil.copy(xtask.ROOT / "testing/gpu-bundle/run.sh", bundle)
    packed = bundle.with_name(f"{bundle.name}.tar.xz")
    with xtask.Step("packing"):
        xtask.output(["tar", "-cJf", packed, "-C", bundle.parent, bundle.name])
    size = packed.stat().st_size
    if size > LARGEST and not (arguments.dpnp or arguments.libnvvm):
        raise xtask.CannotRun(f"{packed} has {size} bytes; {LARGEST} are the limit")
    print(f"{packed} ({size // 1_000_000} MB): unpack it on a machine with a GPU and run ./run.sh in it", file=sys.stderr)
    return 0


if __name__ == "__main__":
    xtask.exit_with(main)
