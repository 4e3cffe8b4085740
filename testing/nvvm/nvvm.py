#!/usr/bin/env python3
"""Run SPIR-V of stock packages through the translator for NVIDIA GPUs. No GPU is needed.

    python3 testing/nvvm/nvvm.py                     translate every module, compile and assemble 120 of them
    python3 testing/nvvm/nvvm.py --all --report      compile and assemble every module: hours on two cores
    python3 testing/nvvm/nvvm.py --clients           the same with llama.cpp, Open3D, Blender and others (clients.toml):
                                                     translate every module, compile 5 of each
    python3 testing/nvvm/nvvm.py --fuzz 1000000      translate damaged modules: none may panic, hang or grow
    python3 testing/nvvm/nvvm.py --mutate 1000       run mutated modules on the software GPU and on Intel's CPU runtime:
                                                     both give the same

Modules that fail, and damaged ones that break a rule, are kept in target/nvvm-modules; mutated ones are in
target/mutants.

Exit code 0: no module failed, and enough kernels of each client were translated. 1: otherwise. 2: it could not run.
"""

import argparse
import collections
import dataclasses
import functools
import math
import os
import pathlib
import re
import shutil
import struct
import sys
import tomllib

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import stock
import xtask

# The clients of each DPC++ release.
CLIENTS = {
    "2023.2.4": ["dpctl-0.14.5", "dpnp-0.12.1"],
    "2024.0.3": ["dpctl-0.15.0", "dpnp-0.13.0"],
    "2024.1.2": ["dpctl-0.16.0", "dpnp-0.14.0"],
    "2024.2.2": ["dpctl-0.17.0", "dpnp-0.15.0"],
    "2026.2.0": ["dpctl-0.22.1", "dpnp-0.20.0"],
}
DEFAULT = ["2023.2.4", "2024.2.2", "2026.2.0"]
HERE = pathlib.Path(__file__).resolve().parent
KEPT = xtask.TARGET / "nvvm-modules"
# Modules of each library that are compiled by default, and of each client of clients.toml.
SAMPLE, CLIENT_SAMPLE = 120, 5
# What nvvm-modules counts of a library, in its order. Two numbers of a kind are those of sm_75 and sm_90.
NUMBERS = "modules unique kernels refused translated chosen compiled_75 compiled_90 assembled_75 assembled_90 unoptimized".split()
# Rows of a mutated module's numbers.
ROWS = 64


def libraries_of_releases(arguments):
    return stock.libraries([name for release in arguments.release or DEFAULT for name in CLIENTS[release]])


@functools.cache
def built(package):
    """The folder of a package's programs, built once."""
    return xtask.build(package)


def run_modules(what, title, arguments, libraries, options, variables=None):
    """Runs nvvm-modules on the libraries."""
    libraries = [f"{library.package}:{library.name}:{library.file}" for library in libraries]
    options = [what, "--keep", KEPT, f"--seed={arguments.seed}", f"--jobs={arguments.jobs}", *options, *libraries]
    command = [built("testing-nvvm") / "nvvm-modules", *options]
    return stock.fields(title, command, env=os.environ | (variables or {}))


@dataclasses.dataclass
class Failure:
    """So many kernels that the translator refuses, or modules that fail behind it, for one reason."""

    package: str
    name: str
    stage: str
    count: int
    file: str
    reason: str

    def __str__(self):
        what = "kernels refused by the translator" if self.stage == "translator" else f"modules failed in {self.stage}"
        return f"- {self.package} {self.name}: {self.count} {what}: {self.reason}"


def checked(title, arguments, libraries, sample):
    """Translates, compiles and assembles: numbers by package, failures, and times in microseconds."""
    libnvvm = pathlib.Path(xtask.ask("provision", "--libnvvm").strip())
    variables = {"PI_NVVM": str(libnvvm), "PI_NVVM_COMPILER": str(built("pi-nvvm") / "pi-nvvm")}
    options = [f"--sample={0 if arguments.all else sample}", "--ptxas", libnvvm / "bin" / "ptxas"] + ["--all"] * arguments.all
    packages, failures, times = collections.defaultdict(collections.Counter), [], []
    for fields in run_modules("check", title, arguments, libraries, options, variables):
        match fields:
            case ["library", package, _, *numbers]:
                counts = dict(zip(NUMBERS, map(int, numbers), strict=True))
                packages[package].update(counts)
                packages["all"].update(counts)
            case ["failure", package, name, stage, count, file, reason]:
                failures.append(Failure(package, name, stage, int(count), file, reason))
            case ["times", *numbers]:
                times = numbers
            case ["code", code] if code not in (0, 1) or not times:
                raise xtask.CannotRun(f"nvvm-modules: {xtask.how(code)}")
    packages["all"] = packages.pop("all")
    return packages, failures, times


