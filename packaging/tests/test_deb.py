"""Tests of the Debian package: `lintian`, and programs that find the library with CMake and with pkg-config."""

import os
import pathlib
import tempfile
import unittest

import build
import deb
import dist
import target
import xtask

EXAMPLES = xtask.ROOT / "ctests/examples"
FILES = """
    lib/sycl-pi/libpi_opencl.so lib/sycl-pi/libur_adapter_opencl.so lib/sycl-pi/pi-nvvm include/pi/pi.h
    lib/sycl-pi/math/libpi_math.so lib/sycl-pi/math/libmkl_sycl_blas.so.6
    lib/sycl-pi/math/libpi_dnn.so lib/sycl-pi/math/libdnnl.so.3.sycl9
    share/man/man1/pi-install.1.gz share/bash-completion/completions/pi share/zsh/vendor-completions/_pi
    share/fish/vendor_completions.d/pi.fish share/doc/sycl-pi/copyright
""".split()
# No variable names a plugin, so the one beside libpi_runtime.so is used.
FOREIGN = ["PI_PLUGIN_PATH", "SYCL_OVERRIDE_PI_OPENCL", "ONEAPI_DEVICE_SELECTOR", "SYCL_DEVICE_FILTER"]


class Deb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        xtask.install("lintian", "cmake", "pkg-config")
        cls.package = dist.FOLDER / deb.file_name()
        folder = tempfile.TemporaryDirectory(dir=xtask.TARGET)
        cls.addClassCleanup(folder.cleanup)
        cls.work = pathlib.Path(folder.name)
        cls.usr = cls.work / "root/usr"
        xtask.output(["dpkg-deb", "--extract", cls.package, cls.work / "root"])

    def check_adds_two_vectors(self, program):
        """The program checks its sums itself."""
        variables = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        variables.update(xtask.driver("intel-current").variables)
        text = xtask.output([program, xtask.ROOT / "lib/image/tests/images"], env=variables)
        self.assertIn("= 3.75", text)

    def test_lintian_finds_no_error(self):
        done = xtask.run(["lintian", "--fail-on", "error", "--allow-root", self.package], limit=600)
        # A crash of lintian is no verdict.
        self.assertEqual(done.returncode, 0, target.said(done))
        self.assertNotRegex(done.stdout, r"(?m)^E: ")

    def test_the_command_is_a_link_to_a_program_that_starts(self):
        self.assertEqual(xtask.output([self.usr / "bin/pi", "-V"]).strip(), f"pi {build.version()}")

    def test_each_file_is_where_a_debian_system_looks_for_it(self):
        self.assertEqual([name for name in FILES if not (self.usr / name).is_file()], [])

    def test_cmake_finds_the_library(self):
        source = pathlib.Path(__file__).parent
        defined = [f"-DCMAKE_PREFIX_PATH={self.usr}", f"-DEXAMPLES={EXAMPLES}"]
        xtask.output(["cmake", "-S", source, "-B", self.work / "build", *defined])
        xtask.output(["cmake", "--build", self.work / "build"])
        self.check_adds_two_vectors(self.work / "build/add_two_vectors")

    def test_pkg_config_finds_the_library(self):
        variables = {"PKG_CONFIG_PATH": str(self.usr / "lib/pkgconfig"), "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1"}
        flags = xtask.output(["pkg-config", "--cflags", "--libs", "sycl-pi"], env={**os.environ, **variables}).split()
        program = self.work / "with_pkg_config"
        xtask.output(["cc", EXAMPLES / "add_two_vectors.c", "-o", program, *flags])
        self.check_adds_two_vectors(program)
