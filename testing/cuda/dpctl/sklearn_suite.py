"""Run scikit-learn-intelex's own tests on a GPU and on the host, test by test: each test with a GPU's queue has a twin
without one.

Run it with the Python of an environment that has scikit-learn-intelex-gpu, pytest, pytest-mock, pandas, polars and our
files:

    PI_CUDA_AS=level_zero python sklearn_suite.py --jobs 8      each file of tests in a process of its own, eight at a time
    python sklearn_suite.py --read sklearn.json             only compares what an earlier run wrote

A test that ends its process counts as failed, and a new process continues with the next one. Results are written after
each file, so an interrupted run shows the results so far.

Exit code 0: no test fails on the GPU whose twin passes on the host. 1: some do.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import sys
import sysconfig
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parents[1]), str(HERE.parents[1] / "clients")]
import results
import suite
import xtask

# Tests that want MPI.
LEFT_OUT = "spmd"
QUEUE = "SyclQueue_GPU"
# scikit-learn takes other arrays than NumPy's only so. Files of one name in different folders want the import mode. oneDAL has code for
# Intel's CPU device only, and fails on another one such as PoCL's.
WANTED = {"SCIPY_ARRAY_API": "1", "PYTEST_ADDOPTS": "--import-mode=importlib -W ignore", "ONEAPI_DEVICE_SELECTOR": "*:gpu"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many files run at a time (default: %(default)s)")
    parser.add_argument("--results", type=Path, default=Path("sklearn.json"), help="the file for the results (default: %(default)s)")
    parser.add_argument("--read", type=Path, metavar="FILE", help="compare the results of this file, and run nothing")
    parser.add_argument("--only", help="run files whose path contains this, such as svm")
    parser.add_argument("packages", nargs="*", default=["onedal", "sklearnex"], help="packages with tests (default: %(default)s)")
    return parser.parse_args()


def run(asked):
    """Runs the tests, and answers each one's outcome and what it said."""
    site_packages = Path(sysconfig.get_paths()["purelib"])
    environment = xtask.Environment(variables=WANTED, python=sys.executable, site_packages=site_packages)
    files = [file for package in asked.packages for file in suite.test_files(site_packages, package, asked.only)]
    files = [file for file in files if LEFT_OUT not in Path(file).parts]
    tests = {}
    with tempfile.TemporaryDirectory() as logs, xtask.Step(f"{len(files)} files of {', '.join(asked.packages)}") as step:
        with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
            started = [pool.submit(suite.run_group, environment, [file], Path(logs, f"{at}.log")) for at, file in enumerate(files)]
            for count, group in enumerate(concurrent.futures.as_completed(started), 1):
                tests |= group.result().tests
                results.write(asked.results, tests)
                step.note(f"{count} of {len(files)} files, {len(tests)} tests")
    return tests


def twin(name, tests):
    """The same test without a queue, on NumPy's arrays if not on the own kind."""
    plain = name.replace(QUEUE, "None")
    known = [plain, re.sub(r"\b(dpnp|dpctl|array_api)\b", "numpy", plain)]
    return next((other for other in known if other in tests), None)


def state(test):
    """Whether a test passed, failed or was skipped. One that crashed or hung has failed."""
    outcome = test["outcome"]
    return "passed" if outcome in results.GOOD else "skipped" if outcome in results.SKIPS else "failed"


def compare(tests):
    """Prints the comparison, and answers how many tests are worse on the GPU."""
    states = {name: state(test) for name, test in tests.items()}
    on_gpu = [name for name in tests if QUEUE in name]
    twins = {name: twin(name, tests) for name in on_gpu}
    host_passes = [name for name, other in twins.items() if other and states[other] == "passed"]
    worse = [name for name in host_passes if states[name] == "failed"]
    for title, has_queue in (("with the GPU's queue", True), ("without", False)):
        counts = collections.Counter(states[name] for name in tests if (QUEUE in name) == has_queue)
        print(f"{title}: {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    good = sum(states[name] == "passed" for name in host_passes)
    print(f"of {len(host_passes)} tests whose twin passes on the host {good} pass on the GPU, {len(worse)} fail, the rest skip themselves")
    reasons = collections.Counter(tests[name]["why"][:160] for name in on_gpu if states[name] == "failed")
    for reason, count in reasons.most_common():
        print(f"{count:6} x {reason}")
    for name in worse:
        print(f"WORSE: {name}")
    return len(worse)


def main():
    asked = arguments()
    tests = json.loads(asked.read.read_text()) if asked.read else run(asked)
    return 1 if compare(tests) else 0


if __name__ == "__main__":
    xtask.exit_with(main)
