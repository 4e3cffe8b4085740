#!/usr/bin/env python3
"""Measure the cost of each call of our plugins and adapters, compared with the vendor's and the driver alone.

    python3 benches/bench.py                      times at PI 12.27, on Intel's CPU runtime
    python3 benches/bench.py --adapters           the adapters of two releases
    python3 benches/bench.py --check              instructions and driver calls, compared with the accepted ones (for CI)
    python3 benches/bench.py --backend level-zero driver calls on the software driver
    python3 benches/bench.py --runtime            what the runtime adds to a launch, and the cost of its registry

Instructions are counted by Callgrind, in front of a driver that does nothing. They do not depend on what else the machine
does. What is accepted is in benches/instructions.json, and for adapters in instructions-adapter.json: an operation may
take 15 % more, and at least 4, and make no more calls of the driver than are needed.

Exit code 0: the costs are within the line. 1: they are not. 2: the measurement could not run.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "testing"))
import xtask

from costs import Costs, Paired, operations_table, versions_table

# --report measures these beside the chosen one: the oldest and the newest.
OTHERS = ["2022.2.1", "2024.2.2"]
# One from before a launch has its arguments, and one from after.
WITH_ADAPTERS = ["2025.3.3", "2026.1.2"]
# Processes whose rounds are put together, and rounds of each: the layout of memory differs between processes.
PROCESSES, ROUNDS, QUICK_ROUNDS = 5, 120, 90
# What more than the accepted instructions an operation may take.
TOLERANCE, LEAST = 15, 4
SIDES = ["ours", "vendor", "bare"]
BUILT = xtask.TARGET / "release"
# What the runtime may cost, in nanoseconds, by what runtime-bench calls it.
RUNTIME_PROCESSES = 15
RUNTIME_LIMITS = [(r"what the runtime adds", 120), (r"a kernel found among them", 1000), (r".* registered", 1e9)]


class Tool:
    """pi-bench in a release's environment."""

    def __init__(self, arguments, release):
        self.environment = xtask.environment(release.name)
        ours = arguments.plugin_file or BUILT / ("libur_adapter_opencl.so" if release.has_adapters else "libpi_opencl.so")
        self.options = ["--ours", ours, "--vendor", self.environment.plugin]
        self.options += ["--release", release.version] * release.has_adapters
        self.options += ["--only", arguments.only] if arguments.only else []
        self.variables = os.environ | self.environment.variables

    def run(self, what, before=(), **variables):
        return json.loads(xtask.output([*before, BUILT / "pi-bench", *what, *self.options], env=self.variables | variables))

    def times(self, quick):
        """Nanoseconds of each operation, round by round."""
        with xtask.Step("timing") as step:
            timed = self.run(["time", "--rounds", str(QUICK_ROUNDS if quick else ROUNDS)])
            for number in range(2, 2 if quick else PROCESSES + 1):
                step.note(f"process {number} of {PROCESSES}")
                for call, more in zip(timed["calls"], self.run(["time", "--rounds", str(ROUNDS)])["calls"]):
                    for side in SIDES:
                        call["rounds"][side] += more["rounds"][side]
        return timed

    def counts(self):
        """Instructions to the driver and calls of the driver, of each operation on each side."""
        xtask.install("valgrind")
        with xtask.Step("counting instructions"), tempfile.TemporaryDirectory() as folder:
            callgrind = ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/out"]
            run = self.run(["count"], callgrind, OCL_ICD_FILENAMES=str(BUILT / "examples" / "libidle_driver.so"))
            found = dict(filter(None, map(counted, pathlib.Path(folder).iterdir())))
            for number, call in enumerate(run["calls"]):
                call["counts"] = {side: found.get((number, place)) for place, side in enumerate(SIDES)}
        return run


