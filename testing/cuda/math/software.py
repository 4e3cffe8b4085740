"""libpi_math.so on the software GPU, called like the drop-ins for oneMKL do, without SYCL.

The software GPU's memory is the host's, so a NumPy array is an array of the device. Variables: PI_TEST_MATH is libpi_math.so,
PI_NVIDIA_LIBRARIES the folder with the stand-ins for NVIDIA's libraries. libcuda.so.1 of the library path is the software driver.

With PI_TEST_ON_GPU=1 the driver and the libraries are NVIDIA's. test_transforms.py runs there; tests that count calls are skipped.
"""

import ctypes
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

ELEMENTS = {"f": 0, "d": 1, "F": 2, "D": 3}
ON_GPU = os.environ.get("PI_TEST_ON_GPU") == "1"
STREAM_OF = """
static void *stream;
void set(void *other) { stream = other; }
void *pi_cuda_native_stream(void) { return stream; }
"""


class Failed(Exception):
    """The text with which a call failed."""


class Transform(ctypes.Structure):
    """`pi_math_transform`."""

    _fields_ = [
        ("element", ctypes.c_int),
        ("forward", ctypes.c_int),
        ("rank", ctypes.c_int64),
        ("lengths", ctypes.c_int64 * 3),
        ("count", ctypes.c_int64),
        ("input_strides", ctypes.c_int64 * 4),
        ("output_strides", ctypes.c_int64 * 4),
        ("input_distance", ctypes.c_int64),
        ("output_distance", ctypes.c_int64),
        ("scale", ctypes.c_double),
    ]


class Product(ctypes.Structure):
    """`pi_math_product`."""

    _fields_ = [
        *((name, ctypes.c_int) for name in ("kind", "ta", "tb")),
        *((name, ctypes.c_int64) for name in ("m", "n", "k")),
        ("alpha", ctypes.c_double * 2),
        ("beta", ctypes.c_double * 2),
        *((name, ctypes.c_int64) for name in ("a", "lda", "stride_a", "b", "ldb", "stride_b", "c", "ldc", "stride_c", "count")),
    ]


class Triangular(ctypes.Structure):
    """`pi_math_triangular`."""

    _fields_ = [
        *((name, ctypes.c_int) for name in ("element", "right", "lower", "transpose", "unit")),
        *((name, ctypes.c_int64) for name in ("m", "n")),
        ("alpha", ctypes.c_double * 2),
        *((name, ctypes.c_int64) for name in ("a", "lda", "stride_a", "b", "ldb", "stride_b", "count")),
    ]


class Csr(ctypes.Structure):
    """`pi_math_csr`."""

    _fields_ = [
        *((name, ctypes.c_int) for name in ("element", "index_size", "base")),
        *((name, ctypes.c_int64) for name in ("rows", "columns", "count")),
        *((name, ctypes.c_void_p) for name in ("starts", "indices", "values")),
    ]


class DensePair(ctypes.Structure):
    """`pi_math_dense_pair`."""

    _fields_ = [
        *((name, ctypes.c_int) for name in ("by_rows", "transpose")),
        *((name, ctypes.c_int64) for name in ("columns", "x", "ldx", "y", "ldy")),
    ]


