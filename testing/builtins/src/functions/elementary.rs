//! Exponential, logarithmic, trigonometric and hyperbolic functions.

use dashu_base::Abs;

use crate::answer::Answer::{Infinite, Nan, Zero};
use crate::answer::{Answer, Operands};
use crate::number::{PRECISION, Real, Value, is_negative, is_zero, power_of_two, real, whole};

/// A number above the exponents of every type.
const LARGE: f64 = 40_000.0;

fn one() -> Real {
    real(1.into(), 0)
}

pub(crate) fn pi() -> Real {
    Real::pi(PRECISION)
}

fn to_f64(value: &Real) -> f64 {
    value.to_f64().value()
}

/// Evaluates a function of finite numbers, with its limits at minus and plus infinity.
fn with_limits(operands: &Operands, limits: [Answer; 2], of: impl Fn(&Real) -> Answer) -> Answer {
    match &operands.values[0] {
        Value::Nan => Nan,
        Value::Infinite { negative: true } => limits[0].clone(),
        Value::Infinite { .. } => limits[1].clone(),
        Value::Finite { real, .. } => of(real),
    }
}

/// Like `with_limits` for an odd function, in which a zero keeps its sign.
fn odd(operands: &Operands, limits: [Answer; 2], of: impl Fn(&Real) -> Answer) -> Answer {
    let negative = operands.is_negative(0);
    with_limits(operands, limits, |x| if is_zero(x) { Zero { negative } } else { of(x) })
}

const PLUS: Answer = Infinite { negative: false };
const MINUS: Answer = Infinite { negative: true };

/// Returns a value beyond every type, or closer to zero than any number.
fn extreme(is_large: bool, negative: bool) -> Answer {
    let size = power_of_two(if is_large { 100_000 } else { -100_000 });
    Answer::Real(if negative { -size } else { size })
}

fn exponential(operands: &Operands, of: impl Fn(&Real) -> Real) -> Answer {
    with_limits(operands, [Zero { negative: false }, PLUS], |x| match to_f64(x) {
        x if x > LARGE => extreme(true, false),
        x if x < -LARGE => extreme(false, false),
        _ => Answer::Real(of(x)),
    })
}

pub(crate) fn exp(operands: &Operands) -> Answer {
    exponential(operands, Real::exp)
}

fn ln_of(base: u32) -> Real {
    real(base.into(), 0).ln()
}

pub(crate) fn exp2(operands: &Operands) -> Answer {
    exponential(operands, |x| (x * ln_of(2)).exp())
}

pub(crate) fn exp10(operands: &Operands) -> Answer {
    exponential(operands, |x| (x * ln_of(10)).exp())
}

pub(crate) fn expm1(operands: &Operands) -> Answer {
    odd(operands, [Answer::Real(-one()), PLUS], |x| match to_f64(x) {
        x if x > LARGE => extreme(true, false),
        x if x < -LARGE => Answer::Real(-one()),
        _ => Answer::Real(x.exp_m1()),
    })
}

fn logarithm(operands: &Operands, of: impl Fn(&Real) -> Real) -> Answer {
    with_limits(operands, [Nan, PLUS], |x| {
        if is_zero(x) {
            MINUS
        } else if is_negative(x) {
            Nan
        } else if *x == one() {
            Zero { negative: false }
        } else {
            Answer::Real(of(x))
        }
    })
}

pub(crate) fn log(operands: &Operands) -> Answer {
    logarithm(operands, Real::ln)
}

pub(crate) fn log2(operands: &Operands) -> Answer {
    logarithm(operands, |x| x.ln() / ln_of(2))
}

pub(crate) fn log10(operands: &Operands) -> Answer {
    logarithm(operands, |x| x.ln() / ln_of(10))
}

pub(crate) fn log1p(operands: &Operands) -> Answer {
    odd(operands, [Nan, PLUS], |x| match x.cmp(&-one()) {
        std::cmp::Ordering::Less => Nan,
        std::cmp::Ordering::Equal => MINUS,
        std::cmp::Ordering::Greater => Answer::Real(x.ln_1p()),
    })
}

