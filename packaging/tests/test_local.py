"""Tests of how `pip install .` packs: pip takes the wheel, and knows its extras. The files in it are not built here."""

import pathlib
import sys
import tempfile
import unittest

import build
import for_this_machine
import target
import wheel
import xtask

# What Python's own library says about an installed package.
ASK = (
    "import base64, hashlib, importlib.metadata as m\n"
    "found = m.distribution('sycl-pi')\n"
    "print(*found.requires, sep='\\n')\n"
    "hashes = lambda file: base64.urlsafe_b64encode(hashlib.sha256(file.locate().read_bytes()).digest()).decode().rstrip('=')\n"
    "print(all(file.hash is None or file.hash.value == hashes(file) for file in found.files))\n"
)


class Local(unittest.TestCase):
    def test_pip_installs_the_wheel_and_knows_what_its_extras_name(self):
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            info = scratch / "root" / wheel.info_folder()
            (scratch / "root/sycl_pi").mkdir(parents=True)
            info.mkdir()
            (scratch / "root/sycl_pi/__init__.py").write_text("")
            (info / "METADATA").write_text(wheel.metadata())
            (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {for_this_machine.TAG}\n")
            packed = scratch / wheel.file_name(for_this_machine.TAG)
            for_this_machine.zip_up(scratch / "root", packed)
            environment = target.Target(scratch / "environment", sys.executable)
            environment.install(packed)
            *required, is_whole = environment.output("python", "-c", ASK).splitlines()
            self.assertEqual(is_whole, "True")
            names = [line.split(";")[0].split("=")[0].strip() for line in required if "nvidia" in line.split("extra")[1]]
            ours = ["nvidia-cuda-nvcc-cu12", "nvidia-cublas-cu12", "nvidia-cufft-cu12", "nvidia-cusolver-cu12"]
            self.assertEqual(names, ours)

    def test_a_part_that_does_not_exist_is_refused(self):
        done = xtask.run([sys.executable, xtask.ROOT / "packaging/for_this_machine.py", "/tmp/nowhere", "gone"], limit=60)
        self.assertEqual(done.returncode, 2, target.said(done))
        self.assertIn("usage:", done.stderr)
