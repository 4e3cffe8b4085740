"""Tests of comparing the results of mutated modules, and of counting the kernels of clients."""

import collections
import contextlib
import io
import math
import pathlib
import struct
import tempfile
import unittest

import nvvm


def floats(first):
    return struct.pack(f"<{nvvm.ROWS}f", first, *[math.nan] * (nvvm.ROWS - 1))


class Mutants(unittest.TestCase):
    def test_integers_are_equal_bit_by_bit_and_zeros_of_both_signs_are_one_number(self):
        self.assertIsNone(nvvm.difference(floats(0.0), floats(-0.0), True))
        self.assertEqual(nvvm.difference(floats(0.0), floats(-0.0), False), 0)
        self.assertEqual(nvvm.difference(floats(1.0), floats(1.0000001), True), 0)
        self.assertIsNone(nvvm.difference(floats(math.nan), floats(-math.nan), True))
        self.assertEqual(nvvm.difference(floats(1.0), b"", True), 0)

    def test_a_module_is_the_same_wrong_or_not_comparable(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.assertEqual(nvvm.compared(folder, 3), "not here")
            (folder / "3.gpu").write_bytes(floats(1))
            self.assertEqual(nvvm.compared(folder, 3), "not on the CPU")
            (folder / "3.cpu").write_bytes(floats(2))
            self.assertEqual(nvvm.compared(folder, 3), "row 0 differs: 3.cpu and 3.gpu")
            (folder / "3.cpu").write_bytes(floats(1))
            self.assertEqual(nvvm.compared(folder, 3), "same")
            (folder / "3.gpu.ended").write_text("ended by signal 11 (SIGSEGV)")
            self.assertEqual(nvvm.compared(folder, 3), "ended by signal 11 (SIGSEGV)")


class Clients(unittest.TestCase):
    def result(self, least, failures):
        counts = collections.Counter(unique=4, kernels=30, refused=5, chosen=3, compiled_75=3, compiled_90=2)
        client = {"name": "one", "least": least}
        failures = [nvvm.Failure("one", "a.so", *failure) for failure in failures]
        with contextlib.redirect_stdout(io.StringIO()):
            return nvvm.client_result(client, counts, failures)

    def test_refused_kernels_are_counted_by_the_end_of_their_reasons(self):
        refusals = [
            ("translator", 2, "", "_: function _, instruction OpAsm _: assembly is not supported"),
            ("translator", 1, "", "_, instruction OpAsm _: assembly is not supported"),
            ("translator", 2, "", "kernel needs sub-groups of 64"),
        ]
        row, reasons, totals = self.result(25, refusals)
        self.assertEqual(row, ["one", 4, 30, 25, 3, "3 / 2", "0 / 0"])
        self.assertEqual(reasons, [["one", 3, "assembly is not supported"], ["one", 2, "kernel needs sub-groups of 64"]])
        self.assertEqual((totals.passed, totals.failed), (25, 0))

    def test_too_few_kernels_and_modules_that_do_not_compile_fail(self):
        self.assertEqual(self.result(26, [])[2].failed, 1)
        self.assertEqual(self.result(25, [("libnvvm", 2, "", "error")])[2].failed, 2)


if __name__ == "__main__":
    unittest.main()
