"""The PEP 517 backend with which pip builds this checkout: `python3 packaging/dist.py wheel` does it."""

import glob
import os
import shutil
import subprocess
import sys


def get_requires_for_build_wheel(config_settings=None):
    """Nothing of Python's: packaging/dist.py brings what it needs."""
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Makes the wheel and returns its name. pip runs this in the checkout."""
    if shutil.which("cargo") is None:
        raise SystemExit("error: no cargo in PATH; install Rust, from https://rustup.rs")
    subprocess.run([sys.executable, "packaging/dist.py", "wheel"], check=True)
    target = os.environ.get("CARGO_TARGET_DIR") or "target"
    (wheel,) = glob.glob(os.path.join(target, "dist", "sycl_pi-*.whl"))
    shutil.copy(wheel, wheel_directory)
    return os.path.basename(wheel)


def build_sdist(sdist_directory, config_settings=None):
    """There is none: a checkout is the source, and crates are published as crates."""
    raise NotImplementedError("sycl-pi has no source distribution; use a checkout: pip install .")