def check_clients(arguments):
    """The clients of clients.toml, one after the other: what is unpacked of one is deleted before the next."""
    known = tomllib.loads((HERE / "clients.toml").read_text())["client"]
    rows, reasons, totals = [], [], xtask.Totals()
    for client in known:
        if arguments.client and client["name"] not in arguments.client:
            continue
        libraries, python = [], client.get("python", 12)
        for package, version in client["wheels"].items():
            files = stock.unpacked(package, version, python)
            libraries += [stock.Library(client["name"], file) for file in files]
        sample = CLIENT_SAMPLE if arguments.sample is None else arguments.sample
        packages, failures, _ = checked(f"{client['name']} to machine code", arguments, libraries, sample)
        for package, version in client["wheels"].items():
            shutil.rmtree(stock.folder(package, version))
        stock.unpacked.cache_clear()
        row, client_reasons, result = client_result(client, packages["all"], failures)
        rows.append(row)
        reasons += client_reasons
        totals += result
    columns = ["client", "modules", "kernels", "translated", "chosen", "compiled", "assembled"]
    text = "\n\n".join([xtask.table(columns, rows), xtask.table(["client", "kernels refused", "why"], reasons)])
    print(text)
    if arguments.report and not arguments.client:
        chosen = "Every module was compiled." if arguments.all else f"Seed {arguments.seed}."
        xtask.write_part("nvvm.md", "clients", f"{text}\n\n{chosen}")
    return totals


def client_result(client, counts, failures):
    """A row of the table, rows with reasons, and what passed and failed. Refusals fail only beyond the number that is allowed."""
    translated = counts["kernels"] - counts["refused"]
    pairs = [f"{counts[f'{name}_75']} / {counts[f'{name}_90']}" for name in ("compiled", "assembled")]
    row = [client["name"], counts["unique"], counts["kernels"], translated, counts["chosen"], *pairs]
    refused = collections.Counter()
    behind = [failure for failure in failures if failure.stage != "translator"]
    for failure in failures:
        if failure.stage == "translator":
            refused[failure.reason.split(": ")[-1]] += failure.count
    print(*behind, sep="\n", end="\n" * bool(behind))
    reasons = [[client["name"], count, reason] for reason, count in refused.most_common()]
    enough = translated >= client["least"]
    if not enough:
        print(f"{client['name']}: {translated} kernels are translated, {client['least']} must be")
    return row, reasons, xtask.Totals(translated, (not enough) + sum(failure.count for failure in behind))


def check(arguments):
    sample = SAMPLE if arguments.sample is None else arguments.sample
    packages, failures, times = checked("SPIR-V to machine code", arguments, libraries_of_releases(arguments), sample)
    columns = ["modules", "kernels", "translated", "chosen"]
    pairs = ["compiled", "assembled"]
    rows = [
        [package, *(counts[name] for name in columns), *(f"{counts[f'{name}_75']} / {counts[f'{name}_90']}" for name in pairs)]
        for package, counts in packages.items()
    ]
    table = xtask.table(["package", *columns, *pairs], rows)
    chosen = "Every module was compiled." if arguments.all else f"Seed {arguments.seed}, a sample of {sample} modules."
    total = packages["all"]
    summary = (
        f"{chosen} The translator takes {times[0]} µs for a module in the median, {times[1]} µs for the slowest\n"
        f"hundredth, {times[2]} µs at most. {total['refused']} kernels ask for what a GPU has not. {total['unoptimized']} compilations "
        "were repeated without optimization.\n"
    )
    summary += "\n".join(map(str, failures)) or "No module failed."
    print(f"{table}\n\n{summary}")
    for failure in failures:
        print(f"{failure} (the first is {failure.file})")
    if arguments.report:
        xtask.write_part("nvvm.md", "all" if arguments.all else "sample", f"{table}\n\n{summary}")
    return xtask.Totals(total["translated"], sum(failure.count for failure in failures))


def fuzz(arguments):
    broken, accepted, seconds = [], None, 0
    for fields in run_modules("fuzz", "damaged SPIR-V", arguments, libraries_of_releases(arguments), [f"--count={arguments.fuzz}"]):
        match fields:
            case ["broken", why, number, file]:
                broken.append(f"{why}: module {number}, kept as {file}")
            case ["fuzzed", _, accepted, _, seconds]:
                pass
            case ["code", code] if accepted is None:
                # Each thread has left the number of the module that it works on.
                numbers = [number for (number,) in struct.iter_unpack("<Q", (KEPT / "at").read_bytes())]
                broken.append(f"nvvm-modules: {xtask.how(code)}, at the modules {numbers}")
    print(*broken, sep="\n", end="\n" * bool(broken))
    print(f"{arguments.fuzz} damaged modules, {accepted} of them translated, {len(broken)} broke the translator ({seconds} s)")
    return xtask.Totals(int(not broken), len(broken))


