#!/usr/bin/env python3
"""Run the tests of the scripts themselves: the files test_*.py next to them. Those in testing/cuda/math are tests of a
library. testing/cuda/dpctl/dpnp_suite.py runs them, because they need NumPy."""

import xtask


def main():
    files = [file for part in ("testing", "benches") for file in (xtask.ROOT / part).rglob("test_*.py")]
    files = [file for file in files if file.parent != xtask.ROOT / "testing/cuda/math"]
    totals = sum(map(xtask.unit_tests, sorted({file.parent for file in files})), xtask.Totals())
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
