#!/usr/bin/env python3
"""Set up everything for a real program on our plugin or adapter, and prove that it ran there.

    python3 demo/demo.py                        on the first release below that a Python here fits
    python3 demo/demo.py --release 2024.2.2     on that one
    python3 demo/demo.py --wheel FILE           as a user of the wheel, without Rust in PATH and without a network: at most 60 s

It builds ours, installs a stock DPC++ runtime with dpnp, and runs demo/program.py. Releases: 2026.2.0 needs Python 3.12, 2023.2.4
needs 3.9, and 2024.2.2 needs 3.11. Variables such as PYTHON312 can name one.

Exit code 0: every result is right. 1: some is wrong, or it took too long. 2: it could not run.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "testing"))
import xtask

RELEASES = ["2026.2.0", "2023.2.4", "2024.2.2"]
HERE = xtask.ROOT / "demo"
PICTURE = xtask.TARGET / "demo/mandelbrot.png"
# What the three steps of a user of the wheel may take together, in seconds.
LONGEST = 60


def choose(releases, **options):
    """The first environment that a Python of this machine fits."""
    for release in releases:
        try:
            return xtask.environment(f"{release}-dpnp", **options)
        except xtask.CannotRun:
            print(f"DPC++ {release} is left out, for the reason above", file=sys.stderr)
    raise xtask.CannotRun("no release can be installed here")


def compute(command, environment):
    """Runs the program. Releases differ in which of its outputs libsycl's trace of its plugins goes to."""
    # A libsycl without plugins refuses to start with this variable.
    trace = {} if environment.release.has_adapters else {"SYCL_PI_TRACE": "1"}
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    with xtask.Step(f"computing on DPC++ {environment.release.version}"):
        done = xtask.run([*command, HERE / "program.py", PICTURE], limit=600, env={**os.environ, **environment.variables, **trace})
    found = re.search(r"^RESULT (.*)$", done.stdout, re.M)
    if done.returncode != 0 or not found:
        raise xtask.CannotRun(f"the program {xtask.how(done.returncode)}:\n{xtask.tail(done.stdout + done.stderr)}")
    version = re.search(r"successfully loaded: libpi_opencl.so.*PluginVersion: *([^ \]]+)", done.stdout + done.stderr)
    return json.loads(found[1]), version and version[1]


def prove(loaded, meant, ours):
    """The hash of our file. The program must have mapped `meant`, a copy of it, and no other OpenCL plugin or adapter."""
    start = "libpi_opencl" if meant.name.startswith("libpi_") else "libur_adapter_opencl"
    # The vendor's other plugins of 2024 load adapters of their own.
    mapped = [file for file in loaded if os.path.basename(file).startswith(start)]
    if mapped != [str(meant.resolve())]:
        raise xtask.CannotRun(f"the program loaded {mapped} instead of {meant}")
    if meant.read_bytes() != ours.read_bytes():
        raise xtask.CannotRun(f"{meant} is not our file {ours}")
    return hashlib.sha256(ours.read_bytes()).hexdigest()


def show(found, version, environment, meant, ours):
    """Prints everything. Whether every check holds."""
    digest, release = prove(found["loaded"], meant, ours), environment.release
    print(f"\nprogram   {found['program']}\ndevice    {found['device']}")
    print(f"runtime   DPC++ {release.version}, {release.soname} of {release.interface}\n{release.loads:<10}{meant}")
    if version:
        print(f"          says PI {version}")
    print(f"          SHA-256 {digest}")
    print(f"proof     /proc/self/maps has that file, which is ours, and no other OpenCL {release.loads}")
    for what, seconds in found["seconds"]:
        print(f"time      {what}: {seconds:.3f} s")
    for what, value, allowed in found["checks"]:
        # A NaN fails.
        print(f"check     {what}: {value:.3e}, at most {allowed:.0e}: {'ok' if value <= allowed else 'WRONG'}")
    print(f"picture   {PICTURE}")
    return all(value <= allowed for _, value, allowed in found["checks"])


def run(releases, no_build):
    built = xtask.TARGET / "release"
    if not no_build:
        xtask.build("pi_opencl", "pi")
    environment = choose(releases, plugin="ours")
    ours = built / ("libur_adapter_opencl.so" if environment.release.has_adapters else "libpi_opencl.so")
    return show(*compute([environment.python], environment), environment, environment.plugin, ours)


def run_wheel(releases, wheel):
    """The environment's programs and no others, and no network where that can be arranged."""
    environment = choose(releases)
    with tempfile.TemporaryDirectory(dir=xtask.TARGET) as scratch:
        root = pathlib.Path(scratch) / "environment"
        xtask.output(["cp", "--archive", "--reflink=auto", environment.root, root])
        variables = {name: value.replace(str(environment.root), str(root)) for name, value in environment.variables.items()}
        user = {"PATH": str(root / "bin"), "HOME": scratch, "PYTHONDONTWRITEBYTECODE": "1"}
        environment.variables = {**variables, **user}
        unshare = ["/usr/bin/unshare", "--net"]
        offline = unshare if subprocess.run([*unshare, "/bin/true"], stderr=subprocess.DEVNULL).returncode == 0 else []
        times = [time.monotonic()]
        pip = [root / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", wheel]
        xtask.output([*offline, *pip], env=user)
        times.append(time.monotonic())
        xtask.output([*offline, root / "bin/pi", "install"], env=user)
        times.append(time.monotonic())
        found, version = compute([*offline, root / "bin/python"], environment)
        times.append(time.monotonic())
        installed = next(root.glob("lib/python*/site-packages/sycl_pi/bin"))
        kind = "libur_adapter_opencl" if environment.release.has_adapters else "libpi_opencl"
        (meant,) = [pathlib.Path(file) for file in found["loaded"] if os.path.basename(file).startswith(kind)]
        good = show(found, version, environment, meant, installed / f"{kind}.so")
    for step, before, after in zip(("pip install", "pi install", "a dpnp program"), times, times[1:]):
        print(f"step      {step}: {after - before:.1f} s")
    whole = times[-1] - times[0]
    print(f"first use {whole:.1f} s, at most {LONGEST} s; no Rust on PATH{', no network' if offline else ''}")
    return good and whole <= LONGEST


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", choices=RELEASES)
    parser.add_argument("--no-build", action="store_true", help="use what target/release holds")
    parser.add_argument("--wheel", type=pathlib.Path)
    arguments = parser.parse_args()
    releases = [arguments.release] if arguments.release else RELEASES
    good = run_wheel(releases, arguments.wheel.absolute()) if arguments.wheel else run(releases, arguments.no_build)
    return 0 if good else 1


if __name__ == "__main__":
    xtask.exit_with(main)
