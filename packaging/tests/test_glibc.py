"""Tests of the wheel on systems with an older glibc."""

import pathlib
import subprocess
import tempfile
import unittest

import build
import debian
import dist
import target
import wheel
import xtask

# A cross-compiler for Node's add-ons brings the glibc along that the files are built for, with its dynamic loader. Newer releases of
# glibc keep what older ones have. So what this test says holds for all that are not older.
GLIBC_PACKAGE = "@napi-rs/cross-toolchain-x64-target-x86_64@1.0.0"
SHA256 = "351f6ee9bc8e444dfb8ac6eddfe9daed02c9508399bd20c511e3f9e027d6e988"
LIBRARIES = "./x86_64-unknown-linux-gnu/sysroot/lib"
# Where the wheel has its libraries and programs.
BIN = "sycl_pi/bin"
# Debian 11, whose glibc is 2.31: no older release is left on Debian's servers. The client of this release has a wheel for its Python,
# and needs no newer libstdc++ than Debian has there. Later clients do.
SUITE, RELEASE = "bullseye", "2022.2.1"


def old_glibc():
    """The folder with the old libraries, downloaded if it is not there."""
    folder = debian.ROOTS / f"glibc-{build.GLIBC}-{SHA256[:8]}"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with xtask.Step(f"downloading glibc {build.GLIBC}, once"), tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            packed = xtask.output(["npm", "pack", "--silent", GLIBC_PACKAGE], cwd=scratch).strip()
            subprocess.run(["sha256sum", "--check", "--quiet"], cwd=scratch, input=f"{SHA256}  {packed}", text=True, check=True)
            inner = "package/x86_64-unknown-linux-gnu.tar.xz"
            xtask.output(["tar", "--extract", "--file", packed, inner], cwd=scratch)
            xtask.output(["tar", "--extract", "--file", inner, LIBRARIES], cwd=scratch)
            (pathlib.Path(scratch) / LIBRARIES).rename(folder)
    return folder


class Glibc(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=xtask.TARGET)
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "root"
        self.wheel = dist.FOLDER / wheel.file_name()

    def unpack(self):
        if subprocess.run(["sh", "-c", "command -v npm"], stdout=subprocess.DEVNULL).returncode != 0:
            self.skipTest("there is no npm, which downloads the old glibc")
        xtask.output(["unzip", "-q", self.wheel, "-d", self.root])
        return old_glibc()

    def need_root(self):
        if not debian.can_change_root():
            self.skipTest("this user may not change the root folder: run it as root")

    def test_the_oldest_loader_finds_each_library_and_symbol(self):
        """What `ldd -r` does, by the old loader: also symbols of functions that nobody has called yet."""
        libraries = self.unpack()
        loader = [libraries / "ld-linux-x86-64.so.2", "--library-path", libraries, "--list"]
        # The drop-ins are for a newer one, but not the libraries of ours that they need.
        files = [*(self.root / BIN).glob("*"), *(self.root / BIN / "math").glob("libpi_*")]
        for file in sorted(file for file in files if file.is_file()):
            with self.subTest(file.name):
                done = xtask.run([*loader, file], limit=60, env={"LD_WARN": "yes", "LD_BIND_NOW": "yes"})
                self.assertEqual(done.returncode, 0, target.said(done))
                self.assertNotRegex(target.said(done), "undefined symbol|not found")
                self.assertIn(f"{libraries}/libc.so.6", done.stdout)

    def test_pi_loads_every_plugin_where_no_other_glibc_is(self):
        self.need_root()
        debian.copy(self.unpack(), self.root / "lib")
        (self.root / "lib64").symlink_to("lib")
        (self.root / "proc").mkdir()
        # There is no driver here. Each plugin is loaded all the same, and answers that it has no platform.
        expected = {("--version",): [f"pi {build.version()}"]}
        expected["ls", "-v"] = [f"/{BIN}/libpi_{backend}.so" for backend in ("opencl", "level_zero", "cuda")]
        for words, texts in expected.items():
            with self.subTest(words):
                command = debian.inside(self.root, f"/{BIN}/pi", *words)
                said = target.said(xtask.run(command, limit=60, env={**debian.PATH, "HOME": "/"}))
                for text in texts:
                    self.assertIn(text, said)

    def test_debian_11_loads_the_libraries_and_dpctl_s_tests_of_queues_pass(self):
        self.need_root()
        vendor = xtask.environment(RELEASE)
        debian.copy(debian.root(SUITE, "python3"), self.root)
        # It lies where it lies outside, so that its variables hold inside too.
        outside = self.root / vendor.root.relative_to("/")
        outside.parent.mkdir(parents=True)
        debian.copy(vendor.root, outside)
        target.Target(outside).install(self.wheel)
        debian.copy(xtask.ROOT / "packaging/inside/old_glibc.py", self.root)
        variables = {**debian.PATH, "HOME": "/tmp", **vendor.variables, "OCL_ICD_VENDORS": "/nowhere"}
        variables["PYTHONPATH"] = str(vendor.site_packages)
        command = debian.inside(self.root, "/usr/bin/python3", "/old_glibc.py", vendor.root)
        done = xtask.run(command, limit=600, env=variables)
        self.assertEqual(done.returncode, 0, target.said(done))
        self.assertRegex(done.stdout, r"(?m)^[1-9]\d* passed, 0 failed, 0 skipped$")
