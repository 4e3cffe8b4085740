"""Tests of the libraries that the built files need, and of the names in them."""

import pathlib
import sys
import unittest

import build
import xtask

# A C library's loader and programs of this machine need some version.
PROGRAM = pathlib.Path(sys.executable).resolve()


class Places(unittest.TestCase):
    def test_no_file_names_a_folder_of_the_machine_that_built_it(self):
        for file in build.FILES.iterdir():
            content = file.read_bytes()
            named = [place for place in (*build.places(), str(pathlib.Path.home())) if place.encode() in content]
            self.assertEqual(named, [], file.name)


class Glibc(unittest.TestCase):
    def test_a_file_that_needs_a_newer_glibc_is_refused(self):
        with self.assertRaisesRegex(xtask.CannotRun, "needs glibc"):
            build.check_glibc([PROGRAM], "2.2.4")

    def test_versions_are_compared_as_numbers(self):
        build.check_glibc([PROGRAM], "2.100")

    def test_a_file_that_is_no_program_is_refused(self):
        with self.assertRaises(xtask.CannotRun):
            build.check_glibc([pathlib.Path(__file__)], "2.100")
