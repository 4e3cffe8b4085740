"""The same 20 images for our runtime and for the stock libsycl, and the two programs that prepare their kernels."""

import json
import os
import pathlib
import subprocess
import time

import xtask

HERE = pathlib.Path(__file__).resolve().parent
# Committed images of DPC++ with one kernel each, which every CPU runs and which need no other image.
IMAGES = [
    "feat_fp64", "feat_sg.0", "feat_sg.1", "feat_wg.3", "misc_cmath", "misc_local", "misc_math", "misc_scratch", "misc_static_local",
    "misc_subgroup", "multi_perkernel.0", "multi_perkernel.1", "multi_perkernel.2", "multi_perkernel.3", "multi_perkernel.4",
    "multi_perkernel.5", "spec_array", "spec_one", "spec_scalar", "spec_zero",
]  # fmt: skip
RELEASE = xtask.TARGET / "release"
BUILT = xtask.TARGET / "cache-programs"
LIBRARY = BUILT / "images.so"  # registers the images with the runtime that is loaded
STRICT = ["-Wall", "-Wextra", "-Werror", "-O2", "-ldl", "-I", HERE]


class Side:
    """One of the two: its program with its arguments, and what it needs in its environment."""

    def __init__(self, words, variables):
        self.words, self.variables = [str(word) for word in words], variables

    def environment(self, cache, **more):
        return {**os.environ, **self.variables, "SYCL_CACHE_DIR": str(cache), **more}

    def text(self, cache, **more):
        return xtask.output(self.words, env=self.environment(cache, **more))

    def run(self, cache, **more):
        """What the program says of itself: seconds, and on our side where its programs came from."""
        start = time.monotonic()
        text = self.text(cache, **more)
        return {**json.loads(text), "process": time.monotonic() - start}

    def start(self, cache, **more):
        """Starts it, for several at once."""
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "text": True}
        return subprocess.Popen(self.words, env=self.environment(cache, **more), **options)


def kernels():
    """The names of the images' kernels, as their property sets list them."""
    names = []
    for image in IMAGES:
        document = json.loads((xtask.ROOT / f"lib/image/tests/images/{image}.props.json").read_text())
        [listed] = [one["properties"] for one in document["property_sets"] if one["name"] == "SYCL/kernel names"]
        names += [one["name"] for one in listed]
    return names


def build():
    """Builds the runtime, the plugin and the `pi` tool, and wraps the images."""
    xtask.install("gcc", "g++", "libc6-dev")
    xtask.build("pi_runtime", "pi_opencl", "pi")
    BUILT.mkdir(parents=True, exist_ok=True)
    files = [xtask.ROOT / f"lib/image/tests/images/{image}.spv" for image in IMAGES]
    xtask.output([RELEASE / "pi", "image", "wrap", "--output", BUILT / "images.o", *files])
    xtask.output(["cc", "-shared", "-o", LIBRARY, BUILT / "images.o"])


def ours(driver):
    """Our runtime with our plugin on a driver."""
    program = BUILT / "ours"
    words = ["cc", "-std=gnu11", HERE / "ours.c", RELEASE / "libpi_runtime.so", *STRICT, "-I", xtask.ROOT / "include/pi"]
    # As every SYCL program, the stock side's too, it needs libstdc++: else the driver loads it, and reads on past it in each of the
    # many times that it looks itself up in the process's mappings.
    words += [f"-Wl,-rpath,{RELEASE}", "-Wl,--no-as-needed", "-lstdc++", "-o", program]
    xtask.output(words)
    return Side([program, RELEASE / "libpi_opencl.so", LIBRARY, *kernels()], driver.variables)


def stock(release, driver):
    """The stock libsycl of a release with the plugin that it ships, on the same driver."""
    vendor = xtask.environment(release)
    dpctl = vendor.site_packages / "dpctl"
    program = BUILT / f"stock-{release}"
    words = ["c++", "-std=c++17", HERE / "stock.cpp", vendor.lib / vendor.release.soname, dpctl / "libDPCTLSyclInterface.so.0", *STRICT]
    xtask.output([*words, "-Wl,--unresolved-symbols=ignore-in-shared-libs", "-o", program])
    search = ":".join([driver.variables["LD_LIBRARY_PATH"], str(vendor.lib), str(dpctl)])
    own = {"LD_LIBRARY_PATH": search, "ONEAPI_DEVICE_SELECTOR": "opencl:cpu", "SYCL_CACHE_PERSISTENT": "1"}
    return Side([program, LIBRARY, *kernels()], {**driver.variables, **own})
