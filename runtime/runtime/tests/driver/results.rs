//! Tests the results of kernels on real data; the sources of the images determine the correct results.

use std::path::Path;

use libtest_mimic::Trial;
use sycl_pi_runtime::*;

use crate::behaviours::fixture;
use crate::{Test, trials};
use testing_programs::Launch as _;

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        ("sums_of_two_vectors", sums_of_two_vectors),
        ("kernels_of_one_image", kernels_of_one_image),
        ("work_group_memory", work_group_memory),
        ("defaults_of_specialization_constants", defaults_of_specialization_constants),
        ("first_values_of_device_globals", first_values_of_device_globals),
        ("features", features),
    ];
    trials("results", plugin, tests)
}

/// Runs a kernel that takes one address, and checks the memory there afterwards.
fn check<T: Element + Default + PartialEq + std::fmt::Debug>(
    plugin: &Path,
    (image, kernel): (&str, &str),
    range: NdRange,
    before: &[T],
    after: &[T],
) {
    let fixture = fixture(plugin, &[image]);
    let memory = fixture.memory(before);
    let built = fixture.kernel(kernel).unwrap();
    built.start(&fixture.queue, range, &[Arg::usm(&memory)]).unwrap().wait().unwrap();
    assert_eq!(memory.to_vec(&fixture.queue).unwrap(), after, "{kernel} of {image}");
}

/// `c[i] = a[i] + b[i]`: a lambda has its captures in the order of their use, and a free function its parameters in the
/// order of the source.
fn sums_of_two_vectors(plugin: &Path) {
    let images = [
        ("vadd", "_ZTS4VAdd"),
        ("vadd_O0", "__sycl_kernel_vadd"),
        ("vadd_noassume", "_ZTS4VAdd"),
        ("vadd_free", "__sycl_kernel_vadd"),
    ];
    for (image, kernel) in images {
        let fixture = fixture(plugin, &[image]);
        let (a, b) = (fixture.memory(&[1.0_f32, 2.0, 3.0, 4.0]), fixture.memory(&[0.5_f32, 20.0, -3.0, 1e6]));
        let c = fixture.memory(&[9.0_f32; 5]);
        let [a, b, sums] = [&a, &b, &c].map(Arg::usm);
        let args = if kernel == "__sycl_kernel_vadd" { [a, b, sums] } else { [sums, a, b] };
        let built = fixture.kernel(kernel).unwrap();
        built.start(&fixture.queue, NdRange::linear(4), &args).unwrap().wait().unwrap();
        assert_eq!(c.to_vec(&fixture.queue).unwrap(), [1.5, 22.0, 0.0, 1_000_004.0, 9.0], "{image}");
    }
}

fn kernels_of_one_image(plugin: &Path) {
    let range = NdRange::linear(3);
    let image = "multi_off";
    check(plugin, (image, "_ZTS6KScale"), range, &[1.0_f32, 2.0, -4.0, 5.0], &[3.0, 6.0, -12.0, 5.0]);
    check(plugin, (image, "_ZTS7KAddOne"), range, &[1_i32, -1, 41, 5], &[2, 0, 42, 5]);
    check(plugin, (image, "_ZTS7KDouble"), range, &[1.0_f64, 2.0, -3.0, 5.0], &[0.5, 1.0, -1.5, 5.0]);
}

/// Each group of 16 is reversed.
fn work_group_memory(plugin: &Path) {
    let range = NdRange::linear(64).with_local_size(&[16]).unwrap();
    let before: Vec<i32> = (0..64).collect();
    let after: Vec<i32> = before.chunks(16).flat_map(|group| group.iter().rev().copied()).collect();
    check(plugin, ("misc_static_local", "_ZTS15MiscStaticLocal"), range, &before, &after);
}

fn defaults_of_specialization_constants(plugin: &Path) {
    let one = NdRange::single();
    let scalars = [42.0, 1.5, 2.25, 1.0, f64::from(b'c'), -7.0, f64::from(0x7788), -1.0];
    check(plugin, ("spec_scalar", "_ZTS10SpecScalar"), one, &[-1.0_f64; 8], &scalars);
    check(plugin, ("spec_array", "_ZTS9SpecArray"), one, &[-1.0_f32; 6], &[1.0, 3.0, 5.0, 10.0, 40.0, -1.0]);
    let padded = [11, i32::from(b'q'), i32::from(b'h'), 12, i32::from(b'r'), -1];
    check(plugin, ("spec_padded", "_ZTS10SpecPadded"), one, &[-1_i32; 6], &padded);
    check(plugin, ("spec_zero", "_ZTS8SpecZero"), one, &[-1.0_f32; 4], &[0.0, 0.0, 0.0, -1.0]);
    for image in ["spec_multi", "spec_multi_a"] {
        check(plugin, (image, "_ZTS5SpecA"), one, &[-1.0_f32; 3], &[3.0, -1.0, -1.0]);
    }
    for image in ["spec_multi", "spec_multi_b"] {
        check(plugin, (image, "_ZTS5SpecB"), one, &[-1.0_f32; 3], &[-1.0, 4.0, -1.0]);
    }
}

fn first_values_of_device_globals(plugin: &Path) {
    let one = NdRange::single();
    check(plugin, ("dg_init", "_ZTS6DgInit"), one, &[-1_i32; 5], &[1234, 10, 20, 30, -1]);
    check(plugin, ("dg_props", "_ZTS7DgProps"), one, &[-1_i32; 10], &[0, 0, 0, 0, 0, 0, 0, 0, 0, -1]);
}

fn features(plugin: &Path) {
    check(plugin, ("feat_fp64", "_ZTS8FeatFp64"), NdRange::single(), &[3.0_f64, 4.0], &[10.0, 4.0]);
    check(plugin, ("feat_grf", "_ZTS3Grf"), NdRange::single(), &[-1_i32, -1], &[5, -1]);
}
