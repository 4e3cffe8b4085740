"""The stock loader of Level Zero: its version, and the functions that plugins and adapters need but it lacks."""

import os
import pathlib
import re
import subprocess

import xtask


def loader_version():
    """As Debian names it."""
    query = ["dpkg-query", "--show", "--showformat=${Version}", "libze1"]
    return subprocess.run(query, capture_output=True, text=True).stdout.strip() or "of unknown version"


def missing_functions(*files):
    """Functions that these files are linked to and the loader lacks. Such a file cannot be loaded. Ours looks up each function by itself."""
    names = set()
    for file in files:
        search = {**os.environ, "LD_LIBRARY_PATH": str(file.parent)}
        said = subprocess.run(["ldd", "-r", file], env=search, capture_output=True, text=True)
        names.update(re.findall(r"undefined symbol: (ze\w+)", said.stdout + said.stderr))
    return sorted(names)


def stand_ins(names, folder):
    """Builds a library to preload, with functions that all answer that they are not supported: without a device nobody calls them."""
    source, library = pathlib.Path(folder, "missing.c"), pathlib.Path(folder, "libmissing.so")
    source.write_text("".join(f"unsigned {name}(void) {{ return 0x78000003u; }}\n" for name in names))
    xtask.output(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared", source, "-o", library])
    return library
