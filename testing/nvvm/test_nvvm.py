"""Tests of how results of mutated modules are compared."""

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


if __name__ == "__main__":
    unittest.main()
