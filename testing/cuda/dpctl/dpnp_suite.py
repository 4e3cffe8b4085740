"""dpnp on the software GPU: its own tests and its random numbers beside Intel's CPU runtime, and what fails.

A test is worse that passes on the CPU and does not on the GPU. The last line is the sum: tests that pass on both count as passed.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import environments

HERE = Path(__file__).resolve().parent
MATH = HERE.parent / "math"
FILES = ("test_fft.py", "test_linalg.py", "test_product.py")
# A test that needs longer counts as hung, and so does a suite whose tests do not go on.
PATIENCE = 300


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", default="2026.2.0", choices=environments.RELEASES, help="the release of DPC++ (default: %(default)s)")
    parser.add_argument("--every", type=int, default=40, metavar="N", help="run every N-th test; 1 runs all (default: %(default)s)")
    parser.add_argument("--no-build", action="store_true", help="take the files that target/ has")
    parser.add_argument("files", nargs="*", default=FILES, help="files of dpnp's tests (default: %(default)s)")
    return parser.parse_args()


class Suite:
    """One pytest process."""

    def __init__(self, place, variables, files, every, folder, name):
        self.results = folder / f"{name}.json"
        self.results.touch()
        self.log = open(folder / f"{name}.log", "w+", encoding="utf-8")
        packages = next((place / "lib").glob("python3.*")) / "site-packages"
        own = {"DPNP_EVERY": str(every), "DPNP_RESULTS": str(self.results), "PYTHONPATH": str(HERE), "OMP_NUM_THREADS": "1"}
        command = [place / "bin/python", "-m", "pytest", "--rootdir", place / "lib", "-p", "dpnp_report", "-p", "no:cacheprovider", "-q", "--tb=short", "-W", "ignore"]
        tests = [str(packages / "dpnp/tests" / file) for file in files]
        self.process = subprocess.Popen([*command, *tests], env={**variables, **own}, cwd=folder, stdout=self.log, stderr=self.log)
        self.name, self.how = name, ""

    def wait(self):
        """Waits for its end, as long as tests go on."""
        size, since = -1, time.monotonic()
        while self.process.poll() is None:
            time.sleep(0.2)
            if self.results.stat().st_size != size:
                size, since = self.results.stat().st_size, time.monotonic()
            if time.monotonic() - since > PATIENCE:
                self.process.kill()
                self.how = f"hung: no test ended for {PATIENCE} s"
        code = self.process.wait()
        if code not in (0, 1) and not self.how:
            self.how = f"ended with {code}"

    def read(self):
        rows = [json.loads(line) for line in self.results.read_text(encoding="utf-8").splitlines()]
        return {name: (outcome, text) for name, outcome, text in rows}

    def tail(self):
        self.log.seek(0)
        return "".join(self.log.readlines()[-25:])


def compare(cpu, gpu):
    """Prints what is worse, and counts: the same, worse, neither."""
    passed, worse, neither = 0, 0, 0
    for name, (outcome, _) in cpu.items():
        got, text = gpu.get(name, ("missing", "the suite ended before it"))
        if outcome != "passed":
            neither += 1
        elif got == "passed":
            passed += 1
        else:
            worse += 1
            print(f"WORSE: {name}: {got}\n{text}")
    return passed, worse, neither


def unit_tests(place, variables):
    """The tests of libpi_math.so, which need no SYCL."""
    command = [place / "bin/python", "-m", "unittest", "-q"]
    done = subprocess.run(command, cwd=MATH, env=variables, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout, done.stderr, sep="")
    return int(done.returncode != 0), int(done.stderr.split("Ran ")[-1].split()[0]) if "Ran " in done.stderr else 0


def program(place, variables, *words):
    """One of the programs of this folder, and the end of what it printed. Answers 1 if it failed."""
    done = subprocess.run([place / "bin/python", *words], env=variables, capture_output=True, text=True, timeout=PATIENCE)
    lines = (done.stdout + done.stderr).splitlines()
    print(f"{Path(words[0]).name}:", *(lines[-1:] if done.returncode == 0 else lines[-25:]), sep="\n    ")
    return int(done.returncode != 0)


def programs(stock, ours, cpu, gpu, folder):
    """The demo, what fails, and random numbers. Answers how many were wrong."""
    wrong = program(ours, gpu, HERE / "demo.py", "--size", "128")
    wrong += program(ours, gpu, HERE / "failures_check.py")
    wrong += program(stock, cpu, HERE / "random_check.py", "write", folder / "cpu")
    wrong += program(ours, gpu, HERE / "random_check.py", "write", folder / "gpu")
    return wrong + program(stock, cpu, HERE / "random_check.py", "compare", folder / "cpu", folder / "gpu")


def main():
    asked = arguments()
    drop_ins = environments.TARGET / "math" if asked.no_build else environments.build()
    stock = environments.stock(asked.release)
    ours = environments.on_software_gpu(asked.release, drop_ins)
    on_cpu, on_gpu = environments.cpu_variables(stock), environments.gpu_variables(ours)
    start = time.monotonic()
    wrong, units = unit_tests(ours, on_gpu)
    print(f"libpi_math.so on the software GPU: {units} tests, {'FAILED' if wrong else 'all passed'}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sides = [
            Suite(stock, on_cpu, asked.files, asked.every, folder, "cpu"),
            Suite(ours, on_gpu, asked.files, asked.every, folder, "gpu"),
        ]
        for side in sides:
            side.wait()
        cpu, gpu = (side.read() for side in sides)
        passed, worse, neither = compare(cpu, gpu)
        for side in sides:
            if side.how or not side.read():
                wrong += 1
                print(f"{side.name} {side.how}\n{side.tail()}")
        wrong += programs(stock, ours, on_cpu, on_gpu, folder)
    name, seconds = environments.RELEASES[asked.release][0], time.monotonic() - start
    print(f"{name} on {asked.release}: {len(cpu)} tests on the CPU, {len(gpu)} on the software GPU; all in {seconds:.0f} s")
    print(f"{passed + units} passed, {worse + wrong} failed, {neither} skipped")
    return 1 if worse or wrong else 0


if __name__ == "__main__":
    os.chdir(environments.ROOT)
    sys.exit(main())
