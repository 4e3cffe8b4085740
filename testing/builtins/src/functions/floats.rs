//! The functions of OpenCL.std on floating-point numbers with OpenCL's bounds: the table "ULP values" for `float`
//! and `double`, and that of `cl_khr_fp16` for `half`, full profile.

use super::{elementary as e, exact as x, gamma, power};
use crate::answer::{Answer, Operands};

/// The kind of an operand or a second result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A number of the function's type.
    Own,
    /// An `int`.
    Int,
    /// An unsigned integer of the type's width.
    Bits,
}

/// A second result, which the function writes to memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Second {
    pub(crate) kind: Kind,
    pub(crate) of: fn(&Operands) -> Answer,
    pub(crate) ulps: [f64; 3],
}

/// A function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) operands: &'static [Kind],
    pub(crate) result: Kind,
    /// The bounds for `half`, `float` and `double` in units in the last place. 0 means exact, or correctly rounded.
    pub(crate) ulps: [f64; 3],
    pub(crate) of: fn(&Operands) -> Answer,
    pub(crate) second: Option<Second>,
    /// The greatest operand for which the function is defined.
    pub(crate) most: f64,
}

/// No bound: OpenCL leaves it to the implementation.
const ANY: f64 = f64::INFINITY;
/// The function does not support the type.
const NOT: f64 = f64::NAN;
const EXACT: [f64; 3] = [0.0; 3];
const OPEN: [f64; 3] = [ANY; 3];
/// The bounds of functions with the prefix `half_`, and of those with `native_`. Both take `float`.
const COARSE: [f64; 3] = [NOT, 8192.0, NOT];
const NATIVE: [f64; 3] = [NOT, ANY, NOT];

const ONE: &[Kind] = &[Kind::Own];
const TWO: &[Kind] = &[Kind::Own; 2];
const THREE: &[Kind] = &[Kind::Own; 3];
const WITH_INT: &[Kind] = &[Kind::Own, Kind::Int];

type Of = fn(&Operands) -> Answer;

const fn row(name: &'static str, operands: &'static [Kind], ulps: [f64; 3], of: Of) -> Row {
    Row { name, operands, result: Kind::Own, ulps, of, second: None, most: f64::INFINITY }
}

const fn one(name: &'static str, ulps: [f64; 3], of: Of) -> Row {
    row(name, ONE, ulps, of)
}

const fn two(name: &'static str, ulps: [f64; 3], of: Of) -> Row {
    row(name, TWO, ulps, of)
}

impl Row {
    const fn and(self, kind: Kind, of: Of, ulps: [f64; 3]) -> Self {
        Self { second: Some(Second { kind, of, ulps }), ..self }
    }

    const fn up_to(self, most: f64) -> Self {
        Self { most, ..self }
    }

    const fn gives(self, result: Kind) -> Self {
        Self { result, ..self }
    }
}

