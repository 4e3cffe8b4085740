#!/usr/bin/env python3
"""Run random kernels on Intel's CPU OpenCL runtime and through the translator for NVIDIA GPUs, and compare the results.

    python3 testing/random-kernels/random_kernels.py --count 2000            on the software GPU; kernels that differ are made smaller
    python3 testing/random-kernels/random_kernels.py --count 2000 --driver rusticl-26
                                                                              on another OpenCL driver, as `cargo xtask env --help` names them
    python3 testing/random-kernels/random_kernels.py --count 5000 --from 0 --results FILE
                                                                              only on the CPU: what it gives goes to FILE
    python3 testing/random-kernels/random_kernels.py --driver rusticl-26 --reference FILE
                                                                              compare with such a file instead of running the CPU again
    python3 testing/random-kernels/random_kernels.py --bundle FILE...         pack what a machine with a GPU needs to compare with such files
    python3 testing/random-kernels/random_kernels.py --bundle --intel         pack Intel's CPU runtime instead: the machine runs both sides

A seed and a number identify a kernel. The file has one line for each, with a checksum of the exact results and the
numbers that need not be exact. In the bundle, `./run.sh results-0.txt` compares a file on the GPU, and `SEED=9 FROM=0
COUNT=5000 ./run.sh` runs both sides. The machine needs NVIDIA's driver, glibc and libnvvm, which may be in a CUDA
toolkit, in the place that PI_NVVM names, or in the bundle (--libnvvm).

Another driver may refuse kernels for a reason, for instance because they require sub-groups that it does not have. A
kernel that differs is run once more without the constructs that the driver is known to compute wrongly, and counted
apart if it then agrees.

Exit code 0: all kernels that run on the CPU give the same results, or are refused. 1: some do not. 2: it could not run.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import xtask

HERE = pathlib.Path(__file__).resolve().parent
# The release of Intel's CPU runtime whose results count.
DRIVER = "intel-current"
FOLDER = xtask.TARGET / "random-kernels"
# What Intel's CPU runtime needs for SPIR-V on a processor with AVX2.
INTEL = """
    libintelocl.so libocl_svml_l9.so clbltfnl9.rtl clbltfnshared.rtl cllibrary.rtl cllibraryl9.o cl.cfg libOpenCL.so.1 libtbb.so.12
    libtbbmalloc.so.2 libimf.so libsvml.so libirng.so libintlc.so.5
""".split()
# Its compiler of OpenCL C has 200 MB and is linked but never called, so these functions are sufficient.
COMPILER = "int CheckCompileOptions(void) { return -1; }\nint Compile(void) { return -1; }\n"


# What drivers are known to compute wrongly, by a name and an expression that matches a line of SPIR-V with it. "Not
# mended" in docs/reports/faults-found.md has the reasons.
RUSTICL = {
    "fma": r"%cl fma ",
    "sines of doubles": r"%double %cl (sin|cos|tan)\w* ",
    "powers and the like of doubles": r"%double %cl (pow|powr|pown|rootn|a?sin|a?tan2?|a\w+pi|erfc?|expm1) ",
    "gamma functions": r"%cl [tl]gamma\w* ",
    "fract": r"%cl fract ",
    "denormal floats": r"(OpFRem %(v\d+)?float|%(v\d+)?float %cl (fmod|remainder|remquo|ldexp|rootn|exp|exp2|exp10)) ",
    "denormal constants": r"%(v\d+)?float %cl nextafter %c_\S+_0 ",
}
KNOWN = {
    "pocl-6": {"multiples of an index modulo the size of an array": r"\.i = OpUMod %ulong \S+\.s "},
    "rusticl-26": RUSTICL,
    "rusticl-25": RUSTICL | {"OpSMod": r"OpSMod ", "the sum with 0": r"OpFAdd \S+ \S+ %c_\S+_0$"},
}


def variables():
    """Those with which one program finds Intel's CPU runtime through our OpenCL plugin, and the software GPU through that for CUDA."""
    cpu = xtask.driver(DRIVER).variables
    gpu = xtask.environment("2023.2.4", "ours", "cuda", build=True).variables
    both = {name: value for name, value in gpu.items() if name.startswith("PI_")} | cpu
    # Intel's runtime wants its own TBB, of which the release has an older one.
    both["LD_LIBRARY_PATH"] = f"{cpu['LD_LIBRARY_PATH']}:{gpu['LD_LIBRARY_PATH']}"
    return os.environ | both


def started(driver, environment):
    """The words before a command that start it with this driver, although the process has the environment of another."""
    foreign = set(environment) - set(os.environ) - set(driver.variables)
    return ["env", *(f"--unset={name}" for name in foreign), *(f"{name}={value}" for name, value in driver.variables.items()), *driver.launcher]


def run(command, environment):
    """Shows what a program prints as it comes. Returns its code. PoCL leaves pictures of what it cannot compile in the current folder."""
    return subprocess.run([str(word) for word in command], env=environment, stdin=subprocess.DEVNULL, cwd=FOLDER).returncode


