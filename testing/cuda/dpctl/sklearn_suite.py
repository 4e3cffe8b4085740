"""scikit-learn-intelex's own tests on a GPU beside the host, test by test: each test with a GPU's queue has a twin without one.

Run it with the Python of an environment that has scikit-learn-intelex-gpu, pytest, pandas, polars and our files:

    PI_CUDA_AS=opencl python sklearn_suite.py --workers 8        needs pytest-xdist for more than one worker
    python sklearn_suite.py --read results.xml                    only compares what an earlier run wrote

Exit code 0: no test fails on the GPU whose twin passes on the host. 1: some do.
"""

import argparse
import collections
import importlib.util
import os
import re
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

# Tests that want MPI.
LEFT_OUT = "spmd"
QUEUE = "SyclQueue_GPU"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=1, help="processes that run tests (default: %(default)s)")
    parser.add_argument("--results", type=Path, default=Path("sklearn.xml"), help="the file for pytest's results (default: %(default)s)")
    parser.add_argument("--read", type=Path, metavar="FILE", help="compare the results of this file, and run nothing")
    parser.add_argument("packages", nargs="*", default=["onedal", "sklearnex"], help="packages with tests, such as sklearnex.svm (default: %(default)s)")
    return parser.parse_args()


def run(asked):
    """Runs the tests, and answers pytest's code."""
    folders = [Path(importlib.util.find_spec(name).origin).parent for name in asked.packages]
    files = [file for folder in folders for file in sorted(folder.rglob("test_*.py")) if LEFT_OUT not in file.parts]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line", "--import-mode=importlib", f"--junitxml={asked.results.absolute()}"]
    more = ["-n", str(asked.workers)] if asked.workers > 1 else []
    # scikit-learn takes other arrays than NumPy's only so. Workers of pytest-xdist have to find the tests in the same order.
    wanted = {"SCIPY_ARRAY_API": "1", "PYTHONHASHSEED": "0"}
    return subprocess.run([*command, *more, *map(str, files)], cwd=folders[0].parents[0], env={**os.environ, **wanted}).returncode


def outcomes(file):
    """For each test its outcome and the first line of what it said."""
    found = {}
    for case in xml.etree.ElementTree.parse(file).getroot().iter("testcase"):
        outcome, text = "passed", ""
        for part in case:
            if part.tag in ("failure", "error", "skipped"):
                outcome, text = ("failed" if part.tag != "skipped" else "skipped"), part.get("message", "").split("\n")[0]
        found[f"{case.get('classname')}::{case.get('name')}"] = outcome, text
    return found


def twin(name, tests):
    """The same test without a queue, on NumPy's arrays if not on the own kind."""
    plain = name.replace(QUEUE, "None")
    known = [plain, re.sub(r"\b(dpnp|dpctl|array_api)\b", "numpy", plain)]
    return next((other for other in known if other in tests), None)


def compare(tests):
    """Prints the comparison, and answers how many tests are worse on the GPU."""
    on_gpu = {name: outcome for name, (outcome, _) in tests.items() if QUEUE in name}
    twins = {name: twin(name, tests) for name in on_gpu}
    host_passes = [name for name, other in twins.items() if other and tests[other][0] == "passed"]
    worse = [name for name in host_passes if on_gpu[name] == "failed"]
    counts = collections.Counter(on_gpu.values())
    host = collections.Counter(outcome for name, (outcome, _) in tests.items() if QUEUE not in name)
    for title, count in (("with the GPU's queue", counts), ("without", host)):
        print(f"{title}: {count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    good = sum(on_gpu[name] == "passed" for name in host_passes)
    print(f"of {len(host_passes)} tests whose twin passes on the host {good} pass on the GPU, {len(worse)} fail, the rest skip themselves")
    reasons = collections.Counter(tests[name][1][:160] for name in on_gpu if on_gpu[name] == "failed")
    for reason, count in reasons.most_common():
        print(f"{count:6} x {reason}")
    for name in worse:
        print(f"WORSE: {name}")
    return len(worse)


def main():
    asked = arguments()
    if not asked.read and run(asked) > 1:
        return 2
    return 1 if compare(outcomes(asked.read or asked.results)) else 0


if __name__ == "__main__":
    sys.exit(main())
