"""The pages of docs/reports that results are written to: the comparison of all releases as a table, and the tests behind it by name."""

import collections
import re

import compare
import level_zero
import persistent_cache
import results
import xtask

# The part that must pass on the software GPU, of the tests that pass on the CPU runtime and that the suite does not skip on a GPU.
ENOUGH = 0.99


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

    def client(self):
        return self.ours.client(self.release) if self.ours else self.release.client

    def same_failures(self, where=""):
        """The tests that fail the same way with both: the clients' own troubles."""
        for name, test in (self.vendor.tests if self.vendor and self.ours else {}).items():
            if test["outcome"] not in results.GOOD + results.SKIPS and self.ours.outcome(name) == test["outcome"]:
                yield f"- {self.release.name} `{name}`: {test['outcome']}{where} ({test.get('why', '').replace('`', chr(39))})"


def write(releases, backend):
    """Writes what the results at hand say. Returns whether no test works with the vendor's only, and for OpenCL whether all was run."""
    rows = [Row(release, backend) for release in releases]
    return {"opencl": write_clients, "level-zero": write_level_zero, "cuda": print_cuda}[backend](rows)


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
        counts = [row.count("regression"), row.count("flaky")]
        table.append([row.release.version, row.release.interface, row.client(), *runs, *counts])
    return xtask.table([*header, "worse", "flaky"], table)


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
        named = [f"- {row.release.name} `{one.name}`: {one}" for row in rows for one in row.of_kind(kind)]
        lines += [f"## {title}", "", *(named or ["None."]), ""]
    return "\n".join([*lines, "## Fails with both", "", *(line for row in rows for line in row.same_failures())])


def write_level_zero(rows):
    """Without any result a table stays as it is."""
    rows = [row for row in rows if row.ours]
    for part, kind in (("clients", "plugin"), ("adapter-clients", "adapter")):
        chosen = [row for row in rows if row.release.loads == kind]
        if chosen:
            xtask.write_part("level-zero.md", part, level_zero_text(chosen))
    return all(not row.of_kind("regression") for row in rows)


def level_zero_text(rows):
    header = ["release", "interface", "client", "Intel's: passed / failed / skipped", "ours: passed / failed / skipped"]
    table = []
    for row in rows:
        counts = [row.count(kind) for kind in ("regression", "flaky", "better")]
        vendor = row.vendor.cell() if row.vendor else "not run"
        table.append([row.release.version, row.release.interface, row.client(), vendor, row.ours.cell(), *counts])
    lines = [
        f"Loader: Debian's libze1 {level_zero.loader_version()}. Below adapters the software driver stands in for it.",
        "",
        xtask.table([*header, "worse", "flaky", "better"], table),
        "",
    ]
    for row in rows:
        if row.ours.every > 1:
            files = [f"`{file}`" for file in row.ours.files()]
            lines.append(f"- {row.release.version}: {len(files)} files, {', '.join(files)}")
    for row in rows:
        for kind in ("regression", "flaky", "better"):
            lines += [f"- {row.release.version} `{one.name}`: {one}" for one in row.of_kind(kind)]
        lines += row.same_failures(" with both")
    return "\n".join(lines)


class Share:
    """What of the tests that pass on the CPU runtime passes on the software GPU."""

    def __init__(self, vendor, ours):
        self.on_cpu = [name for name, test in vendor.tests.items() if test["outcome"] in results.GOOD]
        self.same, self.on_gpu, self.skipped, self.failed = 0, 0, [], []
        for name in self.on_cpu:
            test = ours.tests.get(name, {"outcome": "missing"})
            if test["outcome"] in results.GOOD:
                self.same += 1
            elif ours.outcome(counterpart(name)) in results.GOOD:
                self.on_gpu += 1
            else:
                (self.skipped if test["outcome"] in results.SKIPS else self.failed).append((name, test))
        good = self.same + self.on_gpu
        # Without those that the suite skips here.
        self.part = good / max(len(self.on_cpu) - len(self.skipped), 1)
        self.part_of_all = good / max(len(self.on_cpu), 1)

    def show(self):
        for name, test in self.failed:
            print(f"{name}: {test.get('why', '')}")
        print(
            f"of {len(self.on_cpu)} tests that pass on the CPU runtime, {self.same} pass, {self.on_gpu} pass about a GPU, "
            f"{len(self.skipped)} are skipped on a GPU: {self.part:.2%}"
        )
        return self.part >= ENOUGH


def counterpart(name):
    """The test with a GPU in place of the CPU among its parameters: `test_filter_string[cpu]`."""
    test, bracket, parameters = name.partition("[")
    return test + bracket + parameters.replace("cpu", "gpu")


def print_cuda(rows):
    """Prints the table, and what does not pass by its reason; true if enough tests pass in each release."""
    header = ["release", "client", "pass on the CPU runtime", "of these here", "here about a GPU", "skipped here", "not passed", "part"]
    rows = [row for row in rows if row.vendor and row.ours]
    table, lines, shares = [], [], [Share(row.vendor, row.ours) for row in rows]
    for row, share in zip(rows, shares):
        counts = [len(share.on_cpu), share.same, share.on_gpu, len(share.skipped), len(share.failed)]
        parts = [f"{share.part:.2%}", f"{share.part_of_all:.2%}"]
        table.append([row.release.version, row.release.client, *counts, *parts, row.ours, f"{row.ours.seconds:.0f}"])
        reasons = collections.defaultdict(list)
        for name, test in share.skipped + share.failed:
            why = re.sub("`", "'", test.get("why", "")).replace("Skipped: ", "")
            reasons[f"{test['outcome']} ({why})"].append(f"  - `{name.removeprefix('dpctl/tests/')}`")
        lines += ["", f"### {row.release.version}"]
        lines += [line for reason, names in sorted(reasons.items()) for line in ["", f"- {reason}:", *names]]
    print("\n".join([xtask.table([*header, "part with the skipped ones", "the suite here", "s"], table), *lines]))
    return bool(shares) and all(share.part >= ENOUGH for share in shares)
