"""Tests of counting what came of modules."""

import json
import unittest

import legalize

LINES = """package\tdpnp 0.20.0\t12\t10\t9
counts\tdpnp 0.20.0\tpocl-6.0\t4\t5\t1\t1\t0\t7\t{invalid}\t1\t250
counts\tdpnp 0.20.0\tpocl-7.1\t9\t0\t1\t1\t0\t9\t0\t0\t90
reason\tdpnp 0.20.0\tpocl-6.0\tkernel\t2\ta.spv\tit is too large
reason\tdpctl 0.22.1\tpocl-6.0\tkernel\t3\tb.spv\tit is too large
code\t{code}"""


def results(invalid=1, code=1):
    made = legalize.Results()
    for line in LINES.format(invalid=invalid, code=code).splitlines():
        fields = line.split("\t")
        made.add(["code", int(fields[1])] if fields[0] == "code" else fields)
    return made


class Counts(unittest.TestCase):
    def test_results_that_are_not_valid_fail_and_those_that_cannot_be_judged_are_skipped(self):
        totals = results().totals()
        self.assertEqual((totals.passed, totals.failed, totals.skipped, totals.code), (18, 1, 1, 1))
        self.assertEqual(results(invalid=0, code=0).totals().code, 0)

    def test_a_reason_is_counted_over_all_packages_of_each_driver(self):
        counts, reasons = results().tables()
        self.assertIn("| dpnp 0.20.0 | pocl-6.0 | 10      | 4    | 5", counts)
        self.assertIn("1 of 9", counts)
        self.assertEqual(reasons.splitlines()[2:], ["| kernel | it is too large | 5        | 0        |"])

    def test_reasons_that_differ_in_names_only_are_one(self):
        for text, short in [
            ("it uses variable .str._ in global memory", "it uses variable _ in global memory"),
            ("error: line _: ID '_[_]' has not been defined _ = OpConstantFunctionPointerINTEL _ _", "ID '_[_]' has not been defined"),
            ("error: line _: One must be different ids OpLoopMerge _ _ Unroll", "One must be different ids"),
            ("error: line _: Bad (_). _ = OpPhi _ _ (and before: error: line _: Worse OpLoopMerge _ _)", "Bad (_). (and before: Worse)"),
        ]:
            self.assertEqual(legalize.shortened(text), short)

    def test_the_json_has_every_number_under_its_name(self):
        made = json.loads(results().as_json())
        self.assertEqual(made["packages"]["dpnp 0.20.0"], {"modules": 12, "different": 10, "kernels": 9})
        self.assertEqual((made["counts"][1]["same"], made["counts"][0]["slowest"]), (9, 250))

    def test_another_exit_code_is_not_taken_for_a_result(self):
        with self.assertRaises(legalize.xtask.CannotRun):
            results(code=101)


if __name__ == "__main__":
    unittest.main()
