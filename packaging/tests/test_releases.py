"""The wheel in the environments of stock releases: dpctl's tests run on what it brought, and nothing of it stays."""

import json
import os
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree

import build
import debian
import dist
import target
import wheel
import xtask

# Runs files of dpctl's tests, and prints the files that the process has mapped.
SUITE = """
import glob, os, sys, pytest, dpctl.tests
folder = os.path.dirname(dpctl.tests.__file__)
words = sys.argv[2:] or sorted(glob.glob(os.path.join(folder, "test_sycl_queue*.py")))
code = pytest.main(["-q", "-p", "no:cacheprovider", "-o", "junit_family=xunit1", "--junitxml", sys.argv[1], "--rootdir", folder, *words])
print("MAPPED", *{line.split()[-1] for line in open("/proc/self/maps") if "/lib" in line}, sep="\\n")
sys.exit(int(code))
"""


class OnRelease:
    """The steps are one test: each needs what the one before left."""

    release = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=xtask.TARGET)
        self.addCleanup(folder.cleanup)
        self.scratch = pathlib.Path(folder.name)
        self.vendor = xtask.environment(self.release)
        self.place = target.Target(self.scratch / "environment")
        debian.copy(self.vendor.root, self.place.root)
        self.wheel = dist.FOLDER / wheel.PRODUCT.file_name

    def variables(self, root):
        return {name: value.replace(str(self.vendor.root), str(root)) for name, value in self.vendor.variables.items()}

    def suite(self, environment, *names):
        """The tests that passed and those that did not, by their names for pytest; and what the process had mapped."""
        report = self.scratch / "report.xml"
        report.unlink(missing_ok=True)
        done = environment.run("python", "-c", SUITE, report, *names, **self.variables(environment.root))
        self.assertTrue(report.exists(), target.said(done))
        passed, bad = set(), set()
        for case in xml.etree.ElementTree.parse(report).iter("testcase"):
            name = f"{environment.root / case.get('file')}::{case.get('name')}" if case.get("file") else case.get("name")
            outcomes = {child.tag for child in case}
            (bad if outcomes & {"failure", "error"} else passed if not outcomes else set()).add(name)
        return passed, bad, done.stdout.partition("MAPPED")[2].split()

    def test_the_wheel_is_installed_used_and_removed(self):
        self.place.install(self.wheel)
        self.place.output("pi", "install")
        self.place.output("pi", "status")
        with self.subTest("dpctl's tests of queues pass on our file, and on no other"):
            self.check_suite()
        with self.subTest("pi bench measures the vendor's file, which is kept beside ours, and ours"):
            self.check_bench()
        with self.subTest("after pi uninstall and pip uninstall every file is as before"):
            self.place.output("pi", "uninstall")
            self.place.uninstall()
            self.assertEqual(self.place.differences(target.Target(self.vendor.root)), [])
        with self.subTest("after pip uninstall pi doctor says what to do, and any pi puts the vendor's files back"):
            self.check_wrong_order()

    def check_suite(self):
        kind = "libur_adapter_opencl" if self.vendor.release.has_adapters else "libpi_opencl"
        passed, bad, mapped = self.suite(self.place)
        (loaded,) = [file for file in mapped if os.path.basename(file).startswith(kind)]
        self.assertTrue(loaded.startswith(str(self.place.root)), loaded)
        self.assertEqual(pathlib.Path(loaded).read_bytes(), (build.FILES / f"{kind}.so").read_bytes(), f"{loaded} is not the wheel's")
        print(f"{self.release}: {len(passed)} tests of dpctl passed, {len(bad)} did not")
        self.assertGreater(len(passed), 100)
        # What fails with the vendor's file as well is no fault of ours.
        again = [name.replace(str(self.place.root), str(self.vendor.root)) for name in bad]
        vendors = self.suite(target.Target(self.vendor.root), *again)[0] if again else set()
        self.assertEqual(vendors, set(), "these pass with the vendor's file only")

    def check_bench(self):
        picture = self.scratch / "costs.svg"
        variables = {**target.of_nobody(), **self.variables(self.place.root)}
        variables.pop("ONEAPI_DEVICE_SELECTOR", None)
        # The wheel has no room for the measuring program.
        words = ["bench", "--json", self.place.root, "--svg", picture]
        calls = json.loads(xtask.output([build.FILES / "pi", *words], env=variables))["calls"]
        self.assertGreater(len(calls), 20)
        self.assertEqual([call for call in calls if not (call.get("ours") or 0) > 0 or not (call.get("vendor") or 0) > 0], [])
        self.assertRegex(picture.read_text().strip(), r"(?s)^<svg.*</svg>$")

    def check_wrong_order(self):
        self.place.install(self.wheel)
        self.place.output("pi", "install")
        self.place.uninstall()
        pi, variables = build.FILES / "pi", {**target.of_nobody(), "VIRTUAL_ENV": str(self.place.root)}
        findings = json.loads(xtask.run([pi, "doctor", "--json"], limit=60, env=variables).stdout)["findings"]
        warnings = [finding for finding in findings if finding["severity"] == "warning" and "site-packages/sycl_pi" in finding["why"]]
        self.assertTrue(any(finding["command"].startswith("pi uninstall") for finding in warnings), findings)
        xtask.output([pi, "uninstall", self.place.root], env=target.of_nobody())
        self.assertEqual(self.place.differences(target.Target(self.vendor.root)), [])


class WithPlugins(OnRelease, unittest.TestCase):
    release = "2024.2.2"


class WithAdapters(OnRelease, unittest.TestCase):
    release = "2025.3.3"
