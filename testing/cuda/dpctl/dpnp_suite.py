"""Runs dpnp's own tests and its random numbers on the software GPU and on Intel's CPU runtime, and reports what fails.

A test is worse if it passes on the CPU but not on the GPU. Only tests that do not pass on the GPU run on the CPU. The
last line has the totals.
"""

import argparse
import dataclasses
import json
import tempfile
import time
from pathlib import Path

import arguments_check
import environments
import xtask

HERE = Path(__file__).resolve().parent
MATH = HERE.parent / "math"
FILES = ("test_fft.py", "test_linalg.py", "test_product.py")
# A test that needs longer counts as hung, and so does a suite whose tests do not go on.
PATIENCE = 300


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", default="2026.2.0", choices=environments.RELEASES, help="the release of DPC++ (default: %(default)s)")
    parser.add_argument("--every", type=int, default=40, metavar="N", help="run every N-th test; 1 runs all (default: %(default)s)")
    parser.add_argument("files", nargs="*", default=FILES, help="files of dpnp's tests (default: %(default)s)")
    return parser.parse_args()


@dataclasses.dataclass
class Outcomes:
    """What one pytest process said of its tests, and what was wrong with the process itself."""

    tests: dict  # the outcome and the text of each
    trouble: str


def suite(environment, files, every, log, names=None):
    """Runs every Nth test of dpnp's files in an environment, or only those named, as long as tests go on."""
    results = log.with_suffix(".json")
    results.touch()
    only = log.with_suffix(".names")
    only.write_text(json.dumps(names), encoding="utf-8")
    own = {"DPNP_EVERY": str(every), "DPNP_ONLY": str(only), "DPNP_RESULTS": str(results), "PYTHONPATH": str(HERE), "OMP_NUM_THREADS": "1"}
    if names is not None:
        files = [file for file in files if any(name.startswith(f"{file}::") for name in names)]
    command = [environment.python, "-m", "pytest", "--rootdir", environment.lib, "-p", "dpnp_report", "-p", "no:cacheprovider"]
    command += ["-q", "--tb=short", "-W", "ignore", *(environment.site_packages / "dpnp/tests" / file for file in files)]
    with open(log, "wb") as output:
        ended = xtask.run(
            command, PATIENCE, progress=lambda: results.stat().st_size, stdout=output, stderr=output,
            env={**environment.variables, **own}, cwd=log.parent,
        )  # fmt: skip
    rows = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    trouble = ""
    if ended.returncode not in (0, 1) or not rows:
        trouble = f"{log.stem}: {xtask.how(ended.returncode)}\n{xtask.tail(log.read_text(errors='replace'))}"
    return Outcomes({name: (outcome, text) for name, outcome, text in rows}, trouble)


def on_both(cpu, gpu, asked, folder):
    """The outcomes on the CPU and on the GPU. The CPU runs only what did not pass on the GPU, or everything if the suite did not end there."""
    on_gpu = suite(gpu, asked.files, asked.every, folder / "gpu.log")
    others = [name for name, (outcome, _) in on_gpu.tests.items() if outcome != "passed"]
    if not others and not on_gpu.trouble:
        return Outcomes({}, ""), on_gpu
    return suite(cpu, asked.files, asked.every, folder / "cpu.log", None if on_gpu.trouble else others), on_gpu


def compare(cpu, gpu):
    """Prints what is worse, and counts: passed on the GPU, worse there, neither."""
    passed, worse, neither = sum(outcome == "passed" for outcome, _ in gpu.values()), 0, 0
    for name, (outcome, _) in cpu.items():
        got, text = gpu.get(name, ("missing", "the suite ended before it"))
        if got == "passed":
            continue
        if outcome == "passed":
            worse += 1
            print(f"WORSE: {name}: {got}\n{text}")
        else:
            neither += 1
    return passed, worse, neither


def unit_tests(environment):
    """The tests of libpi_math.so, which need no SYCL."""
    command = [environment.python, "-m", "unittest", "-q"]
    done = xtask.run(command, PATIENCE, cwd=MATH, env=environment.variables)
    if done.returncode != 0:
        print(done.stdout, done.stderr, sep="")
    return int(done.returncode != 0), int(done.stderr.split("Ran ")[-1].split()[0]) if "Ran " in done.stderr else 0


