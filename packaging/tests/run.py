#!/usr/bin/env python3
"""What users install: made, installed into fresh environments, used, removed again.

    python3 packaging/tests/run.py                make the packages and run every test
    python3 packaging/tests/run.py --no-build     with the packages that are there
    python3 packaging/tests/run.py deb glibc      only the tests of test_deb.py and test_glibc.py

What `pi install` does with foreign plugins, twice, in read-only folders and on full disks is tested in tools/pi/tests.

Exit code 0: all is well. 1: a test failed. 2: the packages could not be made.
"""

import argparse
import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import dist
import xtask


class Result(unittest.TextTestResult):
    """Counts tests, and instead of a test with subtests those."""

    totals = xtask.Totals()
    with_subtests = None

    def addSuccess(self, test):
        super().addSuccess(test)
        self.totals.passed += test is not self.with_subtests

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        self.with_subtests = test
        self.totals.passed += error is None

    def startTest(self, test):
        print(f"{test._testMethodName} ...", file=sys.stderr, flush=True)
        super().startTest(test)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="*", help="only these files: build, deb, glibc, local, releases, wheel")
    parser.add_argument("--no-build", action="store_true")
    arguments = parser.parse_args()
    if not arguments.no_build:
        dist.make(["wheel", "deb"])
    here = pathlib.Path(__file__).parent
    suite = unittest.TestSuite()
    for part in arguments.part or ["*"]:
        suite.addTests(unittest.defaultTestLoader.discover(here, pattern=f"test_{part}.py"))
    result = unittest.TextTestRunner(resultclass=Result).run(suite)
    totals = result.totals + xtask.Totals(failed=len(result.failures + result.errors), skipped=len(result.skipped))
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
