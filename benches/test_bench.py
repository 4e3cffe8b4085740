"""Tests of the limits, and of reading Callgrind's output."""

import pathlib
import random
import tempfile
import types
import unittest

import bench
import costs


def measured(own, enters_system, has_adapters=False):
    """Operations of two calls each: the driver takes 100 ns, and the plugin adds `own` to both."""
    rounds = {"ours": [100 + 2 * own] * 50, "vendor": [100] * 50, "bare": [100] * 50}
    call = {"name": "x", "entry_points": ["a", "b"], "enters_system": enters_system, "rounds": rounds}
    release = types.SimpleNamespace(version="1", has_adapters=has_adapters)
    return costs.Costs(release, {"version": "", "device": "", "calls": [call]})


class Limits(unittest.TestCase):
    def test_nanoseconds_count_if_the_system_is_not_entered(self):
        self.assertEqual([measured(own, False).above for own in (14, 16)], [[], ["x"]])

    def test_the_share_counts_if_the_system_is_entered(self):
        self.assertEqual([measured(own, True).above for own in (1, 2)], [[], ["x"]])
        self.assertEqual(measured(2, True).worst(True), "4.0 % (x)")

    def test_nanoseconds_count_for_adapters_even_if_the_system_is_entered(self):
        self.assertEqual([measured(own, True, has_adapters=True).above for own in (19, 21)], [[], ["x"]])

    def test_the_median_ratio_is_held_to_its_limit_too(self):
        self.assertEqual([measured(own, False).hold for own in (1, 2)], [True, False])


class Noise(unittest.TestCase):
    def test_a_shift_is_told_from_noise(self):
        noise = [random.Random(number).uniform(-0.05, 0.05) for number in range(600)]
        low, high = costs.Paired(1 + part for part in noise).confidence
        self.assertTrue(low < 1 < high)
        self.assertGreater(costs.Paired(1.02 + part for part in noise).confidence[0], 1)

    def test_one_round_is_its_own_median(self):
        self.assertEqual(costs.Paired([3]).median, 3)


# A plugin's function takes 17 instructions and calls the driver, which takes 7 and calls a function of its own. It then calls another
# function of the plugin, which takes 3.
CALLGRIND = """desc: Trigger: Client Request: 4 0
events: Ir
ob=(1) /build/pi-bench
fn=(1) operation
0 5
cob=(2) /lib/libpi_opencl.so
cfn=(2) piContextRetain
calls=1 0
0 27

ob=(2)
fn=(2)
16 12
+3 5
cob=(3) /build/libidle_driver.so
cfn=(3) clRetainContext
calls=2 0
* 7
cfn=(5) own
calls=1 0
* 3
fn=(5)
* 3

ob=(3)
fn=(3)
0 4
cfn=(4) absent
calls=1 0
0 3
fn=(4)
0 3
"""


class Instructions(unittest.TestCase):
    def test_the_way_to_the_driver_is_all_outside_of_the_program_and_the_driver(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "out.1"
            file.write_text(CALLGRIND)
            self.assertEqual(bench.counted(file), ((4, 0), {"to_the_driver": 20, "driver_calls": 2}))
            file.write_text("events: Ir\n")
            self.assertIsNone(bench.counted(file))

    def test_a_call_beyond_the_tolerance_is_named(self):
        def found(instructions, accepted, driver_calls=1):
            ours = {"to_the_driver": instructions, "driver_calls": driver_calls}
            call = {"name": "x", "counts": {"ours": ours, "bare": {"to_the_driver": 2, "driver_calls": 1}}}
            return list(bench.regressions({"calls": [call]}, accepted))

        self.assertEqual(found(115, {"x": 100}), [])
        self.assertEqual(found(115, {"x": 99}), ["x: 115 instructions, accepted were 99"])
        self.assertEqual(found(13, {"x": 9}), [])
        self.assertEqual(found(2, {}), ["x: no accepted count; --accept writes it"])
        self.assertEqual(found(2, {"x": 2}, 2), ["x: 2 calls of the driver, 1 are needed"])


if __name__ == "__main__":
    unittest.main()