class Batch(ctypes.Structure):
    """`pi_math_batch`."""

    _fields_ = [("first", ctypes.c_void_p), ("stride", ctypes.c_int64)]

    @classmethod
    def of(cls, array):
        return cls(array.ctypes.data, array.strides[0] // array.itemsize)


def _stream_teller():
    """A library that tells the stream as our adapter does. Its name is one that libpi_math.so asks."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "stream.c"), Path(folder, "libpi_stream_for_tests.so")
        source.write_text(STREAM_OF)
        subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library], check=True)
        return ctypes.CDLL(str(library))


class _Software:
    """A stream of the software GPU, and the libraries."""

    def __init__(self):
        self.driver = ctypes.CDLL("libcuda.so.1", mode=ctypes.RTLD_GLOBAL)
        self._driver("cuInit", 0)
        device, self.context, self.stream = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
        self._driver("cuDeviceGet", ctypes.byref(device), 0)
        self._driver("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self._driver("cuCtxSetCurrent", self.context)
        self.teller = _stream_teller()
        self.begin_stream()
        self.math = ctypes.CDLL(os.environ["PI_TEST_MATH"])
        self.stand_ins = {}
        if ON_GPU:
            return
        folder = Path(os.environ["PI_NVIDIA_LIBRARIES"])
        if nothing := os.environ.get("PI_TEST_NO_LIBRARIES"):
            # libpi_math.so finds none. A library that is already open would be found by its name.
            os.environ["PI_NVIDIA_LIBRARIES"] = nothing
            return
        stand_ins = {"cublas": "libcublas.so.12", "cufft": "libcufft.so.11", "cusolver": "libcusolver.so.11", "cusparse": "libcusparse.so.12"}
        self.stand_ins = {name: ctypes.CDLL(str(folder / file)) for name, file in stand_ins.items()}

    def _driver(self, name, *arguments):
        code = getattr(self.driver, name)(*arguments)
        assert code == 0, f"{name} answered {code}"

    def begin_stream(self):
        """From now on work goes to a new stream, which has no memory yet."""
        self._driver("cuStreamCreate", ctypes.byref(self.stream), 0)
        self.teller.set(self.stream)

    def wait(self):
        self._driver("cuStreamSynchronize", self.stream)

    def call(self, name, *arguments):
        """A call of libpi_math.so, and the wait for its work."""
        function = getattr(self.math, name)
        function.restype = ctypes.c_char_p
        text = function(*arguments)
        self.wait()
        if text is not None:
            raise Failed(text.decode())

    def fail(self, function="", code=0):
        """From now on `function` of NVIDIA's libraries answers `code`. Calls are counted anew."""
        for library in self.stand_ins.values():
            library.softwareMathFail(function.encode(), code)

    def calls(self, function="*"):
        """How often it was called. Only stand-ins count. `*` are all of NVIDIA's libraries, `cublas` is one of them."""
        if ON_GPU:
            raise unittest.SkipTest("NVIDIA's libraries do not count calls")
        libraries = [self.stand_ins[function]] if function in self.stand_ins else self.stand_ins.values()
        name = b"*" if function in self.stand_ins else function.encode()
        return sum(library.softwareMathCalls(name) for library in libraries)

    def driver_calls(self, function):
        self.driver.softwareCudaCalls.restype = ctypes.c_uint64
        return self.driver.softwareCudaCalls(function.encode())

    def driver_fails(self, faults):
        """As the variable PI_SOFTWARE_CUDA_FAIL. Calls of the driver are counted anew."""
        if ON_GPU:
            raise unittest.SkipTest("NVIDIA's driver fails when it does")
        self.driver.softwareCudaFail(faults.encode())


    def managed(self, array):
        """The address of a copy of an array that the host and the device reach. It stays to the end of the process."""
        address, attach_global = ctypes.c_uint64(), 1
        self._driver("cuMemAllocManaged", ctypes.byref(address), ctypes.c_size_t(array.nbytes), attach_global)
        ctypes.memmove(address.value, array.ctypes.data, array.nbytes)
        return address.value


SOFTWARE = _Software()


def strides_of(view, axes, base):
    """The offset of a view's first number from `base`, and its steps, in numbers."""
    offset = (view.ctypes.data - base.ctypes.data) // view.itemsize
    return offset, [view.strides[axis] // view.itemsize for axis in axes]


def fft(source, target, *, base_in=None, base_out=None, batched=False, forward=True, lengths=None, scale=1.0):
    """Transforms the view `source` of the array `base_in` to the view `target` of `base_out`. With `batched`, the first axis counts."""
    base_in = source if base_in is None else base_in
    base_out = target if base_out is None else base_out
    axes = range(1 if batched else 0, source.ndim)
    real = "f" in (source.dtype.char, target.dtype.char) or "d" in (source.dtype.char, target.dtype.char)
    double = source.dtype.char in "dD"
    told = Transform(element=(1 if double else 0) + (0 if real else 2), forward=forward, rank=len(axes), scale=scale)
    forward_side = source if forward else target
    told.lengths[: len(axes)] = lengths or [forward_side.shape[axis] for axis in axes]
    told.count = source.shape[0] if batched else 1
    for view, base, strides in ((source, base_in, told.input_strides), (target, base_out, told.output_strides)):
        offset, steps = strides_of(view, axes, base)
        strides[: 1 + len(steps)] = [offset, *steps]
    if batched:
        told.input_distance = source.strides[0] // source.itemsize
        told.output_distance = target.strides[0] // target.itemsize
    SOFTWARE.call("pi_math_fft_check", ctypes.byref(told))
    if not ON_GPU:
        addresses = [ctypes.c_uint64(base.ctypes.data) for base in (base_in, base_out)]
        return SOFTWARE.call("pi_math_fft", ctypes.byref(told), *addresses)
    # Two views of one array stay so.
    owners = {id(owner(base)): owner(base) for base in (base_in, base_out)}
    copies = {name: SOFTWARE.managed(array) for name, array in owners.items()}

    def address(base):
        own = owner(base)
        return ctypes.c_uint64(copies[id(own)] + base.ctypes.data - own.ctypes.data)

    SOFTWARE.call("pi_math_fft", ctypes.byref(told), address(base_in), address(base_out))
    for name, array in owners.items():
        ctypes.memmove(array.ctypes.data, copies[name], array.nbytes)


def owner(array):
    """The array that has the memory of this view."""
    found = array
    while array is not None:
        found = array if isinstance(array, np.ndarray) else found
        array = getattr(array, "base", None)
    return found
