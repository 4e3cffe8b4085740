"""Creates the wheels: Python packages with our files, which start `pi` and the harness. Their names follow PEP 427, 639 and 770."""

import dataclasses
import os
import tempfile

import build
import origin
import xtask

# Packs the files of a wheel again with Zopfli: some 4 % smaller, and any unzip reads it.
SQUEEZE = """
import os, sys, zipfile, zopfli
wheel = sys.argv[1]
with zipfile.ZipFile(wheel) as old, zopfli.ZipFile(wheel + ".smaller", "w", zipfile.ZIP_DEFLATED, iterations=5) as new:
    for entry in old.infolist():
        new.writestr(entry, old.read(entry), compress_type=zipfile.ZIP_DEFLATED)
os.replace(wheel + ".smaller", wheel)
"""


@dataclasses.dataclass(frozen=True)
class Wheel:
    """A Python package. Its texts are in wheels/MODULE."""

    name: str  # on an index
    files: tuple  # of ours
    summary: str
    largest: int  # bytes
    glibc: str = "2.28"  # as the wheels that have libsycl; the files need less
    headers: tuple = ()
    scripts: str = ""
    extras: dict = dataclasses.field(default_factory=dict)  # for each name, what pip installs with it

    @property
    def module(self):
        return self.name.replace("-", "_")

    @property
    def tag(self):
        """Any Python 3, on this processor and glibc."""
        return f"py3-none-manylinux_{self.glibc.replace('.', '_')}_x86_64"

    @property
    def file_name(self):
        return f"{self.module}-{build.version()}-{self.tag}.whl"


# Plugins, adapters, the runtime and `pi`. The measuring program of `pi bench` would make it too large. A script of Python's is
# `sycl-aspect-filter`.
PRODUCT = Wheel(
    name="sycl-pi",
    files=tuple(name for name in build.NAMES if name not in ("pi-conformance", "libpi_math.so", "libpi_dnn.so", "pi-bench", "sycl-aspect-filter")),
    summary="OpenCL, Level Zero and CUDA for the SYCL runtime DPC++: plugins, adapters and the command pi",
    largest=8_000_000,
    headers=tuple(build.HEADERS),
    scripts="pi = sycl_pi:main\nsycl-aspect-filter = sycl_pi:aspect_filter\n",
    extras={
        "nvidia": [
            "sycl-pi-math==@VERSION@",
            "nvidia-cuda-nvcc-cu12",
            "nvidia-cublas-cu12",
            "nvidia-cufft-cu12",
            "nvidia-cusolver-cu12",
        ],
        "conformance": ["sycl-pi-conformance==@VERSION@"],
    },
)
# It judges anybody's plugins and adapters and needs none of ours.
HARNESS = Wheel(
    name="sycl-pi-conformance",
    files=("pi-conformance",),
    summary="A conformance harness for plugins (PI) and adapters (Unified Runtime) of the SYCL runtime DPC++",
    largest=2_000_000,
    scripts="pi-conformance = sycl_pi_conformance:main\n",
)
# The drop-ins for oneMKL's libraries, which `pi install --spirv-on-nvidia` finds beside the product's package. They are C++ with the
# compiler of Debian 12.
MATH = Wheel(
    name="sycl-pi-math",
    files=("libpi_math.so", "libpi_dnn.so"),
    summary="oneMKL's products, solvers and transforms for SYCL programs on NVIDIA GPUs, by cuBLAS, cuSOLVER and cuFFT",
    largest=2_000_000,
    glibc="2.34",
)


def lay_out(wheel, root, files, tag):
    """Puts the package into the folder `root`, with our files from the folder `files`, but without bills and RECORD."""
    module, info = root / wheel.module, root / info_folder(wheel)
    for name in wheel.files:
        build.put(files / name, module / "bin", 0o755)
    for header in wheel.headers:
        build.put(header, module / "include/pi")
    for licence in [xtask.ROOT / "LICENSE-MIT", xtask.ROOT / "LICENSE-APACHE", origin.LICENCES]:
        build.put(licence, info / "licenses")
    texts = xtask.ROOT / "packaging/wheels" / wheel.module
    for name in ("__init__.py", "__main__.py"):
        (module / name).write_text(build.fill(texts / name))
    (info / "METADATA").write_text(metadata(wheel))
    generator = f"Generator: packaging/dist.py {build.version()}"
    (info / "WHEEL").write_text(f"Wheel-Version: 1.0\n{generator}\nRoot-Is-Purelib: false\nTag: {tag}\n")
    if wheel.scripts:
        (info / "entry_points.txt").write_text(f"[console_scripts]\n{wheel.scripts}")


def info_folder(wheel):
    return f"{wheel.module}-{build.version()}.dist-info"


def pack(wheel, to, more=()):
    """Lays the package out with `more` files, and packs it for a release."""
    with xtask.Step(f"packing the wheel {wheel.name}") as step:
        root = build.fresh(build.PARTS / "wheel")
        lay_out(wheel, root, build.FILES, wheel.tag)
        for package, names in build.SHIPPED.items():
            if set(names) & set(wheel.files):
                build.put(origin.bill(package), root / info_folder(wheel) / "sboms")
        for file in more:
            build.put(file, root / wheel.module / "bin", 0o755)
        made, tool = to / wheel.file_name, build.python().parent / "wheel"
        xtask.output([tool, "pack", "--dest-dir", to, root], env={**os.environ, **build.EPOCH})
        xtask.output([build.python(), "-c", SQUEEZE, made])
        size = made.stat().st_size
        if size > wheel.largest:
            raise xtask.CannotRun(f"{made} has {size} bytes: at most {wheel.largest}")
        # It compares every file with its hash in RECORD.
        with tempfile.TemporaryDirectory(dir=build.PARTS) as scratch:
            xtask.output([tool, "unpack", "--dest", scratch, made])
        step.outcome = f"{size / 1e6:.2f} MB"


def metadata(wheel):
    repository = next(package["repository"] for package in build.workspace() if package["name"] == "pi")
    extras = "".join(
        f"Provides-Extra: {extra}\n" + "".join(f'Requires-Dist: {name}; extra == "{extra}"\n' for name in names)
        for extra, names in wheel.extras.items()
    ).replace("@VERSION@", build.version())
    return f"""\
Metadata-Version: 2.4
Name: {wheel.name}
Version: {build.version()}
Summary: {wheel.summary}
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

{(xtask.ROOT / "packaging/wheels" / wheel.module / "README.md").read_text()}"""
