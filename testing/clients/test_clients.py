"""Tests of these scripts on made-up runs. They start no client."""

import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import clients  # noqa: F401  finds xtask
import compare
import report
import results
import smoke
import suite
import xtask

RELEASE = xtask.Release("2023.2.4", "2023.2.4", "PI 12.27", "libsycl.so.6", "plugin", "dpctl 0.14.5", "dpctl", True, ["dpctl==0.14.5"])
SAID = """<VALIDATION>[ERROR]: There are no valid references to handle 0
RESULT {}
<VALIDATION>[ERROR]: Retained 1 reference(s) to handle 0x56422683acd0
<VALIDATION>[ERROR]: Handle 0x56422683acd0 was recorded for first time here:
<VALIDATION>[ERROR]: #0 /l/libur_loader.so.0(+0x71245b) [0x7fd98031245b]
<VALIDATION>[ERROR]: #1 /l/libsycl.so.8(make_context+0x1) [0x7fd980122dee]
<VALIDATION>[ERROR]: #2 /l/libur_loader.so.0(urContextCreate+0x42) [0x7fd980122df2]
"""


def run(plugin, outcome, name="t.py::a", seconds=1.0):
    tests = {name: {"outcome": outcome, "seconds": 0.5, "why": "it broke"}}
    return results.Run("2023.2.4", plugin, "abc", RELEASE.wheels, seconds, tests)


def row(differences, vendor="passed", ours="failed"):
    made = report.Row.__new__(report.Row)
    made.release, made.vendor, made.ours, made.differences = RELEASE, run("vendor", vendor), run("ours", ours), differences
    return made


class Events(unittest.TestCase):
    def test_a_whole_process_is_read(self):
        part = suite.read(
            '{"start":"a"}\n{"test":"a","outcome":"failed","seconds":1.5,"why":"no"}\n'
            '{"test":"c.py","outcome":"error","seconds":0,"why":"no module"}\n{"maps":["/x/libpi_opencl.so"]}\n{"end":1}\n'
        )
        self.assertEqual(part.tests["a"], {"outcome": "failed", "seconds": 1.5, "why": "no"})
        self.assertEqual(part.tests["c.py"]["outcome"], "error")
        self.assertTrue(part.ended and part.interrupted is None)
        self.assertEqual(part.loaded, {"/x/libpi_opencl.so"})

    def test_a_crash_leaves_the_test_that_was_under_way(self):
        part = suite.read('{"start":"a"}\n{"test":"a","outcome":"passed","seconds":1}\n{"start":"b"}\n{"test":')
        self.assertEqual((part.interrupted, list(part.tests), part.ended), ("b", ["a"], False))


# Stands for pytest. A test with that name crashes or hangs, and a file with "crash" in its name crashes before any test.
# The tests of a file with "spin" in its name never end and use a processor.
INTERPRETER = """#!{python}
import json, os, sys, time
def say(**event):
    with open(os.environ["SYCL_PI_EVENTS"], "a") as events:
        events.write(json.dumps(event) + "\\n")
done = open(os.environ["SYCL_PI_DONE"]).read().splitlines()
files = [word for word in sys.argv[1:] if word.startswith("client/")]
say(maps=["{loaded}"])
if any("crash" in file for file in files):
    os.abort()
if any("spin" in file for file in files):
    say(start=files[0] + "::spin")
    while True:
        pass
for name in [file + "::" + test for file in files for test in ("first", "crash", "hang", "last")]:
    if name not in done:
        say(start=name)
        if name.endswith("crash"):
            os.abort()
        if name.endswith("hang"):
            time.sleep(60)
        say(test=name, outcome="passed", seconds=0, why="")
say(end=0)
"""