def mutate(arguments):
    folder = xtask.TARGET / "mutants"
    shutil.rmtree(folder, ignore_errors=True)
    count = arguments.mutate
    # These need no optimization.
    built = xtask.build("testing-nvvm", profile="dev")
    xtask.build("testing-programs", programs=["mutants"], profile="dev")
    xtask.output([built / "nvvm-modules", "mutate", f"--count={count}", f"--seed={arguments.seed}", folder])
    gpu = xtask.environment("2023.2.4", "ours", "cuda", build=True)
    plugins = xtask.build("pi_opencl")
    for suffix, plugin, variables in [
        ("cpu", "libpi_opencl.so", xtask.driver("intel-2023").variables),
        ("gpu", "libpi_cuda.so", gpu.variables),
    ]:
        with xtask.Step(f"{count} mutated modules on {plugin}"):
            start, last = 0, ""
            while start < count and last != "end":
                # A driver may end the process: the next one goes on behind that module.
                command = [built / "mutants", plugins / plugin, folder, suffix, str(start)]
                done = xtask.run(command, 3600, env=os.environ | variables)
                last = (done.stdout.splitlines() or [""])[-1]
                if last != "end":
                    if not re.fullmatch(r"\d+", last):
                        raise xtask.CannotRun(f"mutants on {plugin}: {xtask.tail(done.stdout + done.stderr)}")
                    (folder / f"{last}.{suffix}.ended").write_text(xtask.how(done.returncode))
                    start = int(last) + 1
    results, broken = collections.Counter(), []
    for number in range(count):
        result = compared(folder, number)
        results[result] += 1
        if result not in ("same", "not here", "not on the CPU"):
            broken.append(f"{folder / f'{number}.text'}: {result}")
    print(*broken, sep="\n", end="\n" * bool(broken))
    print(
        f"{count} mutated modules: {results['same']} give what they give on the CPU runtime, {results['not here']} fail to build, "
        f"{results['not on the CPU']} have no result on the CPU runtime, {len(broken)} are wrong"
    )
    return xtask.Totals(count - len(broken), len(broken))


def compared(folder, number):
    """What a mutated module gave on both, in words."""
    cpu, gpu, ended = (folder / f"{number}.{end}" for end in ("cpu", "gpu", "gpu.ended"))
    if ended.exists():
        return ended.read_text()
    if not gpu.exists():
        return "not here"
    if not cpu.exists():
        return "not on the CPU"
    is_float = any((folder / f"{number}.{kind}.spv").exists() for kind in ("float", "double"))
    row = difference(cpu.read_bytes(), gpu.read_bytes(), is_float)
    return "same" if row is None else f"row {row} differs: {cpu.name} and {gpu.name}"


def difference(cpu, gpu, is_float):
    """The first row that differs. Integers are equal bit by bit; floating-point numbers are equal, or both are none."""
    if len(cpu) != len(gpu) or len(cpu) < ROWS:
        return 0
    size = len(cpu) // ROWS
    for row in range(ROWS):
        both = [data[row * size : (row + 1) * size] for data in (cpu, gpu)]
        if both[0] == both[1]:
            continue
        if not is_float:
            return row
        one, other = (struct.unpack("<f" if size == 4 else "<d", data)[0] for data in both)
        if one != other and not (math.isnan(one) and math.isnan(other)):
            return row
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--release",
        action="append",
        choices=CLIENTS,
        help=f"only the clients of this DPC++ release (repeatable); by default {', '.join(DEFAULT)}",
    )
    parser.add_argument("--client", action="append", metavar="NAME", help="only this one of clients.toml (repeatable)")
    parser.add_argument(
        "--sample",
        type=int,
        help=f"how many modules are compiled and assembled, by default {SAMPLE}, of each client {CLIENT_SAMPLE}; every module is translated",
    )
    parser.add_argument("--seed", type=int, default=1, help="what chooses the sample, and what changes modules")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many modules are worked on at once")
    parser.add_argument("--report", action="store_true", help="write docs/reports/nvvm.md")
    what = parser.add_mutually_exclusive_group()
    parser.add_argument("--all", action="store_true", help="compile and assemble every module")
    what.add_argument("--clients", action="store_true", help="check the clients of clients.toml instead")
    what.add_argument("--fuzz", type=int, metavar="COUNT", help="translate so many damaged modules instead")
    what.add_argument("--mutate", type=int, metavar="COUNT", help="run so many mutated modules instead")
    arguments = parser.parse_args()
    clients = arguments.clients or arguments.client
    run = mutate if arguments.mutate else fuzz if arguments.fuzz else check_clients if clients else check
    totals = run(arguments)
    print(totals)
    return totals.code


if __name__ == "__main__":
    xtask.exit_with(main)
