#!/usr/bin/env python3
"""Run stock clients' own test suites on the vendor's plugin or adapter and on ours, and compare them test by test.

    python3 testing/clients/clients.py --release 2024.2.2        dpctl's suite on one release of DPC++
    python3 testing/clients/clients.py --all --report            all releases and clients; writes docs/reports/clients.md
    python3 testing/clients/clients.py --backend level-zero --release 2023.2.4 --report
    python3 testing/clients/clients.py --release 2024.2.2 --only test_sycl_queue --plugin ours
    python3 testing/clients/clients.py --release 2025.3.3 --driver pocl-7    on another OpenCL driver than the release's own
    python3 testing/clients/clients.py --release 2025.3.3 --driver rusticl-26 --calls    basic calls of dpctl instead of its suite
    python3 testing/clients/clients.py --smoke                   a small program on every release with adapters
    python3 testing/clients/clients.py --release 2023.2.4 --cache
    python3 testing/clients/clients.py --test                    the sample of `cargo xtask test`

Results are in target/clients/results. A result for the same file and the same packages is reused.

Exit code 0: every test that passes with the vendor's file passes with ours. 1: some do not. 2: it could not run.
"""

import argparse
import functools
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import calls
import compare
import level_zero
import persistent_cache
import report
import results
import smoke
import suite
import xtask

# A release for each of libsycl.so.6 to .9, and which files of dpctl's suite run in a sample.
SAMPLE = {"2023.2.4": "dpctl/tests/test_sycl_", "2024.2.2": "dpctl/tests/test_sycl_", "2025.3.3": "dpctl/tests/test_sycl_queue",
          "2026.2.0": "dpctl/tests/test_sycl_"}  # fmt: skip
# A release whose loader wraps handles.
SMOKE_SAMPLE = "2025.0.5"


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--release", action="append", default=[], help="a release of DPC++, with dpctl if it names no other client: 2024.0.3-numba-dpex (repeatable)")
    add("--all", action="store_true", help="all releases with dpctl, and for OpenCL the other clients")
    add("--backend", choices=["opencl", "level-zero", "cuda"], default="opencl", help="the driver below; without a GPU the last two are software")
    add("--driver", metavar="NAME", help="an OpenCL driver instead of the release's own, as `cargo xtask env --help` names them")
    add("--plugin", choices=["ours", "vendor", "both"], default="both", help="whose plugin or adapter")
    add("--plugin-file", metavar="FILE", help="a file that counts as ours, instead of the one in target/release")
    add("--jobs", type=positive, default=2, help="test processes at a time")
    add("--fresh", action="store_true", help="run again even where a result for the same file is there")
    add("--only", help="only test files whose path contains this. The result is shown and not kept")
    add("--every", type=positive, default=1, help="only every Nth test file, as a sample. Its result takes the place of the suite's")
    add("--limit", type=positive, metavar="SECONDS", help="let each test file use a processor for so long, file by file. An interrupted run goes on where it was")
    add("--log", action="store_true", help="have ours log its calls in target/clients/results/logs. The result is shown and not kept")
    add("--report", action="store_true", help="write docs/reports/clients.md, or level-zero.md, from all results at hand")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--cache", action="store_true", help="instead of the suite, check SYCL_CACHE_PERSISTENT=1 with a dpnp program")
    instead.add_argument("--smoke", action="store_true", help="instead of the suite, run a small program in each way that a loader can call an adapter")
    instead.add_argument("--calls", action="store_true", help="instead of the suite, compare basic calls of dpctl with NumPy on one OpenCL driver")
    instead.add_argument("--test", action="store_true", help="run on ours only; the vendor's runs just the tests that did not pass. The last line has the totals")
    add("--environment", metavar="FILE", help="with --test: an environment that has ours in it, as `cargo xtask env --json` prints one")
    arguments = parser.parse_args()
    if arguments.report and arguments.backend == "cuda":
        parser.error("there is no page of the suites on CUDA")
    if arguments.driver and (arguments.backend != "opencl" or arguments.smoke or arguments.cache or arguments.test):
        parser.error("--driver is for suites on OpenCL")
    if not (arguments.release or arguments.all or arguments.report or arguments.smoke or arguments.test):
        parser.error("say which release (--release 2023.2.4) or --all")
    return arguments


