"""The PEP 517 backend with which pip builds this checkout: `packaging/for_this_machine.py` does it.

`--config-settings drop-ins=yes` puts the drop-ins for oneMKL and oneDNN into the wheel.
"""

import shutil
import subprocess
import sys


def get_requires_for_build_wheel(config_settings=None):
    """Nothing of Python's."""
    return []


def make(folder, part):
    """Makes the wheel or its metadata, and returns the name. pip runs this in the checkout."""
    if shutil.which("cargo") is None:
        raise SystemExit("error: no cargo in PATH; install Rust, from https://rustup.rs")
    command = [sys.executable, "packaging/for_this_machine.py", folder, part]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Without it pip would build the wheel to learn its name."""
    return make(metadata_directory, "metadata")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    wanted = (config_settings or {}).get("drop-ins", "no")
    if wanted not in ("yes", "no"):
        raise SystemExit(f"error: drop-ins={wanted} is neither yes nor no")
    return make(wheel_directory, "drop-ins" if wanted == "yes" else "wheel")


def build_sdist(sdist_directory, config_settings=None):
    """There is none: a checkout is the source, and crates are published as crates."""
    raise NotImplementedError("sycl-pi has no source distribution; use a checkout: pip install .")
