"""Compare transforms in every layout of oneMKL's descriptors with NumPy's."""

import itertools
import unittest

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from software import SOFTWARE, Failed, fft

RANDOM = np.random.default_rng(3)


def numbers(shape, kind="D"):
    made = RANDOM.standard_normal(shape)
    if kind in "FD":
        made = made + 1j * RANDOM.standard_normal(shape)
    return made.astype(kind)


def close(got, want):
    tolerance = 1e-4 if got.dtype.char in "fF" else 1e-11
    assert_allclose(got, want, rtol=tolerance, atol=tolerance * max(np.abs(want).max(), 1))


class Scales(unittest.TestCase):
    def setUp(self):
        SOFTWARE.fail()

    def test_multiply_every_result(self):
        for kind in "FD":
            a = numbers((4, 6), kind)
            out = np.empty_like(a)
            fft(a, out, scale=0.25)
            close(out, np.fft.fft2(a) / 4)
            fft(a, out, forward=False, scale=1 / 24)
            close(out, np.fft.ifft2(a))

    def test_multiply_real_results_and_real_inputs_transforms(self):
        for real, complex_ in ("fF", "dD"):
            a = numbers((3, 8), real)
            out = np.empty((3, 5), complex_)
            fft(a, out, batched=True, scale=3.0)
            close(out, 3 * np.fft.rfft(a))
            back = np.empty((3, 8), real)
            fft(out, back, batched=True, forward=False, scale=1 / 24)
            close(back, a)

    def test_leave_the_gaps_between_results_alone(self):
        base = np.full((4, 16), 7 + 7j)
        out = base[:, 1:13:3]
        a = numbers((4, 4))
        fft(a, out, base_out=base, batched=True, scale=2.0)
        close(out, 2 * np.fft.fft(a))
        out[...] = 7 + 7j
        assert_array_equal(base, 7 + 7j)

    def test_are_one_call_where_the_results_have_no_gaps(self):
        a, out = numbers((5, 4, 6)), np.empty((5, 4, 6), "D")
        SOFTWARE.fail()
        fft(a, out, batched=True, scale=2.0)
        self.assertEqual(SOFTWARE.calls("cublasScalEx_64"), 1)


