"""Tests that a failure gives one text that names the function, and that the next call works."""

import ctypes
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from numpy.testing import assert_allclose

from software import SOFTWARE, Failed, Product, fft

MISSING = """
import sys
import numpy as np
from software import Failed, fft
try:
    fft(np.ones(4, "D"), np.ones(4, "D"))
except Failed as failed:
    sys.exit(str(failed))
"""


def multiply(n=4):
    """A product of floats of a size that no other test has."""
    a = np.arange(n * n, dtype="d").reshape(n, n)
    c = np.empty((n, n))
    told = Product(kind=1, m=n, n=n, k=n, a=a.ctypes.data, lda=n, b=a.ctypes.data, ldb=n, c=c.ctypes.data, ldc=n, count=-1)
    told.alpha[0] = 1
    SOFTWARE.call("pi_math_gemm", ctypes.byref(told))
    assert_allclose(c, a @ a)


def transform(length):
    a, out = np.ones(length, "D"), np.empty(length, "D")
    fft(a[::-1], out, base_in=a)
    assert_allclose(out[0], length)


class Failures(unittest.TestCase):
    def setUp(self):
        SOFTWARE.fail()
        SOFTWARE.driver_fails("")
        self.addCleanup(SOFTWARE.fail)

    def fails(self, text, work, *arguments):
        with self.assertRaisesRegex(Failed, text):
            work(*arguments)
        SOFTWARE.fail()
        SOFTWARE.driver_fails("")
        work(*arguments)

    def test_of_a_product(self):
        for code, why in ((13, "the execution failed"), (3, "no memory on the device"), (15, "not supported")):
            SOFTWARE.fail("cublasGemmEx_64", code)
            self.fails(f"cublasGemmEx_64 answered {code}: {why}", multiply)

    def test_of_a_plan_give_the_plan_back(self):
        SOFTWARE.fail("cufftMakePlanMany64", 2)
        with self.assertRaisesRegex(Failed, "cufftMakePlanMany64 answered 2: no memory on the device for a plan of"):
            transform(11)
        self.assertEqual(SOFTWARE.calls("cufftCreate"), SOFTWARE.calls("cufftDestroy"))
        SOFTWARE.fail()
        transform(11)

    def test_of_an_execution(self):
        SOFTWARE.fail("cufftXtExec", 6)
        self.fails("cufftXtExec answered 6: the execution failed", transform, 12)

    def test_of_the_device_s_memory(self):
        SOFTWARE.begin_stream()
        SOFTWARE.driver_fails("cuMemAlloc_v2:1:2;cuMemAlloc_v2:2:2")
        self.fails("bytes of workspace on the device: cuMemAlloc_v2 answered CUDA error 2: no memory", transform, 14)

    def test_of_a_copy(self):
        spectrum, out = np.ones(9, "D"), np.empty(16)
        SOFTWARE.driver_fails("cuMemcpyDtoDAsync_v2:1:719")
        self.fails("cuMemcpyDtoDAsync_v2 answered CUDA error 719: a kernel failed", lambda: fft(spectrum, out, forward=False))

    def test_of_a_library_that_the_driver_is_too_old_for(self):
        # Plans are made anew for a new shape, as handles are by each process's first call.
        SOFTWARE.fail("cufftCreate", 5)
        self.fails(r"cufftCreate answered 5: internal error \(the driver serves CUDA \d+\.\d+: a newer library", transform, 13)

    def test_of_a_missing_library_say_what_to_install(self):
        with tempfile.TemporaryDirectory() as nothing:
            variables = {**os.environ, "PI_TEST_NO_LIBRARIES": nothing}
            done = subprocess.run(
                [sys.executable, "-c", MISSING], env=variables, capture_output=True, text=True, cwd=os.path.dirname(__file__)
            )
        self.assertRegex(done.stderr, r"cuFFT is needed for this on an NVIDIA GPU: pip install nvidia-cufft")

    def test_of_unknown_arguments(self):
        told = Product(kind=99, m=1, n=1, k=1, count=-1)
        with self.assertRaisesRegex(Failed, "element type 99 is unknown"):
            SOFTWARE.call("pi_math_gemm", ctypes.byref(told))

    def test_outside_of_a_native_command(self):
        SOFTWARE.teller.set(None)
        self.addCleanup(SOFTWARE.teller.set, SOFTWARE.stream)
        with self.assertRaisesRegex(Failed, "not called from a native command of our CUDA adapter"):
            multiply()


if __name__ == "__main__":
    unittest.main()
