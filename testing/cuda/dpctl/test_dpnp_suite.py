"""Tests of the conclusions that dpnp_suite.py draws from the outcomes on the GPU and on the CPU."""

import pathlib
import types
import unittest
from unittest import mock

import dpnp_suite


def outcomes(trouble="", **tests):
    return dpnp_suite.Outcomes({f"test_fft.py::{name}": (outcome, "why") for name, outcome in tests.items()}, trouble)


class Devices(unittest.TestCase):
    def on_both(self, gpu, cpu):
        """What ran on the CPU, None if nothing did, and what came of the comparison."""
        asked = types.SimpleNamespace(files=["test_fft.py"], every=80)
        ran = []

        def suite(environment, files, every, log, names=None):
            ran.append((environment, names))
            return gpu if environment == "gpu" else cpu

        with mock.patch("dpnp_suite.suite", suite), mock.patch("builtins.print"):
            on_cpu, on_gpu = dpnp_suite.on_both("cpu", "gpu", asked, pathlib.Path("/"))
            return ran[1:], dpnp_suite.compare(on_cpu.tests, on_gpu.tests)

    def test_the_cpu_runs_nothing_if_all_passed_on_the_gpu(self):
        ran, counts = self.on_both(outcomes(a="passed", b="passed"), None)
        self.assertEqual((ran, counts), ([], (2, 0, 0)))

    def test_what_did_not_pass_on_the_gpu_runs_on_the_cpu_and_is_worse_if_it_passes_there(self):
        gpu = outcomes(a="passed", b="failed", c="skipped", d="failed")
        ran, counts = self.on_both(gpu, outcomes(b="passed", c="passed", d="failed"))
        self.assertEqual(ran, [("cpu", ["test_fft.py::b", "test_fft.py::c", "test_fft.py::d"])])
        self.assertEqual(counts, (1, 2, 1))

    def test_all_runs_on_the_cpu_if_the_suite_broke_off_on_the_gpu_and_what_is_missing_is_worse(self):
        ran, counts = self.on_both(outcomes("ended by signal 11", a="passed"), outcomes(a="passed", b="passed"))
        self.assertEqual((ran, counts), ([("cpu", None)], (1, 1, 0)))


if __name__ == "__main__":
    unittest.main()
