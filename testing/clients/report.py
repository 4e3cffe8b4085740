"""Writes results into pages of docs/reports: the comparison of all releases as a table, and its tests by name."""

import compare
import level_zero
import persistent_cache
import results
import xtask

# The part that must pass on the software GPU, of the tests that pass on the CPU runtime and that the suite does not skip on a GPU.
ENOUGH = 0.99
# OpenCL drivers other than a release's own: `cargo xtask env --help`.
DRIVERS = ["pocl", "pocl-6", "pocl-7", "rusticl-25", "rusticl-26", "intel-fpga-emulator"]


class Row:
    """What is known of one release."""

    def __init__(self, release, backend):
        self.release = release
        self.vendor, self.ours = (results.load(release, plugin, backend) for plugin in ("vendor", "ours"))
        self.differences = compare.load(release, self.vendor, self.ours)

    def of_kind(self, kind):
        return [one for one in self.differences or [] if one.kind == kind]

    def count(self, kind):
        return "-" if self.differences is None else len(self.of_kind(kind))


def write(releases, backend):
    """Writes what the results at hand say. Returns whether no test works with the vendor's only, and for OpenCL whether all was run."""
    rows = [Row(release, backend) for release in releases]
    return {"opencl": write_clients, "level-zero": write_level_zero}[backend](rows)


def write_clients(rows):
    files = {kind: sorted({row.ours.plugin_sha256 for row in rows if row.ours and row.release.loads == kind}) for kind in ("plugin", "adapter")}
    xtask.write_part("clients.md", "releases", "\n".join([releases_table(rows), "", *(file_line(*one) for one in files.items())]))
    xtask.write_part("clients.md", "tests", tests(rows))
    xtask.write_part("clients.md", "cache", persistent_cache.text(persistent_cache.load()))
    return all(row.count("regression") == 0 for row in rows) and all(len(hashes) == 1 for hashes in files.values())


def releases_table(rows):
    header = ["release", "interface", "client", "vendor: passed / failed / skipped", "s", "ours: passed / failed / skipped", "s"]
    table = []
    for row in rows:
        runs = [cell for run in (row.vendor, row.ours) for cell in ((run.cell(), f"{run.seconds:.0f}") if run else ("not run", "-"))]
        counts = [row.count(kind) for kind in ("regression", "flaky", "better")]
        client = row.ours.client(row.release) if row.ours else row.release.client
        table.append([row.release.version, row.release.interface, client, *runs, *counts])
    return xtask.table([*header, "worse", "flaky", "better"], table)


def file_line(kind, hashes):
    """Which file of ours the table is about."""
    if not hashes:
        return f"Our {kind} has not been run yet."
    if len(hashes) == 1:
        return f"Our {kind} was the same file in every row: SHA-256 `{hashes[0]}`."
    return f"**Our {kind} was not the same file in every row**: {', '.join(hashes)}."


def tests(rows):
    """The tests behind the table, by name."""
    titles = {
        "regression": "Works with the vendor's only",
        "flaky": "Flaky",
        "better": "Works with ours only",
        "neither": "Works with neither, and ends differently",
    }
    lines = []
    for kind, title in titles.items():
        lines += [f"## {title}", "", *(named_tests(rows, kind) or ["None."]), ""]
    return "\n".join([*lines, "## Fails with both", "", *same_failures(rows)])


def named_tests(rows, kind):
    return [f"- {row.release.name} `{one.name}`: {one}" for row in rows for one in row.of_kind(kind)]


def same_failures(rows, where=""):
    """The tests that fail the same way with both: the clients' own troubles."""
    lines = []
    for row in rows:
        for name, test in (row.vendor.tests if row.vendor and row.ours else {}).items():
            if test["outcome"] not in results.GOOD + results.SKIPS and row.ours.outcome(name) == test["outcome"]:
                lines.append(f"- {row.release.name} `{name}`: {test['outcome']}{where} ({test.get('why', '').replace('`', chr(39))})")
    return lines


def write_level_zero(rows):
    """Without any result a table stays as it is."""
    rows = [row for row in rows if row.ours]
    for part, kind in (("clients", "plugin"), ("adapter-clients", "adapter")):
        chosen = [row for row in rows if row.release.loads == kind]
        if chosen:
            loader = f"Loader: Debian's libze1 {level_zero.loader_version()}. Below adapters the software driver stands in for it."
            sampled = [f"- {row.release.name}: {', '.join(f'`{file}`' for file in row.ours.files())}" for row in chosen if row.ours.every > 1]
            named = [line for kind in ("regression", "flaky", "better") for line in named_tests(chosen, kind)]
            lines = [loader, "", releases_table(chosen), "", *sampled, *named, *same_failures(chosen, " with both")]
            xtask.write_part("level-zero.md", part, "\n".join(lines))
    return all(not row.of_kind("regression") for row in rows)


def write_drivers(releases):
    """The results at hand on OpenCL drivers other than a release's own. Returns whether no test works with the vendor's only."""
    rows = [(driver, Row(release, driver)) for driver in DRIVERS for release in releases]
    rows = [(driver, row) for driver, row in rows if row.ours]
    table = []
    for driver, row in rows:
        cells = [run.cell() if run else "not run" for run in (row.vendor, row.ours)]
        table.append([driver, row.release.version, row.ours.client(row.release), *cells, *map(row.count, ("regression", "flaky", "better"))])
    header = ["driver", "release", "client", "vendor: passed / failed / skipped", "ours: passed / failed / skipped", "worse", "flaky", "better"]
    lines = [f"- {driver}: `{one.name}`: {one}" for driver, row in rows for kind in ("regression", "flaky") for one in row.of_kind(kind)]
    xtask.write_part("clients.md", "drivers", "\n".join([xtask.table(header, table), "", *lines]))
    return not any(row.of_kind("regression") for _, row in rows)


class Share:
    """What of the tests that pass on the CPU runtime passes on the software GPU."""

    def __init__(self, vendor, ours):
        self.on_cpu = [name for name, test in vendor.tests.items() if test["outcome"] in results.GOOD]
        left = [name for name in self.on_cpu if ours.outcome(name) not in results.GOOD]
        self.same = len(self.on_cpu) - len(left)
        left = [name for name in left if ours.outcome(counterpart(name)) not in results.GOOD]
        self.on_gpu = len(self.on_cpu) - self.same - len(left)
        self.failed = {name: ours.tests.get(name, {}) for name in left if ours.outcome(name) not in results.SKIPS}
        self.skipped = len(left) - len(self.failed)
        # Without those that the suite skips here.
        self.part = (self.same + self.on_gpu) / max(len(self.on_cpu) - self.skipped, 1)

    def show(self):
        for name, test in self.failed.items():
            print(f"{name}: {test.get('why', 'missing')}")
        print(
            f"of {len(self.on_cpu)} tests that pass on the CPU runtime, {self.same} pass, {self.on_gpu} pass about a GPU, "
            f"{self.skipped} are skipped on a GPU: {self.part:.2%}"
        )
        return self.part >= ENOUGH


def counterpart(name):
    """The test with a GPU in place of the CPU among its parameters: `test_filter_string[cpu]`."""
    test, bracket, parameters = name.partition("[")
    return test + bracket + parameters.replace("cpu", "gpu")
