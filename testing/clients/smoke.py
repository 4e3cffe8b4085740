"""Runs the smallest real program on every release with adapters, in each way in which the loader can call an adapter."""

import collections
import dataclasses
import json
import os
import pathlib
import re
import tempfile

import level_zero
import suite
import xtask

PROGRAM = pathlib.Path(__file__).resolve().parent / "smoke_program.py"
LIMIT = 120  # seconds. The program takes one or two
# With one adapter libsycl calls it directly; or the loader's own functions stand between.
MODES = ("alone", "intercepted", "beside Level Zero", "validated")
# The vendor's, by the names that the loader looks for.
LEVEL_ZERO = ("libur_adapter_level_zero.so.0", "libur_adapter_level_zero_v2.so.0")


@dataclasses.dataclass(frozen=True, order=True)
class Complaint:
    """A message of the loader's validation layer without addresses, and for an object that was never released where it was made."""

    message: str
    trace: tuple = ()  # frames without folders and addresses

    def place(self):
        """The first function of Unified Runtime in the back trace, or else the first function that has a name."""
        named = [name for frame in self.trace for name in re.findall(r"\(([^+)]+)", frame)[:1]]
        return next((name for name in named if name.startswith("ur")), named[0] if named else None)


@dataclasses.dataclass
class Answer:
    """What a run gave: why it is not right, if it is not, and what the validation layer said."""

    trouble: str
    complaints: collections.Counter


def complaints(text):
    """The layer's messages in what a program wrote, without those that only announce a back trace.

    Counts below 0 are left out too: the layers of 2025.0 and 2025.1 do not see how some events are made and count only
    releases of their addresses, which drivers use again. Each such release has a message of its own.
    """
    found = []
    for message in re.findall(r"^<VALIDATION>\[\w+\]: (.*)$", text, re.MULTILINE):
        if message.startswith("#"):
            # "#3 /x/libur_loader.so.0(urContextCreate+0x42) [0x7fd980122df2]"
            if found:
                found[-1][1].append(re.sub(r"^[^(]*/", "", message.split()[1]))
        elif not message.endswith("was recorded for first time here:"):
            found.append((re.sub(r"\b0x\w+", "H", message), []))
    kept = (Complaint(message, tuple(trace)) for message, trace in found if not message.startswith("Retained -"))
    return collections.Counter(kept)


def answer(environment, mode):
    """Runs the program in one way."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("UR_", "SYCL_", "ONEAPI_"))}
    variables = {**inherited, **environment.variables}
    with tempfile.TemporaryDirectory() as scratch:
        if mode == "intercepted":
            variables["UR_ENABLE_LOADER_INTERCEPT"] = "1"
        elif mode == "validated":
            variables |= {"UR_ENABLE_LAYERS": "UR_LAYER_FULL_VALIDATION", "UR_LOG_VALIDATION": "level:warning;output:stderr"}
        elif mode == "beside Level Zero":
            del variables["ONEAPI_DEVICE_SELECTOR"]
            adapters = [file for file in (environment.lib / name for name in LEVEL_ZERO) if file.exists()]
            missing = level_zero.missing_functions(*adapters)
            if missing:
                variables["LD_PRELOAD"] = str(level_zero.stand_ins(missing, scratch))
            # With a forced adapter, only forced ones are loaded.
            if "UR_ADAPTERS_FORCE_LOAD" in variables:
                variables["UR_ADAPTERS_FORCE_LOAD"] = ",".join([variables["UR_ADAPTERS_FORCE_LOAD"], *map(str, adapters)])
        ended = xtask.run([environment.python, PROGRAM], LIMIT, env=variables, cwd=scratch)
    printed = re.search("^RESULT (.*)$", ended.stdout, re.MULTILINE)
    if not printed:
        said = [line for line in ended.stderr.splitlines() if line.strip() and not line.startswith("<")]
        trouble = said[-1] if said else xtask.how(ended.returncode)
    elif ended.returncode != 0:
        trouble = xtask.how(ended.returncode)
    else:
        trouble = wrong(environment, mode, json.loads(printed[1]))
    return Answer(trouble, complaints(ended.stderr))


def wrong(environment, mode, printed):
    """What is wrong with what the program found."""
    meant, loaded = str(environment.plugin.resolve(strict=True)), printed["loaded"]

    def named(start):
        return [file for file in loaded if os.path.basename(file).startswith(start)]

    if meant not in loaded or any(file != meant for file in named("libur_adapter_opencl.so")):
        return f"loaded {loaded} instead of {meant}"
    failed = [kernel for kernel, right in printed["kernels"].items() if not right]
    if failed:
        return f"wrong result of {failed[0]}"
    if not printed["kernels"]:
        return "no device"
    if mode == "beside Level Zero" and not named(LEVEL_ZERO[0]):
        return "Level Zero's adapter did not load"
    return None


@dataclasses.dataclass
class Row:
    """A release and its runs: by vendor or ours, then by mode."""

    release: xtask.Release
    answers: dict = dataclasses.field(default_factory=dict)

    def is_good(self):
        """Whether every run on ours is right, and the validation layer says nothing that it does not say about the vendor's."""
        return all(not one.trouble for one in self.answers.get("ours", {}).values()) and not self.only_ours()

    def only_ours(self):
        """What the layer says about ours only; nothing where one of the two did not run."""
        if len(self.answers) < 2:
            return {}
        return self.answers["ours"]["validated"].complaints - self.answers["vendor"]["validated"].complaints

    def cells(self):
        def both(show):
            return " / ".join(show(self.answers[plugin]) if plugin in self.answers else "-" for plugin in ("vendor", "ours"))

        modes = [both(lambda answers: "**no**" if answers[mode].trouble else "ok") for mode in MODES]
        return [self.release.version, self.release.client, *modes, both(lambda answers: str(answers["validated"].complaints.total()))]

    def notes(self):
        """What went wrong, and what the validation layer says about ours only."""
        version = self.release.version
        for plugin, answers in self.answers.items():
            for mode, one in answers.items():
                if one.trouble:
                    yield f"- {version}, {suite.whose(plugin, self.release)}, {mode}: {one.trouble}"
        for complaint, count in sorted(self.only_ours().items()):
            place = complaint.place()
            yield f'- {version}, only about ours: {count} of "{complaint.message}"' + (f", made by `{place}`" if place else "")


def run(releases, plugins, ready):
    """Runs the program on these releases with each adapter of `plugins`."""
    xtask.install("libze1")  # the vendor's Level Zero adapters need it
    rows = []
    for release in releases:
        row = Row(release)
        for plugin in plugins:
            environment = ready(release, plugin)
            with xtask.Step(f"DPC++ {release.version}, {suite.whose(plugin, release)}") as step:
                row.answers[plugin] = {mode: answer(environment, mode) for mode in MODES}
                right = sum(not one.trouble for one in row.answers[plugin].values())
                step.outcome = f"{right} of {len(MODES)} runs are right"
        rows.append(row)
    return rows


def text(rows):
    """The table, and below it what went wrong."""
    table = xtask.table(["release", "client", *MODES, "complaints"], [row.cells() for row in rows])
    return "\n".join([table, "", *(note for row in rows for note in row.notes())])
