"""Costs of each operation at one PI version or layout of Unified Runtime, their limits, and tables of them."""

import math

import xtask

# An operation is above its limit only if it is so with 99 % confidence.
STANDARD_ERRORS = 2.576


class Paired:
    """The median of paired rounds and its spread, without assumptions about the distribution of noise."""

    def __init__(self, rounds):
        ordered = sorted(rounds)
        count = len(ordered)

        def at(rank):
            return ordered[min(int(max(rank, 0)), count - 1)] if ordered else math.nan

        half_width = STANDARD_ERRORS * math.sqrt(count) / 2
        self.median = at(count / 2)
        self.quartiles = [at(count / 4), at(3 * count / 4)]
        # Where the true median lies: order statistics of the sign test.
        self.confidence = [at(count / 2 - half_width), at(count / 2 + half_width)]


class Line:
    """The limits. Without a share, nanoseconds count also in an operation that enters the system."""

    def __init__(self, own_ns, own_share, median_ratio=1.02):
        self.own_ns, self.own_share, self.median_ratio = own_ns, own_share, median_ratio

    def __str__(self):
        own = f"at most {self.own_ns} ns of our own per call, in every operation."
        if self.own_share:
            own = (
                f"at most {self.own_ns} ns of our own per call in an operation that does not enter the system; at most "
                f"{self.own_share:.0%} of the\ndriver's time in one that does."
            )
        return f"The line: {own} The median of ours / vendor over all operations is at most {self.median_ratio}."


PLUGINS, ADAPTERS = Line(15, 0.03), Line(20, None)


class Cost:
    """One operation. Times are nanoseconds."""

    def __init__(self, timed, line):
        ours, vendor, bare = (timed["rounds"][side] for side in ("ours", "vendor", "bare"))
        calls = max(len(timed["entry_points"]), 1)
        self.name, self.enters_system = timed["name"], timed["enters_system"]
        self.ours, self.vendor, self.bare = (Paired(times).median for times in (ours, vendor, bare))
        self.ratio = Paired(one / other for one, other in zip(ours, vendor)).median
        self.limit = line.own_ns
        # What we add to the driver's own time in the same round: for each call, or as a share.
        self.is_share = self.enters_system and line.own_share is not None
        if self.is_share:
            self.limit = line.own_share
            self.own = Paired((one - other) / other for one, other in zip(ours, bare))
        else:
            self.own = Paired((one - other) / calls for one, other in zip(ours, bare))

    @property
    def is_above(self):
        return self.own.confidence[0] > self.limit

    @property
    def own_in_words(self):
        return f"{self.own.median * 100:.1f} %" if self.is_share else f"{self.own.median:.1f} ns"


class Costs:
    """All operations at one version or layout."""

    def __init__(self, release, timed):
        self.release, self.version, self.device = release, timed["version"], timed["device"]
        self.line = ADAPTERS if release.has_adapters else PLUGINS
        self.interface = "layout" if release.has_adapters else "PI"
        self.rounds = len(timed["calls"][0]["rounds"]["ours"]) if timed["calls"] else 0
        self.operations = [Cost(call, self.line) for call in timed["calls"]]
        self.median_ratio = Paired(cost.ratio for cost in self.operations).median
        self.above = [cost.name for cost in self.operations if cost.is_above]
        self.hold = not self.above and self.median_ratio <= self.line.median_ratio

    def worst(self, enters_system):
        """The largest own share among the operations that enter the system, or among the others."""
        those = [cost for cost in self.operations if cost.enters_system == enters_system]
        worst = max(those, key=lambda cost: cost.own.median, default=None)
        return f"{worst.own_in_words} ({worst.name})" if worst else "-"

    def as_json(self):
        names = ["name", "ours", "vendor", "bare", "ratio", "enters_system", "own_in_words", "is_above"]
        operations = [{name: getattr(cost, name) for name in names} | {"own": vars(cost.own)} for cost in self.operations]
        return {
            "release": self.release.version,
            "version": self.version,
            "device": self.device,
            "rounds": self.rounds,
            "operations": operations,
        }


def operations_table(costs):
    header = ["operation", "ours, ns", "vendor, ns", "driver, ns", "ours / vendor", "own share", "enters the system", ""]
    rows = []
    for cost in costs.operations:
        times = [f"{time:.1f}" for time in (cost.ours, cost.vendor, cost.bare)]
        words = [cost.own_in_words, "yes" * cost.enters_system, "above the line" * cost.is_above]
        rows.append([cost.name, *times, f"{cost.ratio:.3f}", *words])
    return xtask.table(header, rows)


def versions_table(all_costs):
    header = [
        all_costs[0].interface, "release", "operations", "median of ours / vendor", "largest own share, not entering the system",
        "largest own share, entering the system", "rows above the line", "line",
    ]  # fmt: skip
    rows = [
        [
            costs.version, costs.release.version, len(costs.operations), f"{costs.median_ratio:.3f}", costs.worst(False), costs.worst(True),
            f"{len(costs.above)}{': ' * bool(costs.above)}{'; '.join(costs.above)}", "holds" if costs.hold else "does not hold",
        ]
        for costs in all_costs
    ]  # fmt: skip
    return xtask.table(header, rows)