def program(environment, *words):
    """One of the programs of this folder, and the end of what it printed. Answers 1 if it failed."""
    done = xtask.run([environment.python, *words], PATIENCE, env=environment.variables)
    lines = (done.stdout + done.stderr).splitlines()
    print(f"{Path(words[0]).name}:", *(lines[-1:] if done.returncode == 0 else lines[-25:]), sep="\n    ")
    return int(done.returncode != 0)


def calls_of(part, environment, folder):
    """Builds the calls of a part of oneMKL as a library, with an environment's headers and libraries."""
    library, include, lib = folder / f"{part}_calls.so", environment.root / "include", environment.lib
    major = environments.major(environment.release.version)
    command = ["g++", "-std=c++17", "-w", "-fPIC", "-shared", f"-DONEMKL_MAJOR={major}", "-I", HERE.parents[2] / "math/mkl/rim"]
    command += ["-I", include, "-I", include / "sycl", HERE / f"{part}_calls.cpp", "-o", library, "-Wl,--allow-shlib-undefined"]
    command += [lib / environment.release.soname, "-Wl,--no-as-needed", lib / f"libmkl_sycl_{part}.so.{major}"]
    xtask.output([*command, *arguments_check.layers(lib, major)])
    return library


def with_cpu(gpu, cpu):
    """The software GPU's environment, in which programs find Intel's CPU runtime too."""
    driver = {name: value for name, value in cpu.variables.items() if name.startswith(("OCL_", "CL_"))}
    return dataclasses.replace(gpu, variables={**gpu.variables, **driver, "ONEAPI_DEVICE_SELECTOR": "*:*"})


def programs(cpu, gpu, folder):
    """The demo, what dpnp does not call, what fails, and random numbers. Answers how many were wrong."""
    wrong = program(gpu, HERE / "demo.py", "--size", "128")
    wrong += program(gpu, HERE / "lapack_check.py", calls_of("lapack", gpu, folder))
    wrong += program(gpu, HERE / "failures_check.py")
    wrong += program(with_cpu(gpu, cpu), HERE / "sparse_check.py", calls_of("sparse", gpu, folder), "gpu", "cpu")
    # oneMKL's code for newer Intel processors computes logarithms to nine digits; this one is the same on every processor.
    same_everywhere = dataclasses.replace(cpu, variables={**cpu.variables, "MKL_CBWR": "COMPATIBLE"})
    wrong += program(same_everywhere, HERE / "random_check.py", "write", folder / "cpu")
    wrong += program(gpu, HERE / "random_check.py", "write", folder / "gpu")
    return wrong + program(cpu, HERE / "random_check.py", "compare", folder / "cpu", folder / "gpu")


def majors(release):
    """The major versions of oneMKL for which the drop-ins are built: the release's, and every fourth day all of them. They have to compile."""
    mine = environments.major(release)
    built = {"one": [mine], "all": list(environments.mkl.OLDEST)}
    return built[xtask.of_the_day("drop-ins for versions of oneMKL", ["one", "one", "one", "all"], "python3 math/mkl/rim/drop_ins.py")[-1]]


def main():
    asked = arguments()
    drop_ins = environments.build(majors(asked.release))
    cpu, gpu = environments.on_cpu(asked.release), environments.on_software_gpu(asked.release, drop_ins)
    start = time.monotonic()
    wrong, units = unit_tests(gpu)
    print(f"libpi_math.so on the software GPU: {units} tests, {'FAILED' if wrong else 'all passed'}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        on_cpu, on_gpu = on_both(cpu, gpu, asked, folder)
        passed, worse, neither = compare(on_cpu.tests, on_gpu.tests)
        for side in (on_cpu, on_gpu):
            if side.trouble:
                wrong += 1
                print(side.trouble)
        wrong += programs(cpu, gpu, folder)
    whole = "python3 testing/cuda/dpctl/arguments_check.py"
    parts = arguments_check.PARTS if asked.every == 1 else xtask.of_the_day("wrong arguments of oneMKL's parts", arguments_check.PARTS, whole)
    right, refused = arguments_check.check(gpu, parts)
    print(f"oneMKL's answers to wrong arguments: {right} calls the same, {refused} not")
    wrong += refused
    seconds = time.monotonic() - start
    print(f"{cpu.release.client} on {asked.release}: {len(on_gpu.tests)} tests on the software GPU, {len(on_cpu.tests)} of them on the CPU; all in {seconds:.0f} s")
    print(f"{passed + units + right} passed, {worse + wrong} failed, {neither} skipped")
    return 1 if worse or wrong else 0


if __name__ == "__main__":
    xtask.exit_with(main)
