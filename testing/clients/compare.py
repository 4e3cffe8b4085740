"""Compares two runs of one suite, test by test. A test that differs runs three more times, alone, before it counts.

What a difference amounts to:
    regression   it works with the vendor's plugin or adapter and not with ours
    flaky        it did not end the same way each time, with either
    better       it works with ours and not with the vendor's
    neither      it works with neither, for different reasons
"""

import dataclasses
import json

import results
import suite
import xtask

RERUNS = 3
# With more candidates than this something is wrong in general, and running each again would only hide it for hours.
MOST_RERUNS = 60


@dataclasses.dataclass
class Difference:
    """A test that ended differently; None stands for a run without this test."""

    name: str
    vendor: str
    ours: str
    why: str
    vendor_again: list = dataclasses.field(default_factory=list)
    ours_again: list = dataclasses.field(default_factory=list)
    kind: str = ""

    def __post_init__(self):
        self.judge()

    def judge(self):
        """Says what it amounts to, the runs alone included."""
        vendor, ours = self.vendor in results.GOOD, self.ours in results.GOOD
        worked, other = (self.vendor_again, self.ours_again) if vendor else (self.ours_again, self.vendor_again)
        # The difference stands as long as the side that worked works each time alone, and the other does not.
        stands = not other or (all_good(worked) and not all_good(other))
        self.kind = "neither" if vendor == ours else "flaky" if not stands else "regression" if vendor else "better"

    def __str__(self):
        text = f"vendor {self.vendor or 'absent'}, ours {self.ours or 'absent'}"
        if self.ours_again:
            text += f"; alone: vendor {' '.join(self.vendor_again)}, ours {' '.join(self.ours_again)}"
        return text + (f" ({self.why.replace('`', chr(39))})" if self.why else "")


def all_good(outcomes):
    return all(outcome in results.GOOD for outcome in outcomes)


def differences(vendor, ours):
    """The tests that ended differently, not yet run again."""
    found, stopped = [], vendor.stopped() | ours.stopped()
    for name in sorted(vendor.tests.keys() | ours.tests.keys()):
        outcomes = (vendor.outcome(name), ours.outcome(name))
        # Of a file that was stopped, each side ran another part.
        if name in stopped or (None in outcomes and name.split("::")[0] in stopped):
            continue
        if outcomes[0] != outcomes[1]:
            why = (ours.tests.get(name) or vendor.tests[name]).get("why", "")
            found.append(Difference(name, vendor.outcome(name), ours.outcome(name), why))
    for first in sorted(set(ours.bad_ends) - set(vendor.bad_ends)):
        found.append(Difference(f"{first} (end of the process)", "passed", "crashed", "the interpreter crashed at its end"))
    return found


def path(release, backend):
    return results.FOLDER / f"{release.name}{results.suffix(backend)}-compared.json"


def identity(vendor, ours):
    """Which two runs a comparison is of: their files, and their times as good as names."""
    return " ".join(f"{run.plugin} {run.plugin_sha256} {run.seconds:.6f}" for run in (vendor, ours))


def load(release, vendor, ours):
    """An earlier comparison of these two runs."""
    if not vendor or not ours or (vendor.every, vendor.limit) != (ours.every, ours.limit):
        return None
    try:
        kept = json.loads(path(release, ours.backend).read_text())
    except (OSError, ValueError):
        return None
    return [Difference(**one) for one in kept["differences"]] if kept["runs"] == identity(vendor, ours) else None


def compare(release, vendor, ours, ready):
    """All differences between two runs. `ready` gives the environments in which those that count are run again."""
    found = load(release, vendor, ours)
    if found is None:
        found = differences(vendor, ours)
        run_again(release, ours.backend, [one for one in found if one.kind != "neither"], ready)
        kept = {"runs": identity(vendor, ours), "differences": [dataclasses.asdict(one) for one in found]}
        results.write(path(release, ours.backend), kept)
    return found


def run_again(release, backend, candidates, ready):
    """Runs alone, on both, what passed with one of them only."""
    if not 0 < len(candidates) <= MOST_RERUNS:
        return
    log = results.FOLDER / "logs" / f"{release.name}{results.suffix(backend)}-again.log"
    with xtask.Step(f"{release.name}: running {len(candidates)} differing tests again, alone") as step:
        for one in candidates:
            step.note(one.name)
            for _ in range(RERUNS):
                one.ours_again.append(suite.run_alone(ready("ours"), one.name, log))
                one.vendor_again.append(suite.run_alone(ready("vendor"), one.name, log))
            one.judge()
        step.outcome = f"{count(candidates, 'regression')} fail with our {release.loads} only"


def count(found, kind):
    return sum(one.kind == kind for one in found)
