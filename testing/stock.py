"""Libraries of stock packages: dpctl, dpnp and oneMKL, unpacked from their wheels."""

import dataclasses
import functools
import pathlib
import shutil
import subprocess
import tempfile
import zipfile

import xtask

# Each package's versions, with the Python (3.x) of their wheels.
PACKAGES = {
    "dpctl": {
        "0.11.3": 9, "0.14.5": 9, "0.15.0": 9, "0.16.0": 10, "0.17.0": 10,
        "0.18.3": 12, "0.19.0": 12, "0.20.2": 12, "0.21.1": 12, "0.22.1": 12,
    },
    "dpnp": {
        "0.12.1": 9, "0.13.0": 9, "0.14.0": 9, "0.15.0": 10, "0.16.3": 10,
        "0.17.0": 12, "0.18.1": 12, "0.19.1": 12, "0.20.0": 12,
    },
    "mkl-dpcpp": {"2023.2.0": 12},
    "onemkl-sycl-distributed-dft": {"2026.2.0": 12},
    **{
        f"onemkl-sycl-{domain}": {"2024.2.2": 12, "2026.2.0": 12}
        for domain in ["blas", "datafitting", "dft", "lapack", "rng", "sparse", "stats", "vm"]
    },
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Library:
    package: str  # dpctl 0.14.5
    file: pathlib.Path

    @property
    def name(self):
        """Without the Python or the version that it is for: _tensor_impl.so, libmkl_sycl.so."""
        return self.file.name.split(".")[0] + ".so"

    def __str__(self):
        return f"{self.package}, {self.name}"


def libraries(names=()):
    """Those of the packages that are named like dpctl-0.14.5, or start so; of all packages if there is no name."""
    found = []
    for package, versions in PACKAGES.items():
        for version, python in versions.items():
            if not names or any(f"{package}-{version}".startswith(name) for name in names):
                found += [Library(f"{package} {version}", file) for file in unpacked(package, version, python)]
    if not found:
        raise xtask.CannotRun(f"no package starts with {' or '.join(names)}; known are {', '.join(PACKAGES)}")
    return found


def folder(package, version):
    """Where the wheel's libraries are unpacked."""
    return xtask.TARGET / "stock-libraries" / f"{package}-{version}"


@functools.cache
def unpacked(package, version, python):
    """The wheel's libraries, in a folder that appears when it is whole."""
    target = folder(package, version)
    if not target.exists():
        wheel = xtask.ask("provision", "--wheel", f"{package}=={version}", "--python", python).strip()
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as partial, zipfile.ZipFile(wheel) as archive:
            whole = pathlib.Path(partial) / "whole"
            whole.mkdir()
            for item in archive.infolist():
                name = item.filename.split("/")[-1]
                if name.endswith(".so") or ".so." in name:
                    with archive.open(item) as source, open(whole / name, "wb") as out:
                        shutil.copyfileobj(source, out)
            whole.rename(target)
    # A library stands in a wheel under each of its names: the same bytes. The shortest name comes first.
    files = sorted(target.iterdir(), reverse=True)
    return sorted({(file.stat().st_size, file.name.split(".")[0]): file for file in files}.values())


def fields(title, command, **options):
    """Runs a program on modules, and hands on the fields of each line that it prints, but those of progress. Last comes its exit code."""
    with (
        xtask.Step(title) as step,
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, **options) as process,
    ):
        for line in process.stdout:
            found = line.rstrip("\n").split("\t")
            if found[0] == "progress":
                step.note(found[1])
            else:
                yield found
    yield ["code", process.returncode]
