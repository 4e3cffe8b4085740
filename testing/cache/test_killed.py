"""Tests of the detection of damage. They start no process."""

import collections
import unittest

import caches  # noqa: F401  finds xtask
import killed


class Judgement(unittest.TestCase):
    def setUp(self):
        self.killing = killed.Killing.__new__(killed.Killing)
        self.killing.found, self.killing.longest = collections.Counter(), 0

    def test_damage_is_an_error(self):
        self.killing.judge("verify", {"items": 3, "damaged": 0})
        with self.assertRaisesRegex(killed.Lost, "1 items do not verify"):
            self.killing.judge("verify", {"items": 3, "damaged": 1})

    def test_a_wait_without_result_and_a_long_one_are_errors(self):
        self.killing.judge("run", {"programs": 64, "hits": 60, "timeouts": 0, "longest_ms": 12})
        self.assertIn("64 programs right (60 from the disk), the slowest in 12 ms", str(self.killing))
        for timeouts, longest in ((1, 12), (0, 20_000)):
            with self.assertRaises(killed.Lost):
                self.killing.judge("run", {"programs": 64, "hits": 60, "timeouts": timeouts, "longest_ms": longest})

    def test_a_check_that_says_nothing_is_an_error(self):
        with self.assertRaises(KeyError):
            self.killing.judge("verify", {"items": 3})
