//! Values of the functions that are one call of libdevice or one intrinsic. The functions with special cases are in
//! floats.rs.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

use testing_nvvm::{bytes, elementwise};

use crate::floats::check;
use crate::gpu::compute;

type OfOne = fn(f64) -> f64;
type OfTwo = fn(f64, f64) -> f64;

/// The largest relative difference from the host's functions.
const NEAR: f64 = 1e-13;
/// OpenCL's limit for `half_` functions: 8192 units in the last place of `float`.
const HALF_DIGITS: f64 = 1e-3;

/// The Taylor series of the error function, for numbers up to 1.
fn error_function(x: f64) -> f64 {
    let (mut power, mut sum) = (x, x);
    for n in 1..30 {
        power *= -x * x / f64::from(n);
        sum += power / f64::from(2 * n + 1);
    }
    FRAC_2_SQRT_PI * sum
}

/// The gamma function of a positive integer.
fn factorial_before(x: f64) -> f64 {
    (1..).map(f64::from).take_while(|n| *n < x).product()
}

fn of_one(functions: &[(&str, OfOne)], values: &[f64], part: f64) {
    let rows: Vec<[f64; 1]> = values.iter().map(|value| [*value]).collect();
    for (name, expected) in functions {
        check(name, &rows, part, |[x]| expected(x));
    }
}

