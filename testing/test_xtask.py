"""Tests of the scripts' shared code."""

import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import xtask


class Samples(unittest.TestCase):
    def on(self, day, count=1):
        with mock.patch.dict("os.environ", {"PI_TEST_DAY": day}), mock.patch("builtins.print"):
            return xtask.of_the_day("letters", "abcde", "spell", count)

    def test_every_choice_comes_within_as_many_days_as_there_are(self):
        self.assertEqual(sorted(self.on(str(20000 + day))[0] for day in range(5)), list("abcde"))
        self.assertEqual({one for day in range(3) for one in self.on(str(20000 + day), 2)}, set("abcde"))

    def test_a_sample_of_several_has_their_order(self):
        self.assertEqual(self.on("7", 2), ["a", "e"])

    def test_all_is_the_whole(self):
        self.assertEqual(self.on("all"), list("abcde"))


class Programs(unittest.TestCase):
    def test_a_program_that_hangs_is_killed_with_what_it_started(self):
        start = time.monotonic()
        ended = xtask.run(["sh", "-c", "echo begun; sleep 30 & sleep 30"], 1)
        self.assertEqual((ended.returncode, ended.stdout), (None, "begun\n"))
        self.assertLess(time.monotonic() - start, 20)

    def test_an_interrupt_ends_the_programs_under_test(self):
        with tempfile.TemporaryDirectory() as folder:
            begun, late = pathlib.Path(folder, "begun"), pathlib.Path(folder, "late")
            code = f"import xtask; xtask.exit_with(lambda: xtask.run(['sh', '-c', 'touch {begun}; sleep 4; touch {late}'], 60))"
            script = subprocess.Popen([sys.executable, "-c", code], cwd=pathlib.Path(xtask.__file__).parent)
            while not begun.exists():
                time.sleep(0.05)
            script.send_signal(signal.SIGINT)
            self.assertEqual(script.wait(20), 128 + signal.SIGINT)
            time.sleep(5)
            self.assertFalse(late.exists())

    def test_a_program_that_makes_progress_is_left_alone(self):
        ended = xtask.run(["sleep", "3"], 1, progress=time.monotonic)
        self.assertEqual(ended.returncode, 0)

    def test_a_program_that_uses_too_much_memory_is_killed_and_one_that_reserves_it_is_not(self):
        hold, reserve = ("x = bytearray(1 << 28); x[::4096] = b'1' * 65536", "import mmap; x = mmap.mmap(-1, 1 << 28)")
        ends = [xtask.run([sys.executable, "-c", f"{code}; import time; time.sleep(2.5)"], 60, memory=1 << 27) for code in (hold, reserve)]
        self.assertEqual([end.returncode for end in ends], [-9, 0])

    def test_the_end_of_a_process_is_told_in_words(self):
        self.assertEqual(xtask.how(xtask.run(["sh", "-c", "kill -6 $$"], 9).returncode), "ended by signal 6 (SIGABRT)")
        self.assertEqual(xtask.how(3), "ended with code 3")

    def test_the_error_of_a_failed_program_quotes_it(self):
        with self.assertRaisesRegex(xtask.CannotRun, "sh failed .ended with code 3.:\nno such thing"):
            xtask.output(["sh", "-c", "echo no such thing >&2; exit 3"])


class Sums(unittest.TestCase):
    def test_a_failure_and_no_test_at_all_are_bad_ends(self):
        self.assertEqual((xtask.Totals(1, 0, 2).code, xtask.Totals(0, 0, 1).code), (0, 0))
        self.assertEqual((xtask.Totals(2, 1, 0).code, xtask.Totals().code), (1, 1))
        self.assertEqual(str(xtask.Totals(1, 0, 2) + xtask.Totals(1, 1, 0)), "2 passed, 1 failed, 2 skipped")


class Pages(unittest.TestCase):
    def test_only_the_named_part_of_a_page_changes(self):
        with tempfile.TemporaryDirectory() as root, mock.patch.object(xtask, "ROOT", pathlib.Path(root)):
            page = pathlib.Path(root, "docs/reports/page.md")
            page.parent.mkdir(parents=True)
            page.write_text("a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n<!-- begin y -->\n<!-- end y -->\n")
            new = "a\n<!-- begin x -->\n\nnew\n\n<!-- end x -->\nb\n<!-- begin y -->\n<!-- end y -->\n"
            for _ in range(2):
                xtask.write_part("page.md", "x", "new\n")
                self.assertEqual(page.read_text(), new)
            with self.assertRaisesRegex(xtask.CannotRun, "has no part 'z'"):
                xtask.write_part("page.md", "z", "new")

    def test_a_table_has_its_columns_below_each_other(self):
        self.assertEqual(xtask.table(["a", "bb"], [[1, 22]]), "| a | bb |\n|---|----|\n| 1 | 22 |")


if __name__ == "__main__":
    unittest.main()