def counted(file):
    """The operation and the side that a file of Callgrind is about, and what it has of them. None for its last, which has nothing."""
    name, objects, here, there = None, {}, None, None
    counts = {"to_the_driver": 0, "driver_calls": 0}
    lines = iter(file.read_text(errors="replace").splitlines())
    for line in lines:
        if found := re.fullmatch(r"desc: Trigger: Client Request: (\d+) (\d+)", line):
            name = (int(found[1]), int(found[2]))
        elif found := re.fullmatch(r"(c?)ob=(\(\d+\))(?: (.*))?", line):
            # A file's name stands where its number occurs first.
            if found[3]:
                objects[found[2]] = pathlib.Path(found[3]).name
            if found[1]:
                there = objects[found[2]]
            else:
                here = objects[found[2]]
        elif found := re.match(r"calls=(\d+)", line):
            # The next line has the instructions of the called function, which that function's own lines have too.
            next(lines)
            if "idle_driver" in (there or here) and "idle_driver" not in here:
                counts["driver_calls"] += int(found[1])
            there = None
        elif found := re.fullmatch(r"[+*\d-]\S* (\d+)", line):
            if here != "pi-bench" and "idle_driver" not in here:
                counts["to_the_driver"] += int(found[1])
    return (name, counts) if name else None


def count(arguments, release):
    run = Tool(arguments, release).counts()
    file = HERE / ("instructions-adapter.json" if release.has_adapters else "instructions.json")
    if arguments.check:
        found = list(regressions(run, json.loads(file.read_text())))
        print(*found, sep="\n", end="\n" * bool(found))
        print(f"{len(run['calls'])} operations, {len(found)} regressions")
        return not found
    if arguments.accept:
        counts = {call["name"]: call["counts"]["ours"]["to_the_driver"] for call in run["calls"]}
        file.write_text(json.dumps(counts, indent=2, sort_keys=True) + "\n")
    if arguments.json:
        print(json.dumps(run, indent=2))
        return True
    none = {"to_the_driver": "-", "driver_calls": "-"}
    rows = []
    for call in run["calls"]:
        ours, vendor, bare = (call["counts"][side] or none for side in SIDES)
        instructions = [side["to_the_driver"] for side in (ours, vendor, bare)]
        rows.append([call["name"], *instructions, ours["driver_calls"], vendor["driver_calls"]])
    print(
        xtask.table(["operation", "instructions to the driver: ours", "vendor", "ICD loader alone", "driver calls: ours", "vendor"], rows)
    )
    return True


def regressions(run, accepted):
    for call in run["calls"]:
        name, ours, bare = call["name"], call["counts"]["ours"], call["counts"]["bare"]
        instructions, before = ours["to_the_driver"], accepted.get(name)
        if before is None:
            yield f"{name}: no accepted count; --accept writes it"
        elif instructions > before + max(before * TOLERANCE // 100, LEAST):
            yield f"{name}: {instructions} instructions, accepted were {before}"
        if ours["driver_calls"] > bare["driver_calls"]:
            yield f"{name}: {ours['driver_calls']} calls of the driver, {bare['driver_calls']} are needed"


def measure(arguments, releases):
    measured = [Costs(release, Tool(arguments, release).times(arguments.quick)) for release in releases]
    if arguments.json:
        print(json.dumps([costs.as_json() for costs in measured], indent=2))
    else:
        for costs in measured:
            print(operations_table(costs), end="\n\n")
        print(versions_table(measured))
    if arguments.report:
        write_report(measured)
    return all(costs.hold for costs in measured)


def write_report(measured):
    """The page's part for plugins with the chart, or the one for adapters. Of plugins the operations of the first version are listed."""
    first = measured[0]
    plugins = first.interface == "PI"
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    machine = f"{os.cpu_count()} cores of {cpu[1] if cpu else 'an unknown processor'}"
    parts = [str(first.line), versions_table(measured), f"{machine}, {first.rounds} rounds of each operation, {datetime.date.today()}."]
    for costs in measured[:1] if plugins else measured:
        parts += [f"### Operations at {costs.interface} {costs.version}", f"Driver: {costs.device}."]
        parts += ["![The time of each call, with the driver alone, the vendor's plugin and ours](benchmarks.svg)"] * plugins
        parts.append(operations_table(costs))
    xtask.write_part("benchmarks.md", "plugins" if plugins else "adapters", "\n\n".join(parts))
    if plugins:
        draw()


def draw():
    """Draws the chart of the page's first list of operations."""
    reports = xtask.ROOT / "docs" / "reports"
    page = (reports / "benchmarks.md").read_text()
    found = re.search(r"### Operations at (.*)\n(?:.|\n)*?Driver: (.*)\.\n((?:.|\n)*)", page)
    if not found:
        raise xtask.CannotRun("benchmarks.md has no list of operations")
    version, device, section = found.groups()
    calls = []
    for line in section[section.index("| operation") :].splitlines()[2:]:
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) < 5:
            break
        calls.append({"name": cells[1]} | {side: float(cell) for side, cell in zip(SIDES, cells[2:5])})
    with tempfile.NamedTemporaryFile("w", suffix=".json") as result:
        json.dump({"version": version, "device": device, "calls": calls}, result)
        result.flush()
        command = ["cargo", "run", "--quiet", "--package", "pi", "--bin", "pi", "--", "bench", "--from", result.name]
        xtask.output([*command, "--svg", reports / "benchmarks.svg"], cwd=xtask.ROOT)