def compare(arguments):
    # It needs no optimization: the time is the compilers'.
    program = xtask.build("testing-random-kernels", profile="dev") / "random-kernels"
    plugins = xtask.build("pi_opencl")
    other = xtask.driver(arguments.driver) if arguments.driver else None
    # The software GPU's environment builds the plugin for CUDA.
    environment = os.environ | xtask.driver(DRIVER).variables if other or arguments.results else variables()
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = (arguments.reference or arguments.results or FOLDER / "results.txt").resolve()
    cpu, gpu = plugins / "libpi_opencl.so", plugins / "libpi_cuda.so"
    shared = ["--jobs", arguments.jobs, "--most", arguments.most]
    numbers = ["--seed", arguments.seed, "--from", arguments.first, "--count", arguments.count]
    if not arguments.reference:
        with xtask.Step(f"{arguments.count} random kernels on Intel's CPU runtime"):
            code = run([program, "write", "--plugin", cpu, "--jobs", arguments.jobs, *numbers, file], environment)
        if code != 0:
            raise xtask.CannotRun(f"random-kernels write: {xtask.how(code)}")
    if arguments.results:
        return 0
    if other:
        with xtask.Step(f"random kernels on {arguments.driver}"):
            launcher = [f"--launcher={word}" for word in started(other, environment)]
            known = [f"--known={name}={pattern}" for name, pattern in KNOWN.get(arguments.driver, {}).items()]
            check = [program, "check", "--plugin", cpu, *launcher, "--reference", cpu, *known, *shared, file]
            code = run(check, environment)
    else:
        with xtask.Step("random kernels on the software GPU"):
            code = run([program, "check", "--plugin", gpu, "--reference", cpu, *shared, file], environment)
    if code not in (0, 1):
        raise xtask.CannotRun(f"random-kernels check: {xtask.how(code)}")
    totals = xtask.Totals()
    totals.count(code == 0)
    print(totals)
    return totals.code


def add_intel(folder):
    lib = pathlib.Path(xtask.driver(DRIVER).variables["OCL_ICD_FILENAMES"]).parent
    folder.mkdir()
    for name in INTEL:
        shutil.copy(lib / name, folder)
    (name,) = {file.name for file in lib.glob("libcommon_clang.so.*")}
    source = folder / "compiler.c"
    source.write_text(COMPILER)
    xtask.output(["cc", "-shared", f"-Wl,-soname,{name}", "-o", folder / name, source])


def bundle(arguments):
    folder = xtask.TARGET / "random-kernels-bundle"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    built = xtask.build("testing-random-kernels", "pi_cuda", "pi-nvvm")
    for name in ["random-kernels", "libpi_cuda.so", "pi-nvvm"]:
        shutil.copy(built / name, folder)
        xtask.output(["strip", "--strip-debug", folder / name])
    shutil.copy(HERE / "run.sh", folder)
    for file in arguments.bundle:
        shutil.copy(file, folder)
    if arguments.intel:
        add_intel(folder / "intel")
        shutil.copy(xtask.build("pi_opencl") / "libpi_opencl.so", folder)
        xtask.output(["strip", "--strip-debug", folder / "libpi_opencl.so"])
    if arguments.libnvvm:
        found = pathlib.Path(xtask.ask("provision", "--libnvvm").strip())
        for part in ["nvvm/lib64", "nvvm/libdevice"]:
            shutil.copytree(found / part, folder / "libnvvm" / part)
    packed = folder.with_name(f"{folder.name}.tar.xz")
    with xtask.Step("packing"):
        xtask.output(["tar", "-cJf", packed, "-C", folder.parent, folder.name])
    print(f"{packed} ({packed.stat().st_size // 1_000_000} MB): unpack it on a machine with a GPU and run ./run.sh in it", file=sys.stderr)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="what chooses the kernels")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first kernel's number")
    parser.add_argument("--count", type=int, default=200, help="how many kernels")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many processes run kernels")
    parser.add_argument("--most", type=int, default=5, help="how many kernels that differ are made smaller")
    parser.add_argument("--reference", type=pathlib.Path, metavar="FILE", help="compare with what --results kept in this file")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--driver", metavar="NAME", help="compare another OpenCL driver with Intel's instead of the software GPU")
    what.add_argument("--results", type=pathlib.Path, metavar="FILE", help="only run them on the CPU, and keep what it gives")
    what.add_argument("--bundle", type=pathlib.Path, nargs="*", metavar="FILE", help="pack files of --results for a machine with a GPU")
    parser.add_argument("--intel", action="store_true", help="put Intel's CPU runtime into the bundle: 30 MB more")
    parser.add_argument("--libnvvm", action="store_true", help="put NVIDIA's libnvvm into the bundle: 20 MB more")
    arguments = parser.parse_args()
    return bundle(arguments) if arguments.bundle is not None else compare(arguments)


if __name__ == "__main__":
    xtask.exit_with(main)