pub(crate) fn sin(operands: &Operands) -> Answer {
    odd(operands, [Nan, Nan], |x| Answer::Real(x.sin()))
}

pub(crate) fn cos(operands: &Operands) -> Answer {
    with_limits(operands, [Nan, Nan], |x| Answer::Real(x.cos()))
}

pub(crate) fn tan(operands: &Operands) -> Answer {
    odd(operands, [Nan, Nan], |x| {
        let (sine, cosine) = x.sin_cos();
        Answer::Real(sine / cosine)
    })
}

/// Returns a number as a multiple of a half, if it is one.
fn halves(x: &Real) -> Option<dashu_int::IBig> {
    let doubled = crate::number::exact(x) * power_of_two(1);
    let floor = crate::number::floor(&doubled);
    (whole(floor.clone()) == doubled).then_some(floor)
}

/// OpenCL C specification, Additional Requirements Beyond C99 TC2: for whole numbers, the zero has the number's
/// sign.
pub(crate) fn sinpi(operands: &Operands) -> Answer {
    use dashu_base::BitTest;
    let negative = operands.is_negative(0);
    odd(operands, [Nan, Nan], |x| match halves(x) {
        Some(halves) if !halves.bit(0) => Zero { negative },
        _ => Answer::Real(reduced(x).sin_pi()),
    })
}

pub(crate) fn cospi(operands: &Operands) -> Answer {
    use dashu_base::BitTest;
    with_limits(operands, [Nan, Nan], |x| match halves(x) {
        Some(halves) if halves.bit(0) => Zero { negative: false },
        _ => Answer::Real(reduced(x).cos_pi()),
    })
}

/// Returns the same angle between -1 and 1 half turns, without loss of precision.
fn reduced(x: &Real) -> Real {
    let turns = crate::number::nearest(&(crate::number::exact(x) * power_of_two(-1)));
    let rest = crate::number::exact(x) - whole(turns * dashu_int::IBig::from(2));
    rest.with_precision(PRECISION).value()
}

pub(crate) fn tanpi(operands: &Operands) -> Answer {
    use dashu_base::BitTest;
    let negative = operands.is_negative(0);
    odd(operands, [Nan, Nan], |x| match halves(x) {
        Some(halves) => {
            // For whole numbers n, a zero with the sign of n, or of -n if n is odd. For n + 0.5 an infinity,
            // negative if n is odd.
            let is_odd = halves.bit(1);
            match halves.bit(0) {
                false => Zero { negative: negative != is_odd },
                true => Infinite { negative: is_odd },
            }
        }
        None => {
            let x = reduced(x);
            Answer::Real(x.sin_pi() / x.cos_pi())
        }
    })
}

fn within_one(operands: &Operands, of: impl Fn(&Real) -> Real) -> Answer {
    with_limits(operands, [Nan, Nan], |x| {
        if x.clone().abs() > one() {
            return Nan;
        }
        let result = of(x);
        if is_zero(&result) { Zero { negative: false } } else { Answer::Real(result) }
    })
}

pub(crate) fn acos(operands: &Operands) -> Answer {
    within_one(operands, Real::acos)
}

pub(crate) fn acospi(operands: &Operands) -> Answer {
    within_one(operands, |x| x.acos() / pi())
}

pub(crate) fn asin(operands: &Operands) -> Answer {
    odd(operands, [Nan, Nan], |_| within_one(operands, Real::asin))
}

pub(crate) fn asinpi(operands: &Operands) -> Answer {
    odd(operands, [Nan, Nan], |_| within_one(operands, |x| x.asin() / pi()))
}

pub(crate) fn atan(operands: &Operands) -> Answer {
    let quarter = pi() / whole(2);
    odd(operands, [Answer::Real(-quarter.clone()), Answer::Real(quarter)], |x| Answer::Real(x.atan()))
}