def level_zero(arguments, release):
    """Whether ours makes no more calls of the driver than the vendor's in any operation. The driver is software: times would say nothing."""
    if not arguments.no_build:
        xtask.build("pi_level_zero")
        xtask.build("software-level-zero", profile="dev")
        xtask.build("benches-level-zero")
    environment = xtask.environment(release.name, backend="level-zero")
    # The vendor's plugin gets addresses of variables only if the driver needs no flag for them at build time. From version 1.8 on
    # drivers keep lists in order.
    variables = os.environ | environment.variables | {"PI_SOFT_ZE_TAKE_ADDRESS": "0", "PI_SOFT_ZE_API_MINOR": "8"}

    def run(program, *options):
        return json.loads(xtask.output([BUILT / program, *options], env=variables))

    text, good = f"Compared with the {release.loads} of release {release.version} ({release.interface}).\n", True
    for title, flags in [("In-order queue", []), ("Out-of-order queue", ["--out-of-order"])]:
        with xtask.Step(f"counting driver calls of both {release.loads}s"):
            if release.has_adapters:
                # A process calls one adapter.
                sides = [
                    run("pi-level-zero-adapter-cost", "--adapter", file, "--release", release.version, *flags)
                    for file in (BUILT / "libur_adapter_level_zero.so", environment.plugin)
                ]
                operations = [{"name": ours["name"], "calls": [ours["calls"], vendor["calls"]]} for ours, vendor in zip(*sides)]
            else:
                plugins = ["--ours", BUILT / "libpi_level_zero.so", "--vendor", environment.plugin]
                operations = run("pi-level-zero-cost", *plugins, "--rounds", "11", *flags)
        rows = [[one["name"], *(f"{calls:.2f}" for calls in one["calls"])] for one in operations]
        table = xtask.table(["operation", "driver calls: ours", "Intel's"], rows)
        print(json.dumps(operations) if arguments.json else f"{title}\n\n{table}\n")
        text += f"\n{title}:\n\n{table}\n"
        good &= all(one["calls"][0] <= one["calls"][1] + 0.005 for one in operations)
    if arguments.report:
        xtask.write_part("level-zero.md", "adapter-costs" if release.has_adapters else "costs", text)
    return good


