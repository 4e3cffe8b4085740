#!/usr/bin/env python3
"""Make the packages of a release in target/dist, or in the folder dist of CARGO_TARGET_DIR.

    python3 packaging/dist.py                  all of them, SHA256SUMS, and a table of contents, CONTENTS.md
    python3 packaging/dist.py wheel deb        only these; others that lie there from an earlier run stay

    wheel      everything for pip install: plugins, adapters, runtime, headers, pi, the harness, the drop-ins for oneMKL and oneDNN
    deb        the Debian package
    crates     the crates, as a registry takes them
    debug      the debugging information of the built files

Libraries and programs are built once, for an old glibc. All packages hold the same files.

Exit code 0: the packages are there. 2: they could not be made.
"""

import argparse
import functools
import hashlib
import os
import sys

import build
import deb
import origin
import wheel
import xtask
from wheel import drop_ins

FOLDER = build.TARGET / "dist"
# The drop-ins are C++ with the compiler of Debian 12.
DROP_INS_GLIBC = "2.34"
DEBUG = "sycl-pi-*-debug.tar.xz"
# What an earlier version of each part is called.
EARLIER = {
    "wheel": "*.whl",
    "deb": "*.deb",
    "crates": "crates/*",
    "debug": DEBUG,
}
PURPOSES = {
    "wheel": "for `pip install`: plugins, adapters, runtime, headers, `pi`, the harness, drop-ins for NVIDIA GPUs",
    "deb": "the same for Debian and Ubuntu, with man pages, completions, pkg-config and CMake files",
    "crates": "source of a crate, as a registry takes it",
    "debug": "debugging information, beside the stripped files",
}


def make(parts):
    """Makes these parts. Others that lie there from an earlier run stay; an older version of a part that is made does not."""
    # Packages have the same modes for every user.
    os.umask(0o022)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for part in parts:
        for old in FOLDER.glob(EARLIER[part]):
            old.unlink()
    build.build()
    origin.write_licences()
    origin.write_bills()
    build.put(origin.LICENCES, FOLDER)
    for part in parts:
        MAKERS[part]()
    write_contents()


@functools.cache
def drop_in_files():
    """The drop-ins for oneMKL's libraries and for oneDNN. They are C++ against the headers of stock releases, which are downloaded once."""
    made = drop_ins.build(build.FILES, build.PARTS / "math")
    build.check_glibc(made, DROP_INS_GLIBC)
    return made


def make_crates():
    """They are not built here: `cargo xtask check packages` does that."""
    with xtask.Step("packing the crates") as step:
        names = [package["name"] for package in build.workspace() if package["publish"] != []]
        words = [word for name in names for word in ("--package", name)]
        build.cargo("package", "--quiet", "--no-verify", "--allow-dirty", "--target-dir", build.TARGET, *words)
        for name in names:
            build.put(build.TARGET / "package" / f"{name}-{build.version()}.crate", FOLDER / "crates")
        step.outcome = f"{len(names)} crates"


def make_debug():
    """One archive. A debugger finds a file of it by the link in the stripped one."""
    with xtask.Step("packing the debugging information") as step:
        archive = FOLDER / DEBUG.replace("*", build.version())
        tar = ["tar", "--sort=name", "--owner=0", "--group=0", "-cJf", archive, "-C", build.DEBUG, "."]
        xtask.output(tar, env={**os.environ, "XZ_OPT": "-2"})
        step.outcome = f"{archive.stat().st_size / 1e6:.2f} MB"


MAKERS = {
    "wheel": lambda: wheel.pack(FOLDER, drop_in_files()),
    "deb": lambda: deb.pack(FOLDER, drop_in_files()),
    "crates": make_crates,
    "debug": make_debug,
}


def write_contents():
    """The table of contents, and the checksums for `sha256sum --check`."""
    sums, table = "", ""
    for file in sorted(FOLDER.rglob("*")):
        if file.is_dir() or file.name in ("CONTENTS.md", "SHA256SUMS"):
            continue
        name = file.relative_to(FOLDER)
        purpose = [PURPOSES[part] for part, names in EARLIER.items() if file in FOLDER.glob(names)]
        sums += f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {name}\n"
        table += f"| `{name}` | {file.stat().st_size} | {(*purpose, 'licences of the crates that the files are made of')[0]} |\n"
    head = f"# sycl-pi {build.version()}\n\nChecksums are in `SHA256SUMS`.\n\n| file | bytes | what it is |\n| --- | ---: | --- |\n"
    (FOLDER / "SHA256SUMS").write_text(sums)
    (FOLDER / "CONTENTS.md").write_text(head + table)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="*", help=f"only these: {', '.join(MAKERS)}")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.part if part not in MAKERS]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; the parts are {', '.join(MAKERS)}")
    make(arguments.part or list(MAKERS))
    print((FOLDER / "CONTENTS.md").read_text().strip())
    print(f"the release is in {FOLDER}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    xtask.exit_with(main)
