"""Tests of the wheel in the environments of stock releases: dpctl's tests pass on its libraries, and it leaves nothing behind."""

import dataclasses
import json
import pathlib
import sys
import tempfile
import unittest

import build
import debian
import dist
import target
import wheel
import xtask

# The files of dpctl's suite that run. They create queues, copy memory and run kernels.
SUITE = "dpctl/tests/test_sycl_queue"


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
        self.wheel = dist.FOLDER / wheel.file_name()

    def variables(self, root):
        return {name: value.replace(str(self.vendor.root), str(root)) for name, value in self.vendor.variables.items()}

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
        """What fails with the vendor's file as well is no fault of ours. Each process may have loaded this one file only."""
        plugin = self.place.root / self.vendor.plugin.relative_to(self.vendor.root)
        self.assertEqual(plugin.read_bytes(), (build.FILES / "libpi_opencl.so").read_bytes(), f"{plugin} is not the wheel's")
        text = json.dumps(dataclasses.asdict(self.vendor), default=str).replace(str(self.vendor.root), str(self.place.root))
        environment = self.scratch / "environment.json"
        environment.write_text(text)
        clients = [sys.executable, xtask.ROOT / "testing/clients/clients.py", "--test", "--release", self.release]
        done = xtask.run([*clients, "--environment", environment, "--only", SUITE], limit=1200)
        print(done.stdout)
        self.assertEqual(done.returncode, 0, target.said(done))

    def check_bench(self):
        picture = self.scratch / "costs.svg"
        variables = {**target.of_nobody(), **self.variables(self.place.root)}
        variables.pop("ONEAPI_DEVICE_SELECTOR", None)
        words = ["bench", "--json", self.place.root, "--svg", picture]
        calls = json.loads(xtask.output([self.place.root / "bin/pi", *words], env=variables))["calls"]
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
