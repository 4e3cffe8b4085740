"""Our plugins and adapters in a sanitizer's build, each with an environment in which it finds only its driver."""

import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Subject:
    """A file of ours on a driver."""

    def __init__(self, file, driver, variables, extra=()):
        self.file = file
        self.driver = driver
        self.variables = variables
        # Arguments that leave out what the driver itself does not stand, by the program's command.
        self.left_out = dict(extra)

    def __str__(self):
        return f"{self.file.name} on {self.driver}"

    @property
    def is_adapter(self):
        return self.file.name.startswith("libur_")


def opencl_variables(driver):
    """What `cargo xtask env` sets. It runs without the sanitizer's settings: xtask is an ordinary build."""
    command = ["cargo", "xtask", "env", "--driver", driver, "--", "env", "-0"]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    names = ["LD_LIBRARY_PATH", "OCL_ICD_FILENAMES", "OCL_ICD_VENDORS", "CL_CONFIG_CPU_TARGET_ARCH", "POCL_CACHE_DIR"]
    found = dict(line.split("=", 1) for line in text.split("\0") if "=" in line)
    return {name: found[name] for name in names if name in found}


def software_cuda(built):
    """The software driver under the name of NVIDIA's, in a folder of its own."""
    folder = built / "software-cuda"
    folder.mkdir(exist_ok=True)
    fresh = folder / "libcuda.so.fresh"
    shutil.copy(built / "libsoftware_cuda.so", fresh)
    fresh.rename(folder / "libcuda.so.1")
    return {"LD_LIBRARY_PATH": str(folder)}


def software_level_zero(built, intel):
    """Two devices of two parts. Its kernels run on Intel's CPU runtime."""
    return intel | {
        "ZE_ENABLE_ALT_DRIVERS": str(built / "libsoftware_level_zero.so"),
        "ZES_ENABLE_SYSMAN": "1",
        "PI_SOFT_ZE_DEVICES": "2",
        "PI_SOFT_ZE_SUBDEVICES": "2",
    }


# Threads break these drivers at this, whatever the plugin does: docs/reports/robustness.md.
INTEL_2023 = {"stress": ["--in-order"]}
INTEL_CURRENT = {
    "stress": ["--in-order", "--without", "build"],
    "exit-order": ["--without", "exit_in_a_callback"],
}


def all_of(built):
    """Each of our plugins and adapters on each of its drivers."""
    intel_2023, intel_current = opencl_variables("intel-2023"), opencl_variables("intel-current")
    cuda, level_zero = software_cuda(built), software_level_zero(built, intel_2023)
    return [
        Subject(built / "libpi_cuda.so", "software CUDA", cuda),
        Subject(built / "libur_adapter_cuda.so", "software CUDA", cuda),
        Subject(built / "libpi_level_zero.so", "software Level Zero", level_zero),
        Subject(built / "libur_adapter_level_zero.so", "software Level Zero", level_zero),
        Subject(built / "libpi_opencl.so", "pocl", opencl_variables("pocl")),
        Subject(built / "libpi_opencl.so", "intel-2023", intel_2023, INTEL_2023),
        Subject(built / "libpi_opencl.so", "intel-current", intel_current, INTEL_CURRENT),
        Subject(built / "libur_adapter_opencl.so", "intel-current", intel_current, INTEL_CURRENT),
    ]


def as_plugin(subject, built):
    """An adapter as a plugin of PI, for programs that know plugins only. The name tells the layout and the backend."""
    if not subject.is_adapter:
        return subject
    backend = subject.file.stem.removeprefix("libur_adapter_")
    plugin = built / f"libpi_over_ur-2026.2-{backend}.so"
    fresh = built / f"{plugin.name}.fresh"
    shutil.copy(built / "examples/libpi_over_ur.so", fresh)
    fresh.rename(plugin)
    variables = subject.variables | {"PI_OVER_UR_ADAPTER": str(subject.file)}
    return Subject(plugin, subject.driver, variables, subject.left_out)
