"""Our libraries and programs, built once for an old glibc. All packages hold these files.

Each file is stripped. Its debugging information goes to a separate file.
"""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "testing"))
import xtask

# The glibc that the files are built for, which RHEL 7 has. Packages require a newer one, 2.28, but their tests have only this one.
GLIBC = "2.17"
TRIPLE = "x86_64-unknown-linux-gnu"
# The packages that are shipped, and the files that each of them builds. Some look for others beside themselves: the CUDA plugin for
# pi-nvvm, `pi bench` for pi-bench.
SHIPPED = {
    "pi_opencl": ["libpi_opencl.so"],
    "pi_level_zero": ["libpi_level_zero.so"],
    "pi_cuda": ["libpi_cuda.so"],
    "pi_runtime": ["libpi_runtime.so"],
    "pi": ["pi", "sycl-aspect-filter"],
    "pi-conformance": ["pi-conformance"],
    "pi-nvvm": ["pi-nvvm"],
    "pi_math": ["libpi_math.so"],
    "pi_dnn": ["libpi_dnn.so"],
    "pi-benches": ["pi-bench"],
}
# The backends. Each is a plugin and, under a second name, an adapter.
BACKENDS = ["libpi_opencl.so", "libpi_level_zero.so", "libpi_cuda.so"]
NAMES = [name for names in SHIPPED.values() for name in names]
PACKAGES = [word for package in SHIPPED for word in ("--package", package)]
HEADERS = [xtask.ROOT / "include/pi/pi.h", xtask.ROOT / "include/pi/pi_runtime.h"]
# What links for an old glibc and packs wheels.
PYTHON_PACKAGES = ["ziglang==0.17.1", "cargo-zigbuild==0.24.0", "wheel==0.45.1", "zopflipy==1.14"]

# The moment that packages carry, so that the same sources give the same packages: the first second of 2026.
EPOCH = {"SOURCE_DATE_EPOCH": "1767225600"}

TOOLS = xtask.CACHE / "tools"
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or xtask.TARGET).absolute()
# The parts of packages. They are not for download.
PARTS = TARGET / "dist-parts"
FILES, DEBUG = PARTS / "files", PARTS / "debug"


def cargo(*words, **options):
    return xtask.output(["cargo", *map(str, words)], cwd=xtask.ROOT, **options)


@functools.cache
def workspace():
    """The packages of this workspace, as cargo describes them."""
    return json.loads(cargo("metadata", "--no-deps", "--format-version", "1"))["packages"]


def version():
    """The version of everything."""
    return next(package["version"] for package in workspace() if package["name"] == "pi")


def fill(file):
    """A text of ours for this version."""
    return file.read_text().replace("@VERSION@", version())


def cargo_tool(name, version):
    """A program from the registry of crates. Cargo installs it into the user's cache, once."""
    # It runs for seconds: a fast build counts more than a fast program.
    quick = {"CARGO_PROFILE_RELEASE_OPT_LEVEL": "1", "CARGO_PROFILE_RELEASE_LTO": "off"}
    with xtask.Step(f"{name} {version}, whose first build takes minutes"):
        words = ["install", "--locked", "--quiet", "--version", version, name, "--root", TOOLS]
        cargo(*words, env={**os.environ, **quick})
    return TOOLS / "bin" / name


def python():
    """The Python environment with the packages above, made if it is not there. It cannot be moved, so it is filled in its place."""
    root, content = TOOLS / "python", " ".join(PYTHON_PACKAGES)
    stamp = root / "packages"
    if not stamp.exists() or stamp.read_text() != content:
        with xtask.Step("installing Zig's linker, once"):
            xtask.output([sys.executable, "-m", "venv", "--clear", root])
            pip = [root / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            xtask.output([*pip, *PYTHON_PACKAGES])
            stamp.write_text(content)
    return root / "bin/python"


def put(file, folder, mode=0o644):
    """Copies a file into a folder, which is made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, folder / file.name).chmod(mode)


def fresh(folder):
    """The folder, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def places():
    """Folders of this machine that the compiler would write into the files, with what they are called instead.

    So the files are the same wherever they are built.
    """
    home = os.environ.get("CARGO_HOME") or pathlib.Path.home() / ".cargo"
    sysroot = xtask.output(["rustc", "--print", "sysroot"], cwd=xtask.ROOT).strip()
    return {f"{home}/registry/src": "crates", f"{sysroot}/lib/rustlib/src/rust": "rust", str(xtask.ROOT): "sycl-pi"}


def build():
    """Builds the files and strips copies of them. Cargo builds what has changed."""
    bin_folder = python().parent
    # Apart from the workspace's own: the linker is another one, and so is the glibc.
    target = TARGET / "dist-build"
    command = ["cargo", "zigbuild", "--release", "--target", f"{TRIPLE}.{GLIBC}", "--target-dir", target, *PACKAGES]
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}:{os.environ['PATH']}",
        "CARGO_ZIGBUILD_ZIG_PATH": str(bin_folder / "python-zig"),
        "CARGO_INCREMENTAL": "0",
        # 5 % smaller than with the thin one, whose build is shorter.
        "CARGO_PROFILE_RELEASE_LTO": "fat",
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(f"--remap-path-prefix={folder}={name}" for folder, name in places().items()),
    }
    with xtask.Step(f"building for glibc {GLIBC}, the first time for many minutes") as step:
        process = subprocess.Popen(command, cwd=xtask.ROOT, env=environment, stderr=subprocess.PIPE, text=True)
        said, count = [], 0
        for line in process.stderr:
            said.append(line)
            if line.strip().startswith("Compiling "):
                count += 1
                step.note(f"{count} crates, {line.split()[1]}")
        if process.wait() != 0:
            raise xtask.CannotRun(f"cargo failed:\n{''.join(said[-40:])}")
    fresh(FILES), fresh(DEBUG)
    for name in NAMES:
        strip(target / TRIPLE / "release" / name)
    check_glibc([FILES / name for name in NAMES], GLIBC)


def strip(built):
    """A debugger finds the file with the information by the link in the stripped one."""
    stripped, debug = FILES / built.name, DEBUG / f"{built.name}.debug"
    xtask.output(["objcopy", "--only-keep-debug", "--remove-section=.comment", built, debug])
    xtask.output(["objcopy", "--strip-unneeded", "--remove-section=.comment", built, stripped])
    xtask.output(["objcopy", f"--add-gnu-debuglink={debug}", stripped])


def check_glibc(files, limit):
    """Refuses files that need a newer glibc than `limit`.

    auditwheel does so for wheels only, and has one limit for all files: that of the drop-ins is another one.
    """

    def numbers(version):
        # Names such as PRIVATE belong to no release, so our files must not need them.
        return [int(part) if part.isdigit() else 10**6 for part in version.split(".")]

    for file in files:
        needed = set(re.findall(r"Name: GLIBC_(\S+)", xtask.output(["readelf", "--version-info", "--wide", file])))
        newer = sorted(version for version in needed if numbers(version) > numbers(limit))
        if newer or not needed:
            raise xtask.CannotRun(f"{file} needs glibc {', '.join(newer) or 'of no version'}; at most {limit}")
