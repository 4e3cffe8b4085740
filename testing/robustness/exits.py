#!/usr/bin/env python3
"""End processes in many ways, on our OpenCL plugins and adapters and on the vendor's, and compare how they end.

    python3 testing/robustness/exits.py --json target/exits.json
    python3 testing/robustness/exits.py --release 2026.2.0 --kind local_memset --kind static_queue --times 10

The programs have these kinds of ends: queues that are released while their commands run, queues in static objects,
threads that are still running, forked children. programs/exits.cpp uses the C API of dpctl, on the stock libsycl of
each release; exits_python.py is a program in Python. Host tasks, graphs and user events are in exits_sycl.cpp, for
releases with SYCL's headers, and in exits_pi.c, which calls a plugin itself. A run is good if the process ends with the
exit code of its kind within the time limit. Each kind runs on both sides in turn. Ours is worse if it has more bad runs
than chance explains, by Fisher's exact test at 1 in 100.

Exit code 0: ours is worse in no kind. 1: it is worse in some. 2: it could not run.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import math
import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import xtask

RELEASES = ["2023.2.4", "2024.2.2", "2025.3.3", "2026.2.0"]
SIDES = ["ours", "vendor"]
# What `cargo xtask test` runs on ours: kinds that end well in all of 48 runs.
SAMPLE = ["local_memset", "local_copies", "static_queue", "event_outlives_queue", "queue_leaks", "std_exit_with_queue", "queue_of_exit_handler", "child_exits"]
SAMPLE += ["static_joins_thread_that_drops_queues", "many_events_leak", "python_host_task"]
SAMPLE_RELEASES = ["2024.2.2", "2026.2.0"]
SAMPLE_TIMES = 4
# A side that hangs so often is not tried further.
MOST_HANGS = 6
CHANCE = 0.01
# The code of a program whose kind this side has not.
LACKS = 77


@dataclasses.dataclass
class Cell:
    """The runs of one kind on one side of a release."""

    good: int = 0
    ends: dict = dataclasses.field(default_factory=dict)  # of bad runs

    @property
    def bad(self):
        return sum(self.ends.values())

    @property
    def hangs(self):
        return self.ends.get("no end", 0)

    def count(self, code, wanted):
        if code == wanted:
            self.good += 1
            return
        end = "no end" if code is None else f"signal {-code}" if code < 0 else f"code {code}"
        self.ends[end] = self.ends.get(end, 0) + 1

    def __str__(self):
        return f"{self.bad} of {self.good + self.bad}"


def chance(ours, vendor):
    """How likely ours has so many of all bad runs if both sides are alike."""
    runs, bad = ours.good + ours.bad + vendor.good + vendor.bad, ours.bad + vendor.bad
    tried = ours.good + ours.bad
    ways = lambda one: math.comb(bad, one) * math.comb(runs - bad, tried - one)
    return sum(ways(one) for one in range(ours.bad, min(bad, tried) + 1)) / math.comb(runs, tried)


def is_worse(ours, vendor):
    return chance(ours, vendor) < CHANCE


def compile_for(vendor):
    """The programs for a release, each as a command, linked to its libraries as SYCL programs are. The first is exits.cpp."""
    dpctl = vendor.site_packages / "dpctl"
    library = next(file for file in (dpctl / name for name in ["libDPCTLSyclInterface.so.0", "libDPCTLSyclInterface.so"]) if file.exists())
    includes = ["-isystem", dpctl / "include/syclinterface", "-isystem", dpctl / "include"]
    commands = [[compiled(vendor, "exits.cpp", *includes, library, f"-Wl,-rpath,{dpctl}")]]
    commands.append([vendor.python, HERE / "programs/exits_python.py"])
    headers = vendor.root / "include"
    if vendor.release.loads == "plugin":
        version = vendor.release.interface.split()[1].replace(".", "_")
        has = [f"-DHAS_COMMAND_BUFFERS={int(version == '15_47')}"]
        commands.append([compiled(vendor, "exits_pi.c", f"-DVERSION={version}", *has, "-I", xtask.ROOT / "include")])
    if (headers / "sycl").exists():
        commands.append([compiled(vendor, "exits_sycl.cpp", "-isystem", headers, vendor.lib / vendor.release.soname)])
    return commands


def compiled(vendor, source, *arguments):
    folder = xtask.TARGET / "exits"
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / f"{source.split('.')[0]}-{vendor.release.name}"
    compiler = ["g++", "-std=c++17"] if source.endswith(".cpp") else ["gcc", "-std=gnu11"]
    command = [*compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", HERE / "programs" / source, "-o", program, *arguments]
    xtask.output([*command, "-ldl", "-Wl,--unresolved-symbols=ignore-in-shared-libs"])
    return program


def check_file(program, side, environment):
    """Ours is loaded exactly where it is meant to be."""
    loaded = xtask.output([program, "files"], env={**os.environ, **environment.variables}).split()
    files = [os.path.realpath(file) for file in loaded]
    ours = [file for file in files if file.startswith(str(xtask.TARGET.resolve()))]
    if (side == "ours") != bool(ours) or (side == "ours" and files != ours):
        raise xtask.CannotRun(f"{environment.release.name} has loaded {files} as {side}")


def run_release(name, sides, kinds, times, jobs, limit):
    """All kinds on one release: {kind: {side: Cell}}."""
    vendor = xtask.environment(name)
    commands = compile_for(vendor)
    # Copied: a build in the meantime changes nothing.
    file = "libpi_opencl.so" if vendor.release.loads == "plugin" else "libur_adapter_opencl.so"
    folder = xtask.TARGET / "exits" / name
    folder.mkdir(exist_ok=True)
    ours = shutil.copy(xtask.TARGET / "release" / file, folder)
    environments = {side: xtask.environment(name, side, file=ours if side == "ours" else None) for side in sides}
    for side, environment in environments.items():
        check_file(commands[0][0], side, environment)
    variables = {side: {**os.environ, **one.variables, "PI_ROBUST_PLUGIN": str(one.plugin)} for side, one in environments.items()}
    wanted, command_of = {}, {}
    for command in commands:
        for line in xtask.output(command, env=variables[sides[0]]).splitlines():
            kind, code = line.split()
            wanted[kind], command_of[kind] = int(code), [*command, kind]
    unknown = set(kinds) - set(wanted)
    if unknown:
        raise xtask.CannotRun(f"no kind is called {', '.join(sorted(unknown))}")
    table = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool, xtask.Step(f"DPC++ {name}") as step:
        for kind in kinds or wanted:
            cells = table[kind] = {side: Cell() for side in sides}

            def once(side, kind=kind, cells=cells):
                if cells[side].hangs < MOST_HANGS:
                    ended = xtask.run(command_of[kind], limit, env=variables[side])
                    if ended.returncode != LACKS:
                        cells[side].count(ended.returncode, wanted[kind])

            list(pool.map(once, sides * times))
            step.note(f"{kind}: " + ", ".join(f"{side} {cell}" for side, cell in cells.items()))
    return table


def rows(tables):
    """A row for each kind that does not always end well, on any side."""
    kinds = dict.fromkeys(kind for table in tables.values() for kind in table)
    for kind in kinds:
        cells = [table.get(kind, {}) for table in tables.values()]
        if any(cell.bad for row in cells for cell in row.values()):
            yield [f"`{kind}`", *(" / ".join(str(row[side].bad) for side in SIDES if side in row) for row in cells)]


def sums(tables):
    for side in SIDES:
        of_side = [[row[side] for row in table.values() if side in row] for table in tables.values()]
        if any(of_side):
            yield [f"{side}: bad runs", *(f"{sum(cell.bad for cell in cells)} of {sum(cell.bad + cell.good for cell in cells)}" for cells in of_side)]


def worse(tables):
    for name, table in tables.items():
        for kind, cells in table.items():
            if len(cells) == 2 and is_worse(cells["ours"], cells["vendor"]):
                yield f"{name}, {kind}: ours ended badly in {cells['ours']} runs, the vendor's in {cells['vendor']}"


def sample():
    """Each run on ours has to end well."""
    totals = xtask.Totals()
    for name in SAMPLE_RELEASES:
        for kind, cells in run_release(name, ["ours"], SAMPLE, SAMPLE_TIMES, 2, 120).items():
            cell = cells["ours"]
            totals.count(not cell.bad)
            if cell.bad:
                print(f"{name}, {kind}: {cell} runs ended badly: {cell.ends}")
    return totals


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", action="append", choices=RELEASES, help="only this release (repeatable)")
    parser.add_argument("--side", action="append", choices=SIDES, help="only this side (repeatable)")
    parser.add_argument("--kind", action="append", default=[], help="only this kind (repeatable)")
    parser.add_argument("--times", type=int, default=48, help="runs of each kind on each side")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--limit", type=float, default=20, help="seconds after which a process counts as hung")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all counts to this file")
    parser.add_argument("--sample", action="store_true", help="what `cargo xtask test` runs: some kinds, ours only")
    arguments = parser.parse_args()
    xtask.install("g++", "libc6-dev")
    xtask.build("pi_opencl")
    if arguments.sample:
        totals = sample()
        print(totals)
        return totals.code
    start, tables = os.getloadavg()[0], {}
    for name in arguments.release or RELEASES:
        sides = arguments.side or SIDES
        tables[name] = run_release(name, sides, arguments.kind, arguments.times, arguments.jobs, arguments.limit)
        if arguments.json:
            counts = {name: {kind: {side: dataclasses.asdict(cell) for side, cell in row.items()} for kind, row in table.items()} for name, table in tables.items()}
            loads = [start, os.getloadavg()[0]]
            arguments.json.write_text(json.dumps({"times": arguments.times, "load": loads, "worse": list(worse(tables)), "releases": counts}, indent=1))
    print("Bad runs of each kind, ours / the vendor's. Kinds that are not listed always ended well.\n")
    print(xtask.table(["kind", *tables], [*rows(tables), *sums(tables)]))
    found = list(worse(tables))
    print(*found, f"load of the machine {start:.0f} to {os.getloadavg()[0]:.0f}", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    xtask.exit_with(main)
