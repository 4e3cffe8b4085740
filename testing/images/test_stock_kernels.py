"""Tests of building kernels whose driver ends the process."""

import pathlib
import types
import unittest
from unittest import mock

import stock_kernels

LIBRARY = stock_kernels.stock.Library("dpctl 0.1", pathlib.Path("_tensor_impl.so"))


class Driver:
    """Stands for stock-kernels: of nine kernels it ends at number 4, as often as it is told to."""

    def __init__(self, crashes):
        self.left, self.started = crashes, []

    def kernels(self, what, plugin, library, first, step, environment):
        self.started.append(first)
        yield ["kernels", "9"]
        for number in range(first, 9, step):
            yield ["next", str(number), f"_ZTS{number}"]
            if number == 4 and self.left > 0:
                self.left -= 1
                yield ["crashed", "ended by signal 11 (SIGSEGV)"]
                return
            yield ["refused", "Kernel uses 'aspect::fp16'. (image a.so image 7)"] if number == 6 else ["built", ""]
        yield ["end"]


def build(crashes, dies_alone=True):
    run = stock_kernels.Run.__new__(stock_kernels.Run)
    run.arguments, run.built, run.plugin, run.problems = types.SimpleNamespace(every=2), pathlib.Path(), pathlib.Path(), []
    driver = Driver(crashes)
    run.kernels, run.dies_alone = driver.kernels, mock.Mock(return_value=dies_alone)
    return run, driver, run.build(LIBRARY, "intel", {})


class Builds(unittest.TestCase):
    def test_a_run_goes_on_behind_a_crash_and_tries_that_kernel_again(self):
        run, driver, (counts, reasons) = build(crashes=2)
        self.assertEqual(driver.started, [0, 6, 4, 4])
        self.assertEqual(counts, {"built": 4, "refused": 1, "given up": 0, "driver crashes": 2})
        self.assertEqual(reasons, {"Kernel uses 'aspect::fp16'.": 1})
        self.assertEqual(run.problems, [])

    def test_a_kernel_is_given_up_after_some_tries(self):
        _, driver, (counts, _) = build(crashes=99)
        self.assertEqual(counts["given up"], 1)
        self.assertEqual(counts["driver crashes"], stock_kernels.TRIES)

    def test_a_crash_is_a_mistake_if_the_driver_alone_does_not_end_so(self):
        run, *_ = build(crashes=1, dies_alone=False)
        self.assertEqual(
            run.problems, ["intel, dpctl 0.1, _tensor_impl.so, _ZTS4: ended by signal 11 (SIGSEGV), and not with the driver alone"]
        )


if __name__ == "__main__":
    unittest.main()