pub(crate) fn atanpi(operands: &Operands) -> Answer {
    let half = power_of_two(-1);
    odd(operands, [Answer::Real(-half.clone()), Answer::Real(half)], |x| Answer::Real(x.atan() / pi()))
}

fn hyperbolic(x: &Real, of: impl Fn(&Real) -> Real, odd: bool) -> Answer {
    match to_f64(x).abs() > LARGE {
        true => extreme(true, odd && is_negative(x)),
        false => Answer::Real(of(x)),
    }
}

pub(crate) fn sinh(operands: &Operands) -> Answer {
    odd(operands, [MINUS, PLUS], |x| hyperbolic(x, Real::sinh, true))
}

pub(crate) fn cosh(operands: &Operands) -> Answer {
    with_limits(operands, [PLUS, PLUS], |x| hyperbolic(x, Real::cosh, false))
}

pub(crate) fn tanh(operands: &Operands) -> Answer {
    odd(operands, [Answer::Real(-one()), Answer::Real(one())], |x| match to_f64(x).abs() > 200.0 {
        true => Answer::Real(if is_negative(x) { -one() } else { one() }),
        false => Answer::Real(x.tanh()),
    })
}

pub(crate) fn asinh(operands: &Operands) -> Answer {
    odd(operands, [MINUS, PLUS], |x| Answer::Real(x.asinh()))
}

pub(crate) fn acosh(operands: &Operands) -> Answer {
    with_limits(operands, [Nan, PLUS], |x| match x.cmp(&one()) {
        std::cmp::Ordering::Less => Nan,
        std::cmp::Ordering::Equal => Zero { negative: false },
        std::cmp::Ordering::Greater => Answer::Real(x.acosh()),
    })
}

pub(crate) fn atanh(operands: &Operands) -> Answer {
    odd(operands, [Nan, Nan], |x| match x.clone().abs().cmp(&one()) {
        std::cmp::Ordering::Greater => Nan,
        std::cmp::Ordering::Equal => Infinite { negative: is_negative(x) },
        std::cmp::Ordering::Less => Answer::Real(x.atanh()),
    })
}

pub(crate) fn degrees(operands: &Operands) -> Answer {
    odd(operands, [MINUS, PLUS], |x| Answer::Real(x * whole(180) / pi()))
}

pub(crate) fn radians(operands: &Operands) -> Answer {
    odd(operands, [MINUS, PLUS], |x| Answer::Real(x * pi() / whole(180)))
}

fn two_angles(operands: &Operands, unit: &Real) -> Answer {
    let [y, x] = [&operands.values[0], &operands.values[1]];
    if operands.any_nan() {
        return Nan;
    }
    let signed = |value: Real| {
        let value = value * unit;
        Answer::Real(if y.is_negative() { -value } else { value })
    };
    let part = |numerator: i32, denominator: i32| pi() * whole(numerator) / whole(denominator);
    match (y, x) {
        (Value::Infinite { .. }, Value::Infinite { negative: true }) => signed(part(3, 4)),
        (Value::Infinite { .. }, Value::Infinite { .. }) => signed(part(1, 4)),
        (Value::Infinite { .. }, _) => signed(part(1, 2)),
        (_, Value::Infinite { negative: true }) => signed(pi()),
        (_, Value::Infinite { .. }) => Zero { negative: y.is_negative() },
        _ if y.is_zero() && x.is_negative() => signed(pi()),
        _ if y.is_zero() => Zero { negative: y.is_negative() },
        _ if x.is_zero() => signed(part(1, 2)),
        _ => Answer::Real(operands.real(0).atan2(&operands.real(1)) * unit),
    }
}

pub(crate) fn atan2(operands: &Operands) -> Answer {
    two_angles(operands, &one())
}

pub(crate) fn atan2pi(operands: &Operands) -> Answer {
    two_angles(operands, &(one() / pi()))
}
