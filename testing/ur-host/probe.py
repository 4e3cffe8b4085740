#!/usr/bin/env python3
"""Determine the layout of a release's Unified Runtime loader from its wheel, and compare it with ur-core's golden data.

    python3 testing/ur-host/probe.py 2026.2.0
    python3 testing/ur-host/probe.py 2027.0.0 --json      print it as ur-core/golden/functions.json has layouts

The loader of the wheel gets an adapter whose slots are numbered stubs. Every exported function of the loader is called
once, and the stub that it reaches reveals its table and slot. Signatures cannot be determined this way: compare
ur_api.h of the new wheel with that of the last one. The tests of ur-core compare its list with the golden data.

Exit code 0: the release has a known layout. 1: something differs. 2: the probe could not run.
"""

import argparse
import json
import os
import pathlib
import re
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import xtask

# The loader, and the libraries that it needs.
PACKAGES = ["intel-cmplr-lib-ur", "intel-cmplr-lib-rt"]
LAYOUTS = json.loads((xtask.ROOT / "ur-core" / "golden" / "functions.json").read_text())["layouts"]


def unpack(version, folder):
    """Returns the loader of a release."""
    wheels = [word for package in PACKAGES for word in ("--wheel", f"{package}=={version}")]
    for wheel in xtask.ask("provision", *wheels).splitlines():
        with zipfile.ZipFile(wheel) as archive:
            for item in archive.namelist():
                if "/lib/" in item and not item.endswith("/"):
                    (folder / pathlib.Path(item).name).write_bytes(archive.read(item))
    return folder / "libur_loader.so.0"


def probe(loader, folder):
    """The loader's layout, as the golden data has layouts."""
    symbols = xtask.output(["nm", "-D", "--defined-only", loader])
    names = sorted(set(re.findall(r"\b(ur(?!Print|Loader)[A-Z]\w*)(?:@|$)", symbols, re.M)))
    rows = {"GETTER": "getters.h", "FUNCTION": "functions.h"}
    for macro, header in rows.items():
        chosen = [name for name in names if name.endswith("ProcAddrTable") == (macro == "GETTER")]
        (folder / header).write_text("".join(f"{macro}({name})\n" for name in chosen))
    cc = ["cc", f"-I{folder}", HERE / "probe.c"]
    xtask.output([*cc, "-shared", "-fPIC", "-DADAPTER", "-o", folder / "libprobe.so"])
    xtask.output([*cc, "-o", folder / "probe", "-ldl"])

    variables = os.environ | {"LD_LIBRARY_PATH": str(folder), "UR_ADAPTERS_FORCE_LOAD": str(folder / "libprobe.so")}
    variables.pop("PROBE_TABLES", None)
    lines = [line.split() for line in xtask.output([folder / "probe", loader], env=variables).splitlines()]
    called = [(getter, int(version), int(offset)) for _, getter, version, offset in lines]
    starts = sorted(offset for *_, offset in called)
    tables = []
    for getter, _, offset in called:
        # A table ends where the next one starts. The last one's end is that of the newest layout that has it.
        after = [start for start in starts if start > offset]
        slots = (after[0] - offset) // 8 if after else known_slots(getter)
        table = {"getter": getter, "offset": offset - starts[0], "slots": slots, "functions": [None] * slots}
        tables.append(table)

    variables["PROBE_TABLES"] = "".join(f",{table['getter']}:{table['slots']}" for table in tables)
    by_getter = {table["getter"]: table for table in tables}
    for line in xtask.output([folder / "probe", loader], env=variables).splitlines():
        match line.split():
            case ["slot", function, getter, slot]:
                by_getter[getter]["functions"][int(slot)] = function
            case ["none", _]:
                pass
            case _:
                raise xtask.CannotRun(f"the probe printed {line!r}")
    return {
        "api_version": max(version for _, version, _ in called),
        "distance": called[1][2] - called[0][2],
        "getter_call_order": [getter for getter, *_ in called],
        "tables": tables,
    }


def known_slots(getter):
    found = [table["slots"] for layout in LAYOUTS.values() for table in layout["tables"] if table["getter"] == getter]
    return found[-1] if found else 0


def differences(read, known):
    """A line for each."""
    if read["api_version"] != known["api_version"]:
        yield f"version {read['api_version']:#x}, the golden data has {known['api_version']:#x}"
    old = {table["getter"]: table for table in known["tables"]}
    new = {table["getter"]: table for table in read["tables"]}
    yield from (f"the loader does not ask for {getter}" for getter in old.keys() - new.keys())
    for getter, table in new.items():
        if getter not in old:
            yield f"new table: {getter} with {table['slots']} slots"
        elif table["slots"] != old[getter]["slots"]:
            yield f"{getter}: {table['slots']} slots, the golden data has {old[getter]['slots']}"
    places = [
        {name: (getter, slot) for getter, table in tables.items() for slot, name in enumerate(table["functions"]) if name}
        for tables in (old, new)
    ]
    for name, (getter, slot) in places[1].items():
        if name not in places[0]:
            yield f"new function: {name} in slot {slot} of {getter}"
        elif places[0][name] != (getter, slot):
            yield f"{name}: slot {slot} of {getter}, the golden data has {places[0][name][1]} of {places[0][name][0]}"
    yield from (f"{name} is gone" for name in places[0].keys() - places[1].keys())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version", help="version of the wheel, such as 2026.2.0")
    parser.add_argument("--json", action="store_true", help="print the layout as JSON")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        read = probe(unpack(arguments.version, pathlib.Path(folder)), pathlib.Path(folder))
    if arguments.json:
        print(json.dumps(read, indent=2))
    matching = [name for name, layout in LAYOUTS.items() if layout["distance"] == read["distance"]]
    name = matching[0] if matching else list(LAYOUTS)[-1]
    if not matching:
        print(f"no known layout has {read['distance']} bytes between its first two tables. Compared with {name}:", file=sys.stderr)
    found = list(differences(read, LAYOUTS[name]))
    print(*found, sep="\n", end="\n" * bool(found))
    if found or not matching:
        return 1
    count = sum(function is not None for table in read["tables"] for function in table["functions"])
    print(f"{arguments.version} has the layout {name}: {count} functions, each in its slot")
    return 0


if __name__ == "__main__":
    xtask.exit_with(main)