fn of_two(functions: &[(&str, OfTwo)], rows: &[[f64; 2]], part: f64) {
    for (name, expected) in functions {
        check(name, rows, part, |[x, y]| expected(x, y));
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn angles_and_their_functions() {
    let inverse: [(&str, OfOne); 7] = [
        ("acos", f64::acos),
        ("acospi", |x| x.acos() / PI),
        ("asin", f64::asin),
        ("asinpi", |x| x.asin() / PI),
        ("atan", f64::atan),
        ("atanpi", |x| x.atan() / PI),
        ("atanh", f64::atanh),
    ];
    of_one(&inverse, &[0.25, -0.75, 0.5], NEAR);
    of_one(&[("acosh", f64::acosh)], &[1.25, 3.0, 10.0], NEAR);
    let of_all: [(&str, OfOne); 10] = [
        ("asinh", f64::asinh),
        ("sin", f64::sin),
        ("cos", f64::cos),
        ("tan", f64::tan),
        ("sinh", f64::sinh),
        ("cosh", f64::cosh),
        ("tanh", f64::tanh),
        ("sinpi", |x| (x * PI).sin()),
        ("cospi", |x| (x * PI).cos()),
        ("tanpi", |x| (x * PI).tan()),
    ];
    of_one(&of_all, &[0.25, -0.75, 1.125], NEAR);
    let of_pairs: [(&str, OfTwo); 3] =
        [("atan2", f64::atan2), ("atan2pi", |y, x| y.atan2(x) / PI), ("hypot", f64::hypot)];
    of_two(&of_pairs, &[[3.0, 4.0], [-1.0, 0.5], [2.0, -7.0]], NEAR);
}

#[test]
#[ignore = "needs LLVM 14"]
fn exponents_logarithms_and_roots() {
    let exponents: [(&str, OfOne); 5] = [
        ("exp", f64::exp),
        ("exp2", f64::exp2),
        ("exp10", |x| 10.0_f64.powf(x)),
        ("expm1", f64::exp_m1),
        ("cbrt", f64::cbrt),
    ];
    of_one(&exponents, &[0.25, -1.5, 3.0], NEAR);
    let logarithms: [(&str, OfOne); 6] = [
        ("log", f64::ln),
        ("log2", f64::log2),
        ("log10", f64::log10),
        ("log1p", f64::ln_1p),
        ("sqrt", f64::sqrt),
        ("rsqrt", |x| x.sqrt().recip()),
    ];
    of_one(&logarithms, &[0.25, 3.0, 1024.0], NEAR);
    of_one(&[("logb", |x| x.abs().log2().floor())], &[0.25, -3.0, 1000.0], 0.0);
    of_one(&[("erf", error_function), ("erfc", |x| 1.0 - error_function(x))], &[0.25, -0.5, 1.0], NEAR);
    let gamma: [(&str, OfOne); 2] = [("tgamma", factorial_before), ("lgamma", |x| factorial_before(x).ln())];
    of_one(&gamma, &[3.0, 5.0, 9.0], NEAR);
}

#[test]
#[ignore = "needs LLVM 14"]
fn functions_of_few_digits_have_them() {
    let trigonometric: [(&str, OfOne); 6] = [
        ("half_cos", f64::cos),
        ("half_sin", f64::sin),
        ("half_tan", f64::tan),
        ("native_cos", f64::cos),
        ("native_sin", f64::sin),
        ("native_tan", f64::tan),
    ];
    of_one(&trigonometric, &[0.25, -0.75, 1.125], HALF_DIGITS);
    let exponents: [(&str, OfOne); 6] = [
        ("half_exp", f64::exp),
        ("half_exp2", f64::exp2),
        ("half_exp10", |x| 10.0_f64.powf(x)),
        ("native_exp", f64::exp),
        ("native_exp2", f64::exp2),
        ("native_exp10", |x| 10.0_f64.powf(x)),
    ];
    of_one(&exponents, &[0.25, -1.5, 3.0], HALF_DIGITS);
    let of_positive: [(&str, OfOne); 12] = [
        ("half_log", f64::ln),
        ("half_log2", f64::log2),
        ("half_log10", f64::log10),
        ("half_recip", f64::recip),
        ("half_rsqrt", |x| x.sqrt().recip()),
        ("half_sqrt", f64::sqrt),
        ("native_log", f64::ln),
        ("native_log2", f64::log2),
        ("native_log10", f64::log10),
        ("native_recip", f64::recip),
        ("native_rsqrt", |x| x.sqrt().recip()),
        ("native_sqrt", f64::sqrt),
    ];
    of_one(&of_positive, &[0.25, 3.0, 1024.0], HALF_DIGITS);
    let of_pairs: [(&str, OfTwo); 4] = [
        ("half_divide", |x, y| x / y),
        ("half_powr", f64::powf),
        ("native_divide", |x, y| x / y),
        ("native_powr", f64::powf),
    ];
    of_two(&of_pairs, &[[3.0, 4.0], [0.5, -2.5], [7.0, 0.25]], HALF_DIGITS);
}

#[test]
#[ignore = "needs LLVM 14"]
fn exact_functions_of_two_and_three_numbers() {
    let of_pairs: [(&str, OfTwo); 3] = [
        ("fmax_common", f64::max),
        ("fmin_common", f64::min),
        ("remainder", |x, y| x - y * (x / y).round_ties_even()),
    ];
    of_two(&of_pairs, &[[3.0, 4.0], [-7.0, 2.0], [5.0, -2.0]], 0.0);
    // 1 + 2^-20 squared is one digit longer than a `float`.
    let step = 1.0 + (-20.0_f64).exp2();
    for name in ["fma", "mad"] {
        check(name, &[[3.0, 4.0, 5.0], [step, step, -1.0]], 0.0, |[a, b, c]| a.mul_add(b, c));
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn functions_of_integers_that_change_little() {
    let code = "%r = OpExtInst %float %cl ldexp %v0 %v1";
    let module = elementwise("", &["%float", "%uint"], "%float", code).unwrap();
    let columns = [bytes(&[1.5_f32, -3.0, 1.0]), bytes(&[4, -2, -149])];
    assert_eq!(compute::<f32>(&module, &columns, 3).unwrap(), [24.0, -0.75, f32::from_bits(1)]);
    let module = elementwise("", &["%uint"], "%uint", "%r = OpExtInst %uint %cl u_abs %v0").unwrap();
    assert_eq!(compute::<u32>(&module, &[bytes(&[0, 7, u32::MAX])], 3).unwrap(), [0, 7, u32::MAX]);
}
