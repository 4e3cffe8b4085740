"""Run rounds of `pi install` and `pi uninstall` on environments of symbolic links, hard links and copies, as uv, pip
and conda make them.

    python3 testing/install/link_rounds.py                 200 rounds on each release
    python3 testing/install/link_rounds.py --rounds 20 --release 2026.2.0 --pi target/release/pi

The environments contain stock releases, from the wheels that `cargo xtask` keeps; uv comes from PyPI. In each round, up
to three commands run on one environment at once. The last one is an uninstall, after which the environment must be
unchanged. After an install alone, the environment's libsycl must open our files. A release takes 8 GB in TMPDIR. At the
end, the SHA-256 of each file of the package caches, and of the environment to which others link, must be unchanged.
"""

import argparse
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import zipfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import xtask

RELEASES = ["2024.2.2", "2025.3.3", "2026.2.0"]
# What a libsycl needs to be asked for its devices.
PACKAGES = ("intel-sycl-rt", "intel-cmplr-lib-ur", "intel-cmplr-lib-rt", "umf", "tcmlib")
# What would choose other files.
NOT_INHERITED = ("ONEAPI_DEVICE_SELECTOR", "UR_ADAPTERS_FORCE_LOAD", "UR_ADAPTERS_SEARCH_PATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200, help="for each release (default: 200)")
    parser.add_argument("--release", action="append", choices=RELEASES, help="default: all")
    parser.add_argument("--pi", type=pathlib.Path, default=xtask.TARGET / "release/pi", help="with our files beside it")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    failures = 0
    for release in arguments.release or RELEASES:
        with tempfile.TemporaryDirectory(prefix="pi-link-rounds-") as scratch:
            failures += rounds(release, arguments, pathlib.Path(scratch).resolve(), chance)
    return 1 if failures else 0


def rounds(release, arguments, scratch, chance):
    """Returns the number of failures on one release."""
    environments = make(release, scratch)
    shared = [scratch / name for name in ("uv-cache", "packages", "base")]
    before = {name: picture(folder, scratch) for name, folder in environments.items()}
    outside = {file: digest(file) for folder in shared for file in files(folder)}
    failures, done = 0, dict.fromkeys(environments, 0)
    for number in range(arguments.rounds):
        name = chance.choice(list(environments))
        what = f"{release}, {name}, round {number}"
        failures += one_round(arguments.pi.resolve(), environments[name], chance, what)
        if picture(environments[name], scratch) != before[name]:
            print(f"{what}: the environment is not as it was")
            failures += 1
            before[name] = picture(environments[name], scratch)
        done[name] += 1
    changed = [file for file, known in outside.items() if not file.exists() or digest(file) != known]
    new = [file for folder in shared for file in files(folder) if file not in outside]
    for file in changed + new:
        print(f"{release}: outside of the environments, {file} was {'made' if file in new else 'changed'}")
    counts = ", ".join(f"{name} {count}" for name, count in done.items())
    print(f"{release}: {arguments.rounds} rounds ({counts}), {failures} failures; of {len(outside)} files outside {len(changed)} changed, {len(new)} new")
    return failures + len(changed) + len(new)


def one_round(pi, environment, chance, what):
    failures = 0
    if chance.random() < 0.5:
        told = json.loads(run(pi, "install", environment).communicate()[0])
        passed_over = [entry["plugin"] for entry in told.get("entries", [told]) if entry.get("opened") is not True]
        if passed_over:
            print(f"{what}: libsycl does not open {', '.join(map(str, passed_over))}: {json.dumps(told)}")
            failures += 1
    else:
        started = [run(pi, chance.choice(["install", "uninstall", "status"]), environment) for _ in range(chance.randint(1, 3))]
        for process in started:
            said = process.communicate()[0]
            # An install says 1 where another process has just taken its files away, and a status says 3 without them.
            if process.returncode not in (0, 1, 3):
                print(f"{what}: {process.args} ended with {process.returncode}: {said}")
                failures += 1
    last = run(pi, "uninstall", environment)
    said = last.communicate()[0]
    if last.returncode != 0:
        print(f"{what}: pi uninstall ended with {last.returncode}: {said}")
        failures += 1
    return failures


def run(pi, command, environment):
    variables = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    words = [str(pi), "--json", command, str(environment)]
    return subprocess.Popen(words, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def make(release, scratch):
    """Makes the environments of one release. Returns their folders by their names."""
    pins = [pin for pin in xtask.releases()[release].wheels if pin.split("==")[0] in PACKAGES]
    words = [word for pin in pins for word in ("--wheel", pin)]
    wheels = [pathlib.Path(line) for line in xtask.ask("provision", *words).splitlines()]
    tools, found = scratch / "tools", {}
    with xtask.Step(f"making environments of {release}"):
        quietly(sys.executable, "-m", "venv", tools)
        quietly(tools / "bin/pip", "install", "--quiet", "uv")
        for mode in ("symlink", "hardlink", "copy"):
            folder = found[f"uv {mode}"] = scratch / f"uv-{mode}"
            quietly(tools / "bin/uv", "venv", "--quiet", "--python", sys.executable, folder)
            install = ["pip", "install", "--quiet", "--no-deps", "--no-index", "--link-mode", mode]
            quietly(tools / "bin/uv", *install, "--python", folder / "bin/python", *wheels, UV_CACHE_DIR=scratch / "uv-cache")
        for name in ("pip", "base"):
            quietly(sys.executable, "-m", "venv", scratch / name)
            quietly(scratch / name / "bin/pip", "install", "--quiet", "--no-deps", "--no-index", *wheels)
        found["pip"] = scratch / "pip"
        for name, link in (("conda hard links", os.link), ("conda links", os.symlink)):
            found[name] = conda(wheels, scratch, scratch / name.replace(" ", "-"), link)
        found["links to a base"] = links_to(scratch / "base", scratch / "linked")
    return found


def conda(wheels, scratch, environment, link):
    """An environment in conda's layout: each package unpacked in a folder of its own, its files linked, and a record of it."""
    (environment / "conda-meta").mkdir(parents=True)
    for wheel in wheels:
        name = "-".join(wheel.name.split("-")[:2]).replace("_", "-") + "-intel_1"
        package = scratch / "packages" / name
        if not package.exists():
            with zipfile.ZipFile(wheel) as archive:
                for member in archive.namelist():
                    # NAME.data/data/lib/FILE
                    parts = pathlib.PurePath(member).parts
                    if len(parts) > 2 and parts[1] == "data" and not member.endswith("/"):
                        file = package.joinpath(*parts[2:])
                        file.parent.mkdir(parents=True, exist_ok=True)
                        file.write_bytes(archive.read(member))
        names = [str(file.relative_to(package)) for file in files(package)]
        for file in names:
            (environment / file).parent.mkdir(parents=True, exist_ok=True)
            link(package / file, environment / file)
        (environment / f"conda-meta/{name}.json").write_text(json.dumps({"name": name, "files": names}))
    return environment


def links_to(base, environment):
    (environment / "lib").mkdir(parents=True)
    for file in (base / "lib").iterdir():
        (environment / "lib" / file.name).symlink_to(file)
    return environment


def quietly(*words, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    xtask.output([str(word) for word in words], env=environment | {name: str(value) for name, value in variables.items()})


def files(folder):
    """All files below a folder that are no links, in order."""
    found = (pathlib.Path(place) / name for place, _, names in os.walk(folder) for name in names)
    return sorted(file for file in found if not file.is_symlink())


def digest(file):
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def picture(folder, scratch):
    """What tells that a file was changed: its mode, and where it leads or its size, number and time."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in names + folders:
            file = pathlib.Path(place, name)
            about = file.lstat()
            if file.is_symlink():
                found[file] = os.readlink(file)
            elif file.is_file() and "__pycache__" not in file.parts:
                found[file] = (about.st_mode, about.st_size, about.st_ino, about.st_mtime_ns)
    return found


if __name__ == "__main__":
    xtask.exit_with(main)