class Clients:
    """What was asked for, and the releases that it is about."""

    def __init__(self, arguments):
        self.arguments, self.backend = arguments, arguments.backend
        # What results are named after.
        self.on = arguments.driver or arguments.backend
        self.known = xtask.releases()
        self.plugins = ["vendor", "ours"] if arguments.plugin == "both" else [arguments.plugin]
        self.is_kept = not arguments.only and not arguments.log
        self.with_suite = [one for one in self.known.values() if one.suite and (self.backend == "opencl" or one.package == "dpctl")]
        unknown = [name for name in arguments.release if name not in self.known]
        if unknown:
            raise xtask.CannotRun(f"there is no release {unknown[0]!r}; known are {', '.join(self.known)}")
        self.releases = self.with_suite if arguments.all else [self.known[name] for name in arguments.release]

    @functools.cache
    def ready(self, release, plugin, validate=False):
        """A release's environment, with ours in its place where that is meant."""
        arguments = self.arguments
        build = plugin == "ours" and not arguments.plugin_file
        file = arguments.plugin_file if plugin == "ours" else None
        environment = xtask.environment(release.name, plugin, self.backend, file, build, validate, arguments.driver)
        if arguments.log and plugin == "ours":
            log = results.FOLDER / "logs" / results.name_of(release, plugin, self.on) / "plugin.log"
            environment.variables |= {"PI_LOG": "debug", "PI_LOG_FILE": str(log)}
        return environment

    def suites(self):
        """Runs the suites and compares them; true if no test is worse with ours."""
        return all([self.suite(release) for release in self.releases])

    def suite(self, release):
        for plugin in self.plugins:
            self.run(release, plugin)
        vendor, ours = (results.load(release, plugin, self.on) for plugin in ("vendor", "ours"))
        if self.plugins == ["vendor"] or not self.is_kept or not vendor or not ours:
            return True
        if self.backend == "cuda":
            return report.Share(vendor, ours).show()
        if (vendor.every, vendor.limit) != (ours.every, ours.limit):
            return True
        found = compare.compare(release, vendor, ours, lambda plugin: self.ready(release, plugin))
        for one in found:
            if one.kind == "regression":
                print(f"worse: {release.name} {one.name}: {one.why}")
        worse, flaky, better = (compare.count(found, kind) for kind in ("regression", "flaky", "better"))
        print(f"{release.name}: {worse} worse with our {release.loads}, {flaky} flaky, {better} better")
        return worse == 0

    def run(self, release, plugin):
        """Runs one release's suite on one plugin or adapter, unless there is a result already."""
        arguments, environment = self.arguments, self.ready(release, plugin)
        if self.backend == "level-zero" and plugin == "vendor":
            missing = level_zero.missing_functions(environment.plugin)
            if missing:
                print(f"{release.name}: {suite.whose(plugin, release)} cannot be loaded: the loader has no {', '.join(missing)}")
                return
        earlier = results.load(release, plugin, self.on)
        same = earlier and earlier.plugin_sha256 == results.sha256(environment.plugin)
        same = same and (earlier.every, earlier.limit) == (arguments.every, arguments.limit)
        if same and self.is_kept and not arguments.fresh:
            print(f"{release.name} {plugin}: {earlier} (kept)", file=sys.stderr)
            return
        result = suite.run(environment, plugin, arguments.jobs, arguments.only, arguments.every, arguments.limit)
        if self.is_kept:
            results.store(result, release)
            return
        for name, test in result.tests.items():
            if test["outcome"] not in results.GOOD + results.SKIPS:
                print(f"{test['outcome']} {name}: {test['why']}")

    def smoke(self, releases, plugins):
        """Runs the small program on releases with adapters."""
        without = [release.name for release in releases if not release.has_adapters]
        if without:
            raise xtask.CannotRun(f"release {without[0]} has no adapters")
        if self.backend != "opencl":
            raise xtask.CannotRun("the small program runs on OpenCL devices only")
        return smoke.run(releases, plugins, self.ready)

    def show_smoke(self):
        """True if ours does what the vendor's does."""
        named = [] if self.arguments.all else self.releases
        rows = self.smoke(named or [one for one in self.known.values() if one.has_adapters], self.plugins)
        print(smoke.text(rows))
        if self.arguments.report:
            xtask.write_part("clients.md", "smoke", smoke.text(rows))
        return all(row.is_good() for row in rows)

    def calls(self):
        """Shows basic calls on each adapter; true if ours is nowhere worse."""
        good = True
        for release in self.releases:
            table, is_good = calls.run({plugin: self.ready(release, plugin) for plugin in self.plugins})
            print(table)
            good = is_good and good
        return good

    def persistent_cache(self):
        """Measures it on the releases that have dpnp; true if it works with each plugin asked for."""
        named = [self.known.get(f"{release.version}-dpnp", release) for release in self.releases]
        chosen = [one for one in named if any(wheel.startswith("dpnp==") for wheel in one.wheels)]
        measured = [persistent_cache.measure(plugin, self.ready(one, plugin)) for one in chosen for plugin in self.plugins]
        if not measured:
            raise xtask.CannotRun("none of these releases has dpnp; 2023.2.4 has")
        print(persistent_cache.text(measured))
        results.write(persistent_cache.KEPT, measured)
        return all(map(persistent_cache.works, measured))

    def report(self):
        """Whether the report is complete, where that was asked for, and shows no test worse with ours."""
        if self.arguments.driver:
            return report.write_drivers(self.releases)
        good = report.write(self.with_suite, self.backend)
        return good or (self.backend == "opencl" and not self.arguments.all)

    def test(self):
        """Runs suites on ours only, and without a release the whole sample. The last line has the totals."""
        sample = dict.fromkeys((one.name for one in self.releases), self.arguments.only) or sample_of_the_day()
        totals = xtask.Totals()
        for name, only in sample.items():
            totals += self.test_suite(self.known[name], only)
        if not self.releases:
            [row] = self.smoke([self.known[SMOKE_SAMPLE]], ["vendor", "ours"])
            totals.count(row.is_good())
            if not row.is_good():
                print(smoke.text([row]))
        print(totals)
        return totals.code == 0

    def test_suite(self, release, only):
        """A test that does not pass runs alone again, there and on the vendor's.

        It counts as failed if it passes there only, and as skipped if it passes on neither.
        """
        file = self.arguments.environment
        if file:
            ours = xtask.Environment(**json.loads(pathlib.Path(file).read_text()))
        else:
            ours = self.ready(release, "ours", self.backend == "level-zero")
        totals, log = xtask.Totals(), results.FOLDER / "logs" / "again.log"
        for name, test in suite.run(ours, "ours", self.arguments.jobs, only).tests.items():
            outcome, remark = test["outcome"], None
            if outcome in results.GOOD + results.SKIPS:
                totals += xtask.Totals(passed=outcome in results.GOOD, skipped=outcome in results.SKIPS)
            elif suite.run_alone(ours, name, log) in results.GOOD:
                totals.passed += 1
                remark = "in the suite, passed alone"
            elif suite.run_alone(self.ready(release, "vendor"), name, log) in results.GOOD:
                totals.failed += 1
                remark = f"with our {release.loads} only: {test['why']}"
            else:
                totals.skipped += 1
                remark = "with ours and with the vendor's"
            if remark:
                print(f"{release.name}: {name}: {outcome} {remark}")
        return totals


def sample_of_the_day():
    """The newest release of the sample, and one of the others each day."""
    *others, newest = SAMPLE
    names = xtask.of_the_day(f"dpctl's suite beside {newest}", others, "PI_TEST_DAY=all cargo xtask test --only clients")
    return {name: SAMPLE[name] for name in [*names, newest]}


def main():
    arguments = parse()
    clients = Clients(arguments)
    if arguments.test:
        good = clients.test()
    elif arguments.smoke:
        good = clients.show_smoke()
    elif arguments.calls:
        good = clients.calls()
    else:
        good = clients.persistent_cache() if arguments.cache else clients.suites()
        good = (clients.report() if arguments.report else True) and good
    return 0 if good else 1


if __name__ == "__main__":
    xtask.exit_with(main)