def runtime(arguments):
    if not arguments.no_build:
        xtask.build("pi_opencl")
        xtask.build("pi-benches", programs=["runtime-bench"])
    command = [BUILT / "runtime-bench", BUILT / "libpi_opencl.so", xtask.ROOT / "lib/image/tests/images"]
    variables = os.environ | xtask.driver("intel-current").variables
    processes = []
    with xtask.Step("measuring the runtime") as step:
        for number in range(1, RUNTIME_PROCESSES + 1):
            step.note(f"process {number} of {RUNTIME_PROCESSES}")
            processes.append([json.loads(line) for line in xtask.output(command, env=variables).splitlines()])
    rows, beyond = [], []
    for lines in zip(*processes):
        what, rounds = lines[0]["what"], sum(line["rounds"] for line in lines)
        # The layout of memory differs between processes, and has more effect than the measured code.
        all_medians = Paired(line["median"] for line in lines)
        low, high = map(in_words, all_medians.quartiles)
        rows.append([what, in_words(all_medians.median), f"{low} to {high}", rounds])
        for pattern, limit in RUNTIME_LIMITS:
            if re.fullmatch(pattern, what) and all_medians.median > limit:
                beyond.append(f"{what}: {in_words(all_medians.median)}, where {in_words(limit)} is the limit")
    print(xtask.table(["what", f"median of {RUNTIME_PROCESSES} processes", "their middle half", "rounds"], rows))
    print(*beyond, sep="\n", end="\n" * bool(beyond))
    return not beyond


def in_words(nanoseconds):
    if nanoseconds < 1e4:
        return f"{nanoseconds:.0f} ns"
    return f"{nanoseconds / 1e3:.1f} us" if nanoseconds < 1e6 else f"{nanoseconds / 1e6:.1f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--release", default="2023.2.4", help="the release whose plugin or adapter is compared with ours")
    which.add_argument("--adapters", action="store_true", help=f"compare the adapters of {' and '.join(WITH_ADAPTERS)}")
    parser.add_argument("--backend", choices=["opencl", "level-zero"], default="opencl")
    parser.add_argument("--quick", action="store_true", help="few rounds, for a first look")
    parser.add_argument("--only", metavar="TEXT", help="only operations whose name contains this")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--instructions", action="store_true", help="count instructions instead of measuring time")
    what.add_argument("--check", action="store_true", help="compare the instructions with those that were accepted")
    what.add_argument("--accept", action="store_true", help="accept this run's instructions")
    what.add_argument("--report", action="store_true", help="write the tables in docs/reports/benchmarks.md, or those in level-zero.md")
    what.add_argument("--redraw", action="store_true", help="measure nothing: draw docs/reports/benchmarks.svg from benchmarks.md")
    what.add_argument("--runtime", action="store_true", help="measure the runtime")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument("--plugin-file", type=pathlib.Path, help="measure this plugin or adapter instead of the one in target/release")
    parser.add_argument("--no-build", action="store_true", help="use what target/release has")
    arguments = parser.parse_args()
    if arguments.only and (arguments.accept or arguments.report):
        parser.error("--accept and --report take all operations")
    if arguments.redraw:
        return draw()
    if arguments.runtime:
        return 0 if runtime(arguments) else 1

    names = WITH_ADAPTERS if arguments.adapters else [arguments.release]
    known = xtask.releases()
    unknown = [name for name in names if name not in known]
    if unknown:
        parser.error(f"there is no release {unknown[0]}; known are {', '.join(known)}")
    releases = [known[name] for name in names]
    if arguments.backend == "level-zero":
        return 0 if level_zero(arguments, releases[0]) else 1
    if arguments.report and not releases[0].has_adapters:
        releases += [known[name] for name in OTHERS if name not in names]
    if not arguments.no_build:
        xtask.build("pi_opencl")
        xtask.build("pi-benches", programs=["pi-bench"])
        command = ["cargo", "build", "--quiet", "--release", "--package", "pi-benches", "--example", "idle_driver"]
        xtask.output([*command, "--target-dir", xtask.TARGET], cwd=xtask.ROOT)
    counting = arguments.instructions or arguments.check or arguments.accept
    good = count(arguments, releases[0]) if counting else measure(arguments, releases)
    return 0 if good else 1


if __name__ == "__main__":
    xtask.exit_with(main)