class Crashes(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        plugin, python = self.root / "libpi_opencl.so", self.root / "python"
        plugin.write_text("")
        self.environment = xtask.Environment({}, RELEASE, self.root, self.root, self.root, python, plugin, "opencl")

    def loading(self, loaded):
        self.environment.python.write_text(INTERPRETER.format(python=sys.executable, loaded=loaded))
        self.environment.python.chmod(0o755)

    def group(self, *files):
        self.loading(self.environment.plugin)
        with mock.patch.object(suite, "PATIENCE", 2):
            part = suite.run_group(self.environment, list(files), self.root / "log")
        return {name: test["outcome"] for name, test in part.tests.items()}

    def test_a_new_process_goes_on_after_a_test_that_crashed_or_hung(self):
        outcomes = self.group("client/test_a.py")
        names = [f"client/test_a.py::{name}" for name in ("first", "crash", "hang", "last")]
        self.assertEqual(outcomes, dict(zip(names, ["passed", "crashed", "hung", "passed"])))

    def test_a_file_that_crashes_before_any_test_leaves_the_other_files(self):
        outcomes = self.group("client/test_a.py", "client/test_crash.py", "client/test_b.py")
        self.assertEqual(outcomes["client/test_crash.py"], "crashed")
        self.assertEqual(sum(outcome == "passed" for outcome in outcomes.values()), 4)

    def test_a_file_that_used_its_time_is_left_and_not_run_again(self):
        self.loading(self.environment.plugin)
        log = self.root / "log"
        for _ in range(2):
            part = suite.run_file(self.environment, ["client/test_spin.py"], log, 1)
            self.assertEqual([(name, test["outcome"]) for name, test in part.tests.items()], [("client/test_spin.py", "stopped")])
            # The second run uses the kept result, because the interpreter is gone.
            self.environment.python.unlink(missing_ok=True)

    def test_a_run_on_another_plugin_does_not_count(self):
        self.loading(self.root / "other" / "libpi_opencl.so")
        with self.assertRaisesRegex(xtask.CannotRun, "loaded .*other/libpi_opencl.so instead of"):
            suite.run_alone(self.environment, "client/test_a.py", self.root / "log")

    def test_a_library_of_another_kind_may_be_loaded_too(self):
        suite.prove_loaded(self.environment, ["/x/libpi_level_zero.so", "/x/libur_adapter_opencl.so"])


class Differences(unittest.TestCase):
    def kind(self, vendor, ours, vendor_again=(), ours_again=()):
        return compare.Difference("t", vendor, ours, "", list(vendor_again), list(ours_again)).kind

    def test_what_works_with_one_of_the_two_only_is_named_for_it(self):
        self.assertEqual(self.kind("passed", "failed"), "regression")
        self.assertEqual(self.kind("passed", None), "regression")
        self.assertEqual(self.kind("failed", "xpassed"), "better")
        self.assertEqual(self.kind("failed", "crashed"), "neither")

    def test_a_test_is_flaky_when_it_passes_alone_or_fails_with_the_vendors_plugin_too(self):
        good, some = ["passed"] * 3, ["passed", "failed", "passed"]
        self.assertEqual(self.kind("passed", "failed", good, good), "flaky")
        self.assertEqual(self.kind("passed", "failed", some, some), "flaky")
        self.assertEqual(self.kind("passed", "failed", good, some), "regression")
        self.assertEqual(self.kind("failed", "passed", good, good), "flaky")
        self.assertEqual(self.kind("failed", "passed", some, good), "better")

    def test_of_a_file_that_was_stopped_only_the_tests_of_both_are_compared(self):
        vendor, ours = run("vendor", "passed"), run("ours", "failed")
        for each, other in (("vendor", "t.py::b"), ("ours", "t.py::c")):
            {"vendor": vendor, "ours": ours}[each].tests[other] = {"outcome": "passed", "seconds": 0, "why": ""}
        self.assertEqual({one.name for one in compare.differences(vendor, ours)}, {"t.py::a", "t.py::b", "t.py::c"})
        vendor.tests["t.py"] = {"outcome": "stopped", "seconds": 0, "why": ""}
        self.assertEqual({one.name for one in compare.differences(vendor, ours)}, {"t.py::a"})

    def test_a_process_that_ends_badly_with_ours_only_is_a_regression(self):
        vendor, ours = run("vendor", "passed"), run("ours", "passed")
        ours.bad_ends = ["t.py"]
        self.assertEqual([one.kind for one in compare.differences(vendor, ours)], ["regression"])
        vendor.bad_ends = ["t.py"]
        self.assertEqual(compare.differences(vendor, ours), [])


class Reports(unittest.TestCase):
    def test_a_test_that_is_worse_with_ours_is_counted_and_named(self):
        worse = compare.Difference("t.py::a", "passed", "failed", "it broke", ["passed"], ["failed"])
        rows = [row([worse])]
        self.assertIn("| 1 / 0 / 0 ", report.releases_table(rows))
        self.assertIn("| 0 / 1 / 0 ", report.releases_table(rows))
        line = "- 2023.2.4 `t.py::a`: vendor passed, ours failed; alone: vendor passed, ours failed (it broke)"
        self.assertIn(line, report.tests(rows))

    def test_what_fails_with_both_is_named_apart(self):
        text = report.tests([row([], "error", "error")])
        self.assertIn("## Fails with both\n\n- 2023.2.4 `t.py::a`: error (it broke)", text)

    def test_a_test_about_a_cpu_counts_if_the_one_about_a_gpu_passes(self):
        share = report.Share(run("vendor", "passed", "t.py::a[opencl:cpu-x]"), run("ours", "passed", "t.py::a[opencl:gpu-x]"))
        self.assertEqual((share.same, share.on_gpu, share.part), (0, 1, 1.0))
        share = report.Share(run("vendor", "passed", "t_cpu.py::cpu[x]"), run("ours", "passed", "t_gpu.py::gpu[x]"))
        self.assertEqual((share.on_gpu, len(share.failed), share.part), (0, 1, 0.0))


class Complaints(unittest.TestCase):
    def test_a_message_comes_with_the_place_of_its_object(self):
        first, second = smoke.complaints(SAID)
        self.assertEqual((first.message, first.place()), ("There are no valid references to handle 0", None))
        self.assertEqual((second.message, second.place()), ("Retained 1 reference(s) to handle H", "urContextCreate"))

    def test_events_whose_making_the_layer_does_not_see_count_once_for_each_release(self):
        release = "<VALIDATION>[ERROR]: Attempting to release nonexistent handle 0x1\n" * 2
        end = "<VALIDATION>[ERROR]: Retained -{} reference(s) to handle 0x1\n"
        self.assertEqual(smoke.complaints(release + end.format(2)).total(), 2)
        self.assertEqual(smoke.complaints(release + end.format(2)), smoke.complaints(release + 2 * end.format(1)))

    def test_equal_runs_at_other_addresses_do_not_differ(self):
        first, second = smoke.complaints(SAID), smoke.complaints(SAID.replace("0x56422683acd0", "0x1").replace("0x7fd", "0x8"))
        self.assertEqual(first - second, {})
        self.assertEqual((first + first - second).total(), 2)

    def smoke_row(self, trouble, said):
        def answers(trouble, said):
            return {mode: smoke.Answer(trouble, smoke.complaints(said)) for mode in smoke.MODES}

        known = "<VALIDATION>[ERROR]: known\n"
        return smoke.Row(RELEASE, {"vendor": answers(None, known), "ours": answers(trouble, said)})

    def test_a_complaint_about_both_is_not_ours(self):
        one = self.smoke_row(None, "<VALIDATION>[ERROR]: known\n")
        self.assertTrue(one.is_good())
        self.assertIn("| ok / ok", smoke.text([one]))
        self.assertIn("| 1 / 1", smoke.text([one]))

    def test_what_is_wrong_with_ours_only_is_named(self):
        one = self.smoke_row("no device", "<VALIDATION>[ERROR]: new\n")
        wrong_result, complaint = self.smoke_row("no device", ""), self.smoke_row(None, "<VALIDATION>[ERROR]: new\n")
        self.assertEqual([wrong_result.is_good(), complaint.is_good()], [False, False])
        self.assertIn("our plugin, alone: no device", smoke.text([one]))
        self.assertIn('only about ours: 1 of "new"', smoke.text([one]))