pub(crate) const ROWS: &[Row] = &[
    one("acos", [2.0, 4.0, 4.0], e::acos),
    one("acosh", [2.0, 4.0, 4.0], e::acosh),
    one("acospi", [2.0, 5.0, 5.0], e::acospi),
    one("asin", [2.0, 4.0, 4.0], e::asin),
    one("asinh", [2.0, 4.0, 4.0], e::asinh),
    one("asinpi", [2.0, 5.0, 5.0], e::asinpi),
    one("atan", [2.0, 5.0, 5.0], e::atan),
    one("atanh", [2.0, 5.0, 5.0], e::atanh),
    one("atanpi", [2.0, 5.0, 5.0], e::atanpi),
    one("cbrt", [2.0, 2.0, 2.0], x::cbrt),
    one("ceil", EXACT, x::ceil),
    one("cos", [2.0, 4.0, 4.0], e::cos),
    one("cosh", [2.0, 4.0, 4.0], e::cosh),
    one("cospi", [2.0, 4.0, 4.0], e::cospi),
    one("degrees", [2.0, 2.0, 2.0], e::degrees),
    one("erf", [4.0, 16.0, 16.0], gamma::erf),
    one("erfc", [4.0, 16.0, 16.0], gamma::erfc),
    one("exp", [2.0, 3.0, 3.0], e::exp),
    one("exp2", [2.0, 3.0, 3.0], e::exp2),
    one("exp10", [2.0, 3.0, 3.0], e::exp10),
    one("expm1", [2.0, 3.0, 3.0], e::expm1),
    one("fabs", EXACT, x::fabs),
    one("floor", EXACT, x::floor_of),
    one("lgamma", OPEN, gamma::lgamma),
    one("log", [2.0, 3.0, 3.0], e::log),
    one("log2", [2.0, 3.0, 3.0], e::log2),
    one("log10", [2.0, 3.0, 3.0], e::log10),
    one("log1p", [2.0, 2.0, 2.0], e::log1p),
    one("logb", EXACT, x::logb),
    one("radians", [2.0, 2.0, 2.0], e::radians),
    one("rint", EXACT, x::rint),
    one("round", EXACT, x::round),
    one("rsqrt", [1.0, 2.0, 2.0], x::rsqrt),
    one("sign", EXACT, x::sign),
    one("sin", [2.0, 4.0, 4.0], e::sin),
    one("sinh", [2.0, 4.0, 4.0], e::sinh),
    one("sinpi", [2.0, 4.0, 4.0], e::sinpi),
    one("sqrt", [0.0, 3.0, 0.0], x::sqrt),
    one("tan", [2.0, 5.0, 5.0], e::tan),
    one("tanh", [2.0, 5.0, 5.0], e::tanh),
    one("tanpi", [2.0, 6.0, 6.0], e::tanpi),
    one("tgamma", [4.0, 16.0, 16.0], gamma::tgamma),
    one("trunc", EXACT, x::trunc),
    one("ilogb", EXACT, x::ilogb).gives(Kind::Int),
    row("nan", &[Kind::Bits], EXACT, x::nan),
    two("atan2", [2.0, 6.0, 6.0], e::atan2),
    two("atan2pi", [2.0, 6.0, 6.0], e::atan2pi),
    two("copysign", EXACT, x::copysign),
    two("fdim", EXACT, x::fdim),
    two("fmax", EXACT, x::fmax),
    two("fmax_common", EXACT, x::fmax_common),
    two("fmin", EXACT, x::fmin),
    two("fmin_common", EXACT, x::fmin_common),
    two("fmod", EXACT, x::fmod),
    two("hypot", [2.0, 4.0, 4.0], power::hypot),
    two("maxmag", EXACT, x::maxmag),
    two("minmag", EXACT, x::minmag),
    two("nextafter", EXACT, x::nextafter),
    two("pow", [4.0, 16.0, 16.0], power::pow),
    two("powr", [4.0, 16.0, 16.0], power::powr),
    two("remainder", EXACT, x::remainder),
    two("step", EXACT, x::step),
    row("ldexp", WITH_INT, EXACT, x::ldexp),
    row("pown", WITH_INT, [4.0, 16.0, 16.0], power::pown),
    row("rootn", WITH_INT, [4.0, 16.0, 16.0], power::rootn),
    row("bitselect", THREE, EXACT, x::bitselect),
    row("fclamp", THREE, EXACT, x::fclamp),
    row("fma", THREE, EXACT, x::fma),
    row("mad", THREE, OPEN, x::fma),
    row("mix", THREE, OPEN, x::mix),
    row("smoothstep", THREE, OPEN, x::smoothstep),
    // Two results
    one("fract", EXACT, x::fract).and(Kind::Own, x::floor_of, EXACT),
    one("frexp", EXACT, x::fraction_of_frexp).and(Kind::Int, x::exponent_of_frexp, EXACT),
    one("lgamma_r", OPEN, gamma::lgamma).and(Kind::Int, gamma::sign_of_gamma, EXACT),
    one("modf", EXACT, x::fraction_of_modf).and(Kind::Own, x::trunc, EXACT),
    one("sincos", [2.0, 4.0, 4.0], e::sin).and(Kind::Own, e::cos, [2.0, 4.0, 4.0]),
    two("remquo", EXACT, x::remainder).and(Kind::Int, x::quotient, EXACT),
    // With ten bits or more
    one("half_cos", COARSE, e::cos).up_to(65_536.0),
    one("half_exp", COARSE, e::exp),
    one("half_exp2", COARSE, e::exp2),
    one("half_exp10", COARSE, e::exp10),
    one("half_log", COARSE, e::log),
    one("half_log2", COARSE, e::log2),
    one("half_log10", COARSE, e::log10),
    one("half_recip", COARSE, x::reciprocal),
    one("half_rsqrt", COARSE, x::rsqrt),
    one("half_sin", COARSE, e::sin).up_to(65_536.0),
    one("half_sqrt", COARSE, x::sqrt),
    one("half_tan", COARSE, e::tan).up_to(65_536.0),
    two("half_divide", COARSE, x::divide),
    two("half_powr", COARSE, power::powr),
    // The GPU's own
    one("native_cos", NATIVE, e::cos),
    one("native_exp", NATIVE, e::exp),
    one("native_exp2", NATIVE, e::exp2),
    one("native_exp10", NATIVE, e::exp10),
    one("native_log", NATIVE, e::log),
    one("native_log2", NATIVE, e::log2),
    one("native_log10", NATIVE, e::log10),
    one("native_recip", NATIVE, x::reciprocal),
    one("native_rsqrt", NATIVE, x::rsqrt),
    one("native_sin", NATIVE, e::sin),
    one("native_sqrt", NATIVE, x::sqrt),
    one("native_tan", NATIVE, e::tan),
    two("native_divide", NATIVE, x::divide),
    two("native_powr", NATIVE, power::powr),
];