class Steps(unittest.TestCase):
    def test_of_the_input_may_be_negative(self):
        for kind in "FD":
            a = numbers((3, 4, 6), kind)
            out = np.empty_like(a)
            for view in (a[:, ::-1, ::-1], a[:, ::-1], a[::-1, :, ::-1]):
                fft(view, out, base_in=a, batched=True)
                close(out, np.fft.fft2(view))

    def test_of_the_output_may_be_negative(self):
        a, base = numbers((4, 6)), np.empty((4, 6), "D")
        out = base[::-1, ::-1]
        fft(a, out, base_out=base)
        close(out, np.fft.fft2(a))

    def test_may_be_negative_in_place(self):
        base = numbers((4, 6))
        view, want = base[:, ::-1], np.fft.fft2(base[:, ::-1])
        fft(view, view, base_in=base, base_out=base, scale=0.5)
        close(view, want / 2)

    def test_of_real_numbers_may_be_negative_on_both_sides(self):
        a, base = numbers((3, 5, 8), "d"), np.empty((3, 5, 5), "D")
        view, out = a[:, ::-1, ::-1], base[:, ::-1, ::-1]
        fft(view, out, base_in=a, base_out=base, batched=True)
        close(out, np.fft.rfft2(view))
        back_base = np.empty((3, 5, 8))
        back = back_base[::-1]
        kept = base.copy()
        fft(out, back, base_in=base, base_out=back_base, batched=True, forward=False, scale=1 / 40)
        close(back, view)
        assert_array_equal(base, kept)

    def test_of_zero_read_the_same_numbers_again(self):
        row = numbers((1, 6))
        view = np.broadcast_to(row, (4, 6))
        out = np.empty((4, 6), "D")
        fft(view, out, base_in=row)
        close(out, np.fft.fft2(view))
        fft(view, out, base_in=row, batched=True)
        close(out, np.fft.fft(view))

    def test_may_let_rows_overlap(self):
        a, out = numbers(12), np.empty((4, 6), "D")
        windows = np.lib.stride_tricks.sliding_window_view(a, 6)[::2]
        self.assertEqual(windows.shape, (4, 6))
        fft(windows, out, base_in=a)
        close(out, np.fft.fft2(windows))

    def test_of_zero_in_the_output_are_refused(self):
        out = np.empty((1, 6), "D")
        with self.assertRaisesRegex(Failed, "output has steps of zero"):
            fft(numbers((4, 6)), np.broadcast_to(out, (4, 6)), base_out=out)

    def test_of_dimensions_of_one_number_say_nothing(self):
        a = numbers((1, 6, 1))
        odd = np.lib.stride_tricks.as_strided(a, (1, 6, 1), (-48, 16, 0))
        out = np.empty((1, 6, 1), "D")
        fft(odd, out)
        close(out, np.fft.fftn(a))

    def test_may_put_the_dimensions_in_any_order(self):
        for order in itertools.permutations(range(3)):
            a, base = numbers((2, 3, 4)).transpose(order), np.empty((4, 2, 3), "D")
            out = base.transpose(np.argsort((2, 0, 1))).transpose(order)
            self.assertEqual(out.shape, a.shape)
            fft(a, out, base_in=a, base_out=base)
            close(out, np.fft.fftn(a))

    def test_of_real_transforms_may_begin_at_any_number(self):
        for shape in ((4, 8), (4, 7), (3, 5, 7)):
            base = np.empty(np.prod(shape) + 1, "d")
            a = base[1:].reshape(shape)
            a[...] = numbers(shape, "d")
            out = np.empty(shape[:-1] + (shape[-1] // 2 + 1,), "D")
            fft(a, out, base_in=base)
            close(out, np.fft.rfftn(a))
            want = a.copy()
            fft(out, a, base_out=base, forward=False, scale=1 / a.size)
            close(a, want)

    def test_of_real_transforms_may_put_the_dimensions_in_any_order(self):
        for order in itertools.permutations(range(3)):
            a = np.empty(np.array((4, 6, 8))[list(order)]).transpose(np.argsort(order))
            a[...] = numbers((4, 6, 8), "d")
            for other in itertools.permutations(range(3)):
                out = np.empty(np.array((4, 6, 5))[list(other)], "D").transpose(np.argsort(other))
                fft(a, out)
                want = np.fft.rfftn(a)
                close(out, want)
                kept, back = out.copy(), np.empty_like(a)
                fft(out, back, forward=False, scale=1 / 192)
                close(back, a)
                assert_array_equal(out, kept)


class InPlace(unittest.TestCase):
    def test_real_numbers_with_room_behind_each_row(self):
        for order in ((0, 1, 2), (1, 0, 2)):
            complex_ = np.empty(np.array((3, 4, 5))[list(order)], "D").transpose(np.argsort(order))
            real = complex_.view("d")[..., :8]
            real[...] = numbers((3, 4, 8), "d")
            want, kept = np.fft.rfftn(real), real.copy()
            fft(real, complex_)
            close(complex_, want)
            fft(complex_, real, forward=False, scale=1 / 96)
            close(real, kept)

    def test_other_steps_on_the_way_out(self):
        base = numbers((4, 4))
        want = np.fft.fft2(base)
        fft(base, base.T, base_out=base)
        close(base.T, want)

    def test_the_dimensions_in_another_order_on_the_way_out(self):
        base = numbers((4, 4, 4))
        out, want = base.transpose(2, 1, 0), np.fft.fftn(base)
        fft(base, out, base_out=base)
        close(out, want)


class Inputs(unittest.TestCase):
    def test_survive_a_transform_to_real_numbers(self):
        spectrum = numbers((3, 5))
        kept, out = spectrum.copy(), np.empty((3, 8))
        fft(spectrum, out, batched=True, forward=False)
        close(out, np.fft.irfft(spectrum, 8) * 8)
        assert_array_equal(spectrum, kept)


class Plans(unittest.TestCase):
    def setUp(self):
        SOFTWARE.fail()

    def test_are_made_once_for_each_shape(self):
        for _ in range(5):
            for length in (10, 20, 30):
                fft(numbers(length), np.empty(length, "D"))
        self.assertEqual(SOFTWARE.calls("cufftMakePlanMany64"), 3)

    def test_of_the_least_recent_shapes_are_given_back(self):
        recent = numbers(1000), np.empty(1000, "D")
        for length in range(100, 300):
            fft(numbers(length), np.empty(length, "D"))
            fft(*recent)
        self.assertEqual(SOFTWARE.calls("cufftMakePlanMany64"), 201)
        self.assertGreaterEqual(SOFTWARE.calls("cufftDestroy"), 130)
        for length in range(270, 300):
            fft(numbers(length), np.empty(length, "D"))
        self.assertEqual(SOFTWARE.calls("cufftMakePlanMany64"), 201)

    def test_are_told_their_stream_and_memory_once(self):
        for _ in range(5):
            fft(numbers(77), np.empty(77, "D"))
        self.assertEqual(SOFTWARE.calls("cufftXtExec"), 5)
        self.assertLessEqual(SOFTWARE.calls("cufftSetStream"), 1)
        self.assertLessEqual(SOFTWARE.calls("cufftSetWorkArea"), 1)

    def test_serve_all_transforms_of_a_batch_with_one_execution(self):
        a = numbers((4, 5, 6, 7))
        fft(a.reshape(20, 6, 7), np.empty((20, 6, 7), "D"), batched=True)
        self.assertEqual(SOFTWARE.calls("cufftXtExec"), 1)


class Waits(unittest.TestCase):
    def test_there_are_none_on_the_host(self):
        base, out = numbers((4, 6)), np.empty((4, 6), "D")
        fft(base[:, ::-1], out, base_in=base, scale=2.0)
        SOFTWARE.driver_fails("")
        fft(base[:, ::-1], out, base_in=base, scale=2.0)
        # The test's own: one for each of its two calls.
        self.assertEqual(SOFTWARE.driver_calls("cuStreamSynchronize"), 2)
        self.assertEqual(SOFTWARE.driver_calls("cuCtxSynchronize"), 0)
        self.assertEqual(SOFTWARE.driver_calls("cuEventSynchronize"), 0)


if __name__ == "__main__":
    unittest.main()
