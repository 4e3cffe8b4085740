"""Stock dpnp in virtual environments: on Intel's CPU runtime as it comes, and on the software GPU with our files in place.

environments.py RELEASE [COMMAND...]   runs a command in the environment on the software GPU, `python` being its Python
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "testing"), str(ROOT / "runtime/mkl/rim")]
import drop_ins as mkl
import xtask
from xtask import CACHE, TARGET

BUILT = TARGET / "release"
PYTHON = "python3.12"
# dpnp of each release of DPC++, and what it needs.
RELEASES = {
    "2026.2.0": ["dpnp==0.20.0", "dpctl==0.22.1", "mkl==2026.2.0", "numpy==2.5.5"]
    + [f"onemkl-sycl-{part}==2026.2.0" for part in ("blas", "dft", "lapack", "rng", "vm")],
    "2025.3.3": ["dpnp==0.19.1", "dpctl==0.21.1", "mkl==2025.3.1", "numpy==2.3.5"]
    + [f"onemkl-sycl-{part}==2025.3.1" for part in ("blas", "dft", "lapack", "rng", "stats", "vm")],
}
RUNTIMES = ("dpcpp-cpp-rt", "intel-cmplr-lib-rt", "intel-opencl-rt", "intel-sycl-rt")
TOOLS = ["pytest==8.3.5"]
# Packages that the tests and the drop-ins need.
CRATES = ("pi", "pi-nvvm", "pi_math", "software-cuda", "software-math", "software-nvvm", "ur_adapter_cuda")
# What would choose another device or adapter.
NOT_INHERITED = ("ONEAPI_DEVICE_SELECTOR", "PI_LOG", "UR_ADAPTERS_FORCE_LOAD", "UR_ADAPTERS_SEARCH_PATH", "SYCL_UR_TRACE")


def run(*command, **more):
    subprocess.run([str(word) for word in command], check=True, **more)


def build():
    """Builds everything, and answers the folder with the drop-ins."""
    xtask.build(*CRATES)
    return mkl.build_all()


def find_python():
    """A Python 3.12: PYTHON312, one of the path, or pyenv's."""
    asked = os.environ.get("PYTHON312") or shutil.which(PYTHON)
    pyenv = sorted((Path.home() / ".pyenv/versions").glob("3.12*/bin/python3.12"))
    works = asked and subprocess.run([asked, "--version"], capture_output=True).returncode == 0
    found = asked if works else next(iter(map(str, pyenv)), None)
    if not found:
        sys.exit("no Python 3.12 was found; name one in PYTHON312")
    return found


def stock(release):
    """The environment as its vendors ship it."""
    wanted = RELEASES[release] + [f"{name}=={release}" for name in RUNTIMES] + TOOLS
    place, stamp = CACHE / "environments" / f"{release}-dpnp-tests", "\n".join(wanted)
    mark = place / "installed"
    if mark.exists() and mark.read_text() == stamp:
        return place
    shutil.rmtree(place, ignore_errors=True)
    run(find_python(), "-m", "venv", "--copies", place)
    pip = [place / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run(*pip, "--find-links", CACHE / "wheels", *wanted)
    mark.write_text(stamp)
    return place


def on_software_gpu(release, drop_ins):
    """A copy of the environment, into which `pi` has installed our files as a user's."""
    place = TARGET / "dpnp-tests" / release
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        run("cp", "--archive", "--reflink=auto", stock(release), place)
    install = [BUILT / "pi", "install", "--spirv-on-nvidia", "--plugin", BUILT / "libur_adapter_cuda.so", place]
    run(*install, env={**os.environ, "PI_MATH": str(drop_ins)}, stdout=subprocess.DEVNULL)
    return place


def put(name, place):
    """Copies a built file, so that a program that has the old one open keeps it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    new = place.with_name(place.name + ".new")
    shutil.copy2(BUILT / name, new)
    new.rename(place)


def software_gpu():
    """The variables with which a program finds the software GPU, and no other device. Without the path of libraries."""
    put("libsoftware_cuda.so", TARGET / "software-cuda/libcuda.so.1")
    put("libsoftware_nvvm.so", TARGET / "software-nvvm/nvvm/lib64/libnvvm.so")
    libdevice = TARGET / "software-nvvm/nvvm/libdevice/libdevice.10.bc"
    libdevice.parent.mkdir(parents=True, exist_ok=True)
    # A file with another time is another libdevice, for which everything is compiled again.
    if not libdevice.exists():
        libdevice.write_text("The software driver has these functions.\n")
    for name in mkl.NVIDIAS:
        put("libsoftware_math.so", TARGET / "software-math" / name)
    return {
        "PI_CUDA_AS": "opencl",
        "PI_NVIDIA_LIBRARIES": str(TARGET / "software-math"),
        "PI_NVVM": str(TARGET / "software-nvvm"),
        "PI_NVVM_COMPILER": str(BUILT / "pi-nvvm"),
        "PI_SOFTWARE_CUDA_DEVICES": "1",
        "PI_TEST_MATH": str(BUILT / "libpi_math.so"),
        "SYCL_CACHE_DIR": str(TARGET / "software-cuda-programs"),
        "OCL_ICD_VENDORS": "/nowhere",
        "ONEAPI_DEVICE_SELECTOR": "*:gpu",
    }


def variables(more, *folders):
    """The variables of a program: the process's own, `more`, and these folders of libraries."""
    kept = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    rest = [kept["LD_LIBRARY_PATH"]] if kept.get("LD_LIBRARY_PATH") else []
    path = os.pathsep.join([*map(str, folders), *rest])
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1", **more, "LD_LIBRARY_PATH": path}


def gpu_variables(place):
    return variables(software_gpu(), TARGET / "software-cuda", place / "lib")


def cpu_variables(place):
    driver = {"OCL_ICD_FILENAMES": str(place / "lib/libintelocl.so"), "OCL_ICD_VENDORS": "/nowhere"}
    return variables({**driver, "ONEAPI_DEVICE_SELECTOR": "opencl:cpu"}, place / "lib")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in RELEASES:
        sys.exit(f"{__doc__}\nreleases: {', '.join(RELEASES)}")
    place = on_software_gpu(sys.argv[1], build())
    words = [str(place / "bin/python") if word == "python" else word for word in sys.argv[2:]]
    os.execvpe(words[0], words, gpu_variables(place))
