"""Tests of `pip install .`: what pip asks for is built, pip takes the wheel, and knows its extras. The files in it are not built here."""

import pathlib
import shutil
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


# Stands for for_this_machine.py: keeps what it is asked for, and makes a wheel without files.
STAND_IN = """
import pathlib, sys, zipfile
folder, part = pathlib.Path(sys.argv[1]), sys.argv[2]
with open(pathlib.Path(__file__).with_name("asked"), "a") as asked:
    asked.write(part + "\\n")
info = "sycl_pi-1.dist-info"
texts = {
    "METADATA": "Metadata-Version: 2.1\\nName: sycl-pi\\nVersion: 1\\nProvides-Extra: nvidia\\n",
    "WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    "RECORD": "",
}
if part == "metadata":
    (folder / info).mkdir()
    (folder / info / "METADATA").write_text(texts["METADATA"])
    print(info)
else:
    with zipfile.ZipFile(folder / "sycl_pi-1-py3-none-any.whl", "w") as wheel:
        for name, text in texts.items():
            wheel.writestr(f"{info}/{name}", text)
    print("sycl_pi-1-py3-none-any.whl")
"""


class Local(unittest.TestCase):
    def test_pip_has_the_drop_ins_built_if_its_settings_say_so(self):
        with tempfile.TemporaryDirectory() as scratch:
            checkout = pathlib.Path(scratch) / "checkout"
            (checkout / "packaging").mkdir(parents=True)
            shutil.copy(xtask.ROOT / "pyproject.toml", checkout)
            shutil.copy(xtask.ROOT / "packaging/backend.py", checkout / "packaging")
            (checkout / "packaging/for_this_machine.py").write_text(STAND_IN)
            environment = target.Target(f"{scratch}/environment", sys.executable)

            def pip(*words):
                (checkout / "packaging/asked").write_text("")
                options = ["--disable-pip-version-check", "--no-index", "--force-reinstall", *words]
                done = environment.run("python", "-m", "pip", "install", *options, f"{checkout}[nvidia]")
                return done, (checkout / "packaging/asked").read_text().split()

            for words, part in [((), "wheel"), (("--config-settings", "drop-ins=yes"), "drop-ins")]:
                done, asked = pip(*words)
                self.assertEqual(done.returncode, 0, target.said(done))
                self.assertEqual(asked, ["metadata", part])
            done, asked = pip("--config-settings", "drop-ins=perhaps")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("drop-ins=perhaps is neither yes nor no", target.said(done))
            self.assertEqual(asked, ["metadata"])

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
            ours = ["nvidia-cuda-nvcc-cu12", "nvidia-cublas-cu12", "nvidia-cufft-cu12", "nvidia-cusolver-cu12", "nvidia-cusparse-cu12"]
            self.assertEqual(names, ours)

    def test_a_part_that_does_not_exist_is_refused(self):
        done = xtask.run([sys.executable, xtask.ROOT / "packaging/for_this_machine.py", "/tmp/nowhere", "gone"], limit=60)
        self.assertEqual(done.returncode, 2, target.said(done))
        self.assertIn("usage:", done.stderr)
