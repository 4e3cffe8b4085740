"""The results of a client's suite on one plugin or adapter, test by test, and the files that store them."""

import collections
import dataclasses
import hashlib
import json
import os

import xtask

FORMAT = 2  # of the records. Those of another one are not used again
FOLDER = xtask.TARGET / "clients" / "results"
# Results of the vendor's adapters are the user's, as their environments are.
SHARED = xtask.CACHE / "results"
GOOD = ("passed", "xpassed")
SKIPS = ("skipped", "xfailed")
# How a test ends, in the order of tables. Those after the first three are rare.
OUTCOMES = {"passed": "passed", "failed": "failed", "skipped": "skipped", "error": "errors", "crashed": "crashed",
            "hung": "hung", "stopped": "stopped", "xfailed": "xfailed", "xpassed": "xpassed"}  # fmt: skip


@dataclasses.dataclass
class Run:
    """One run of a release's suite. Each test has its outcome, its seconds and, if it did not pass, the reason in a line."""

    release: str
    plugin: str  # vendor or ours
    plugin_sha256: str  # of the plugin, the adapter, or a libsycl that contains one
    wheels: list
    seconds: float
    tests: dict
    loaded: list = dataclasses.field(default_factory=list)  # libraries that the test processes had mapped
    bad_ends: list = dataclasses.field(default_factory=list)  # processes that ended badly after their last test, by their first file
    backend: str = "opencl"  # or the OpenCL driver, if it was not the release's own
    every: int = 1  # only every n-th test file was run
    limit: int = None  # the seconds of a processor that each file had
    format: int = FORMAT

    def outcome(self, name):
        test = self.tests.get(name)
        return test and test["outcome"]

    def totals(self):
        return collections.Counter(test["outcome"] for test in self.tests.values())

    def __str__(self):
        totals = self.totals()
        return ", ".join(f"{totals[one]} {word}" for one, word in OUTCOMES.items() if totals[one] or one in list(OUTCOMES)[:3])

    def cell(self):
        """The totals in a cell of a table."""
        totals = self.totals()
        first, rare = list(OUTCOMES)[:3], list(OUTCOMES)[3:]
        return " / ".join(str(totals[one]) for one in first) + "".join(f", {totals[one]} {one}" for one in rare if totals[one])

    def client(self, release):
        """The client as tables name it, and whether it is a sample of its suite."""
        sampled = f", 1 of {self.every} test files" if self.every > 1 else ""
        return release.client + sampled + (f", {self.limit} s for each" if self.limit else "")

    def stopped(self):
        """The files of whose tests some were not run."""
        return {name for name, test in self.tests.items() if test["outcome"] == "stopped"}

    def files(self):
        return sorted({name.split("::")[0] for name in self.tests})


def name_of(release, plugin, backend):
    """The name of a run's files."""
    return f"{release.name}{suffix(backend)}-{plugin}"


def suffix(backend):
    return "" if backend == "opencl" else f"-{backend}"


def path(release, plugin, backend):
    """The vendor has no plugin for SPIR-V on CUDA: there it is the one for OpenCL."""
    if plugin == "vendor" and backend == "cuda":
        backend = "opencl"
    folder = SHARED if release.has_adapters and plugin == "vendor" else FOLDER
    return folder / f"{name_of(release, plugin, backend)}.json"


def load(release, plugin, backend):
    """The result that was kept, if it is of the same packages."""
    try:
        record = json.loads(path(release, plugin, backend).read_text())
        record = {field.name: record[field.name] for field in dataclasses.fields(Run) if field.name in record}
        run = Run(**record)
    except (OSError, ValueError, TypeError):
        return None
    return run if run.format == FORMAT and run.wheels == release.wheels else None


def store(run, release):
    write(path(release, run.plugin, run.backend), dataclasses.asdict(run))


def write(file, content):
    """Writes JSON. A reader sees the old file or the whole new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    staged = file.with_name(f"{file.name}.{os.getpid()}.new")
    staged.write_text(json.dumps(content, indent=1) + "\n")
    staged.replace(file)


def sha256(file):
    with open(file, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
