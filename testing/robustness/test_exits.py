import unittest

import exits


def cell(bad, good):
    return exits.Cell(good, {"signal 11": bad} if bad else {})


class Exits(unittest.TestCase):
    def test_a_side_is_worse_where_chance_does_not_explain_it(self):
        self.assertTrue(exits.is_worse(cell(30, 18), cell(1, 47)))
        self.assertTrue(exits.is_worse(cell(7, 41), cell(0, 48)))
        self.assertFalse(exits.is_worse(cell(2, 46), cell(0, 48)))
        self.assertFalse(exits.is_worse(cell(1, 47), cell(30, 18)))
        self.assertFalse(exits.is_worse(cell(0, 48), cell(0, 48)))

    def test_the_chance_is_that_of_drawing_without_replacement(self):
        # Two bad ones among four, both in the first two: 1 of 6 ways.
        self.assertAlmostEqual(exits.chance(cell(2, 0), cell(0, 2)), 1 / 6)
        self.assertEqual(exits.chance(cell(0, 2), cell(2, 0)), 1)

    def test_an_end_is_good_only_with_the_code_of_its_kind(self):
        one = exits.Cell()
        for code in [0, -6, None, 99, 0]:
            one.count(code, 0)
        self.assertEqual((one.good, one.ends), (2, {"signal 6": 1, "no end": 1, "code 99": 1}))
        one = exits.Cell()
        one.count(-6, -6)
        self.assertEqual((one.good, one.bad), (1, 0))

    def test_a_side_that_has_not_what_a_kind_is_about_makes_neither_worse(self):
        self.assertFalse(exits.is_worse(cell(0, 48), cell(0, 0)))
        self.assertFalse(exits.is_worse(cell(4, 44), cell(0, 0)))

    def test_a_table_leaves_out_kinds_that_always_ended_well(self):
        tables = {"2026.2.0": {"quick": {"ours": cell(0, 4), "vendor": cell(0, 4)}, "slow": {"ours": cell(0, 4), "vendor": cell(2, 2)}}}
        self.assertEqual(list(exits.rows(tables)), [["`slow`", "0 / 2"]])
        self.assertEqual(list(exits.sums(tables)), [["ours: bad runs", "0 of 8"], ["vendor: bad runs", "2 of 8"]])


if __name__ == "__main__":
    unittest.main()
