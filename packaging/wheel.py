"""Creates the wheel: a Python package with our files, which starts `pi` and the harness. Names follow PEP 427, 639 and 770."""

import os
import sys
import tempfile

import build
import origin
import xtask

sys.path.append(str(xtask.ROOT / "math/mkl/rim"))
import drop_ins

TEXTS = xtask.ROOT / "packaging/sycl_pi"

# Packs the files of a wheel again with Zopfli: some 4 % smaller, and any unzip reads it.
SQUEEZE = """
import os, sys, zipfile, zopfli
wheel = sys.argv[1]
with zipfile.ZipFile(wheel) as old, zopfli.ZipFile(wheel + ".smaller", "w", zipfile.ZIP_DEFLATED, iterations=5) as new:
    for entry in old.infolist():
        new.writestr(entry, old.read(entry), compress_type=zipfile.ZIP_DEFLATED)
os.replace(wheel + ".smaller", wheel)
"""


MODULE = "sycl_pi"
# A script of Python's is `sycl-aspect-filter`. The drop-ins for oneMKL and oneDNN are in a folder with the libraries that they need.
NAMES = [name for name in build.NAMES if name != "sycl-aspect-filter" and name not in drop_ins.LIBRARIES]
SUMMARY = "OpenCL, Level Zero and CUDA for the SYCL runtime DPC++: plugins, adapters and the command pi"
# The most bytes that a release's wheel may have. An index takes ten times as much.
LARGEST = 12_000_000
# The glibc that libsycl's wheels need. Our files need less, except the drop-ins, which `pi install` refuses on an older system.
GLIBC = "2.28"
# Any Python 3, on this processor and glibc.
TAG = f"py3-none-manylinux_{GLIBC.replace('.', '_')}_x86_64"
SCRIPTS = """\
[console_scripts]
pi = sycl_pi:main
pi-conformance = sycl_pi:conformance
sycl-aspect-filter = sycl_pi:aspect_filter
"""
# For each name, what pip installs with it.
EXTRAS = {"nvidia": ["nvidia-cuda-nvcc-cu12", "nvidia-cublas-cu12", "nvidia-cufft-cu12", "nvidia-cusolver-cu12", "nvidia-cusparse-cu12"]}


def file_name(tag=TAG):
    return f"{MODULE}-{build.version()}-{tag}.whl"


def lay_out(root, files, tag, drop_in_files=()):
    """Puts the package into the folder `root`, with our files from the folder `files`, but without bills and RECORD."""
    module, info = root / MODULE, root / info_folder()
    for name in NAMES:
        build.put(files / name, module / "bin", 0o755)
    if drop_in_files:
        for file in [*(files / name for name in drop_ins.LIBRARIES), *drop_in_files]:
            build.put(file, module / "bin/math", 0o755)
    for header in build.HEADERS:
        build.put(header, module / "include/pi")
    for licence in [xtask.ROOT / "LICENSE-MIT", xtask.ROOT / "LICENSE-APACHE", origin.LICENCES]:
        build.put(licence, info / "licenses")
    for name in ("__init__.py", "__main__.py"):
        (module / name).write_text(build.fill(TEXTS / name))
    (info / "METADATA").write_text(metadata())
    generator = f"Generator: packaging/dist.py {build.version()}"
    (info / "WHEEL").write_text(f"Wheel-Version: 1.0\n{generator}\nRoot-Is-Purelib: false\nTag: {tag}\n")
    (info / "entry_points.txt").write_text(SCRIPTS)


def info_folder():
    return f"{MODULE}-{build.version()}.dist-info"


def pack(to, drop_in_files):
    """Lays the package out, and packs it for a release."""
    with xtask.Step("packing the wheel") as step:
        root = build.fresh(build.PARTS / "wheel")
        lay_out(root, build.FILES, TAG, drop_in_files)
        for package in build.SHIPPED:
            build.put(origin.bill(package), root / info_folder() / "sboms")
        made, tool = to / file_name(), build.python().parent / "wheel"
        xtask.output([tool, "pack", "--dest-dir", to, root], env={**os.environ, **build.EPOCH})
        xtask.output([build.python(), "-c", SQUEEZE, made])
        size = made.stat().st_size
        if size > LARGEST:
            raise xtask.CannotRun(f"{made} has {size} bytes: at most {LARGEST}")
        # It compares every file with its hash in RECORD.
        with tempfile.TemporaryDirectory(dir=build.PARTS) as scratch:
            xtask.output([tool, "unpack", "--dest", scratch, made])
        step.outcome = f"{size / 1e6:.2f} MB"


def metadata():
    repository = next(package["repository"] for package in build.workspace() if package["name"] == "pi")
    extras = "".join(
        f"Provides-Extra: {extra}\n" + "".join(f'Requires-Dist: {name}; extra == "{extra}"\n' for name in names)
        for extra, names in EXTRAS.items()
    )
    return f"""\
Metadata-Version: 2.4
Name: sycl-pi
Version: {build.version()}
Summary: {SUMMARY}
License-Expression: MIT OR Apache-2.0
License-File: LICENSE-MIT
License-File: LICENSE-APACHE
License-File: THIRD-PARTY-LICENCES.txt
Project-URL: Repository, {repository}
Requires-Python: >=3.8
{extras}\
Keywords: sycl,dpcpp,opencl,level-zero,cuda
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Rust
Description-Content-Type: text/markdown

{(TEXTS / "README.md").read_text()}"""
