"""Tests of the wheels in fresh Python environments."""

import pathlib
import subprocess
import tempfile
import unittest

import build
import dist
import target
import wheel
import xtask

MINORS = range(9, 14)


class Wheel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=xtask.TARGET)
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "venv"

    def test_checksums_are_those_of_the_files(self):
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=dist.FOLDER, check=True)

    def test_the_harness_lists_its_rules_and_judges_an_adapter_that_lies_anywhere(self):
        environment = target.Target(self.root, "python3")
        environment.install(dist.FOLDER / wheel.file_name())
        self.assertIn("UR-45", environment.output("pi-conformance", "--list"))
        driver = xtask.driver("intel-current").variables
        adapter = build.FILES / "libpi_opencl.so"
        done = environment.run("pi-conformance", adapter, **driver)
        self.assertEqual(done.returncode, 0, target.said(done))

    def check_on(self, python):
        environment = target.Target(self.root, python)
        before = environment.listing()
        environment.install(dist.FOLDER / wheel.file_name())
        self.assertEqual(environment.output("pi", "-V"), f"pi {build.version()}")
        # The environment is known without being active. It has no libsycl, and the message says so.
        for done in (environment.run("pi", "status"), environment.run("python", "-m", "sycl_pi", "status")):
            self.assertEqual(done.returncode, 1, target.said(done))
            self.assertIn(str(self.root), target.said(done))
            self.assertIn("libsycl", target.said(done))
        environment.uninstall()
        self.assertEqual(environment.listing(), before, "pip uninstall left other files than pip install found")


def on(minor):
    def test(self):
        python = target.find_python(minor)
        if python is None:
            self.skipTest(f"there is no Python 3.{minor}: PYTHON3{minor} may name one")
        self.check_on(python)

    return test


for minor in MINORS:
    setattr(Wheel, f"test_it_starts_on_python_3_{minor}_and_leaves_nothing_behind", on(minor))
