//! OpenCL's error limits of mathematical functions.

/// A function of OpenCL.std, and its limits for `float` and `double` in units in the last place.
pub type Limits = (&'static str, f64, f64);

/// Functions of one number.
pub const OF_ONE: &[Limits] = &[
    ("acos", 4.0, 4.0),
    ("acosh", 4.0, 4.0),
    ("acospi", 5.0, 5.0),
    ("asin", 4.0, 4.0),
    ("asinh", 4.0, 4.0),
    ("asinpi", 5.0, 5.0),
    ("atan", 5.0, 5.0),
    ("atanh", 5.0, 5.0),
    ("atanpi", 5.0, 5.0),
    ("cbrt", 2.0, 2.0),
    ("cos", 4.0, 4.0),
    ("cosh", 4.0, 4.0),
    ("cospi", 4.0, 4.0),
    ("degrees", 2.0, 2.0),
    ("erf", 16.0, 16.0),
    ("erfc", 16.0, 16.0),
    ("exp", 3.0, 3.0),
    ("exp2", 3.0, 3.0),
    ("exp10", 3.0, 3.0),
    ("expm1", 3.0, 3.0),
    ("log", 3.0, 3.0),
    ("log2", 3.0, 3.0),
    ("log10", 3.0, 3.0),
    ("log1p", 2.0, 2.0),
    ("logb", 0.0, 0.0),
    ("radians", 2.0, 2.0),
    ("rsqrt", 2.0, 2.0),
    ("sin", 4.0, 4.0),
    ("sinh", 4.0, 4.0),
    ("sinpi", 4.0, 4.0),
    ("sqrt", 3.0, 0.5),
    ("tan", 5.0, 5.0),
    ("tanh", 5.0, 5.0),
    ("tanpi", 6.0, 6.0),
    ("tgamma", 16.0, 16.0),
];

/// Functions of two numbers.
pub const OF_TWO: &[Limits] = &[
    ("atan2", 6.0, 6.0),
    ("atan2pi", 6.0, 6.0),
    ("hypot", 4.0, 4.0),
    ("pow", 16.0, 16.0),
    ("powr", 16.0, 16.0),
    ("remainder", 0.0, 0.0),
];

/// More functions of one number, whose errors `pi-cuda-ulp` measures. Infinity means that OpenCL leaves it to the
/// implementation.
pub const MORE_OF_ONE: &[Limits] = &[
    ("ceil", 0.0, 0.0),
    ("fabs", 0.0, 0.0),
    ("floor", 0.0, 0.0),
    ("lgamma", f64::INFINITY, f64::INFINITY),
    ("rint", 0.0, 0.0),
    ("round", 0.0, 0.0),
    ("trunc", 0.0, 0.0),
    ("half_recip", 8192.0, f64::NAN),
    ("half_exp", 8192.0, f64::NAN),
    ("half_log", 8192.0, f64::NAN),
    ("half_rsqrt", 8192.0, f64::NAN),
    ("half_sqrt", 8192.0, f64::NAN),
    ("native_recip", f64::INFINITY, f64::NAN),
    ("native_exp", f64::INFINITY, f64::NAN),
    ("native_log", f64::INFINITY, f64::NAN),
    ("native_rsqrt", f64::INFINITY, f64::NAN),
    ("native_sqrt", f64::INFINITY, f64::NAN),
    ("native_sin", f64::INFINITY, f64::NAN),
    ("native_cos", f64::INFINITY, f64::NAN),
];

/// More functions of two numbers.
pub const MORE_OF_TWO: &[Limits] =
    &[("fdim", 0.5, 0.5), ("fmod", 0.0, 0.0), ("half_divide", 8192.0, f64::NAN)];

/// Functions that `pi-cuda-ulp` does not measure, because its reference does not support them.
pub const LEFT_OUT: [&str; 2] = ["degrees", "radians"];

/// Functions whose result is a copy, a choice or a simple arithmetic operation, and is therefore right or wrong. Also
/// those for which OpenCL has no specific limit. Their errors are not measured.
pub const WITHOUT_ULP: [&str; 18] = [
    "bitselect",
    "copysign",
    "degrees",
    "fclamp",
    "fma",
    "fmax",
    "fmax_common",
    "fmin",
    "fmin_common",
    "mad",
    "maxmag",
    "minmag",
    "mix",
    "nextafter",
    "radians",
    "sign",
    "smoothstep",
    "step",
];
