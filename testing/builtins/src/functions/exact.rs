//! Functions of floating-point numbers whose results are exact or correctly rounded.

use dashu_base::Abs;
use dashu_int::IBig;

use crate::answer::Answer::{Bits, Infinite, Nan, OneOf, Zero};
use crate::answer::{Answer, Operands};
use crate::number::{
    Format, Real, Rounding, Value, exact, floor, is_negative, is_zero, power_of_two, to_integer, whole,
};

/// Rounds a number to an integer. Keeps the sign of a zero.
fn rounded_to_integer(operands: &Operands, of: impl Fn(&Real) -> IBig) -> Answer {
    let negative = operands.is_negative(0);
    match &operands.values[0] {
        Value::Nan => Nan,
        Value::Infinite { negative } => Infinite { negative: *negative },
        Value::Finite { real, .. } => {
            let result = whole(of(real));
            if is_zero(&result) { Zero { negative } } else { Answer::Real(result) }
        }
    }
}

pub(crate) fn ceil(operands: &Operands) -> Answer {
    rounded_to_integer(operands, |x| to_integer(x, Rounding::Up))
}

pub(crate) fn floor_of(operands: &Operands) -> Answer {
    rounded_to_integer(operands, floor)
}

pub(crate) fn trunc(operands: &Operands) -> Answer {
    rounded_to_integer(operands, |x| to_integer(x, Rounding::TowardsZero))
}

pub(crate) fn rint(operands: &Operands) -> Answer {
    rounded_to_integer(operands, |x| to_integer(x, Rounding::NearestEven))
}

/// Rounds halves away from zero.
pub(crate) fn round(operands: &Operands) -> Answer {
    rounded_to_integer(operands, |x| {
        let size = floor(&(exact(x).abs() + power_of_two(-1)));
        if is_negative(x) { -size } else { size }
    })
}

pub(crate) fn fabs(operands: &Operands) -> Answer {
    Bits(operands.bits[0] & !operands.format.zero(true))
}

pub(crate) fn copysign(operands: &Operands) -> Answer {
    let sign = operands.format.zero(true);
    Bits(operands.bits[0] & !sign | operands.bits[1] & sign)
}

/// Returns 0 for NaN.
pub(crate) fn sign(operands: &Operands) -> Answer {
    match &operands.values[0] {
        Value::Nan => Zero { negative: false },
        value if value.is_zero() => Zero { negative: value.is_negative() },
        value => Answer::Real(whole(if value.is_negative() { -1 } else { 1 })),
    }
}

pub(crate) fn logb(operands: &Operands) -> Answer {
    match &operands.values[0] {
        Value::Nan => Nan,
        Value::Infinite { .. } => Infinite { negative: false },
        Value::Finite { real, .. } if is_zero(real) => Infinite { negative: true },
        Value::Finite { real, .. } => Answer::Real(whole(exponent(real))),
    }
}

/// Returns the exponent of a number that is written as a number from 1 to 2 times a power of two.
fn exponent(x: &Real) -> i64 {
    use dashu_base::BitTest;
    let (significand, exponent) = x.repr().clone().into_parts();
    (significand.into_parts().1.bit_len() as isize + exponent - 1) as i64
}

/// Uses `FP_ILOGB0` and `FP_ILOGBNAN` of clang's headers for OpenCL C.
pub(crate) fn ilogb(operands: &Operands) -> Answer {
    let bits = |number: i32| Bits(u64::from(number.cast_unsigned()));
    match &operands.values[0] {
        Value::Nan | Value::Infinite { .. } => bits(i32::MAX),
        Value::Finite { real, .. } if is_zero(real) => bits(i32::MIN),
        Value::Finite { real, .. } => bits(exponent(real) as i32),
    }
}

pub(crate) fn sqrt(operands: &Operands) -> Answer {
    match &operands.values[0] {
        Value::Nan => Nan,
        value if value.is_zero() => Zero { negative: value.is_negative() },
        value if value.is_negative() => Nan,
        Value::Infinite { .. } => Infinite { negative: false },
        Value::Finite { real, .. } => Answer::Real(real.sqrt()),
    }
}

pub(crate) fn rsqrt(operands: &Operands) -> Answer {
    match &operands.values[0] {
        Value::Nan => Nan,
        // The specification leaves open which infinity the reciprocal root of the negative zero is.
        value if value.is_zero() => {
            OneOf(vec![operands.format.infinity(value.is_negative()), operands.format.infinity(false)])
        }
        value if value.is_negative() => Nan,
        Value::Infinite { .. } => Zero { negative: false },
        Value::Finite { real, .. } => Answer::Real(real.sqrt().powi(IBig::from(-1))),
    }
}

pub(crate) fn cbrt(operands: &Operands) -> Answer {
    let negative = operands.is_negative(0);
    match &operands.values[0] {
        Value::Nan => Nan,
        Value::Infinite { .. } => Infinite { negative },
        Value::Finite { real, .. } if is_zero(real) => Zero { negative },
        Value::Finite { real, .. } => Answer::Real(real.nth_root(3)),
    }
}

pub(crate) fn nan(_: &Operands) -> Answer {
    Nan
}

/// Returns the greatest or the least of two numbers.
fn limit(operands: &Operands, greatest: bool) -> Answer {
    let [a, b] = [&operands.values[0], &operands.values[1]];
    let takes_first = match (a, b) {
        (Value::Nan, Value::Nan) => return Nan,
        (Value::Nan, _) => false,
        (_, Value::Nan) => true,
        _ if a.is_zero() && b.is_zero() => return OneOf(operands.bits[..2].to_vec()),
        _ => (compare(a, b).is_gt()) == greatest,
    };
    Bits(operands.bits[usize::from(!takes_first)])
}

/// Compares two numbers.
pub(crate) fn compare(a: &Value, b: &Value) -> std::cmp::Ordering {
    let rank = |value: &Value| match value {
        Value::Infinite { negative: true } => -1,
        Value::Infinite { .. } => 1,
        _ => 0,
    };
    match (a.real(), b.real()) {
        (Some(a), Some(b)) => exact(a).cmp(&exact(b)),
        _ => rank(a).cmp(&rank(b)),
    }
}

pub(crate) fn fmax(operands: &Operands) -> Answer {
    limit(operands, true)
}

pub(crate) fn fmin(operands: &Operands) -> Answer {
    limit(operands, false)
}

/// OpenCL.std, fmin_common: NaN or infinite operands give any result.
fn of_numbers(operands: &Operands, of: impl Fn(&Operands) -> Answer) -> Answer {
    let odd = operands.values.iter().any(|value| value.real().is_none());
    if odd { Answer::Any } else { of(operands) }
}

pub(crate) fn fmax_common(operands: &Operands) -> Answer {
    of_numbers(operands, fmax)
}

pub(crate) fn fmin_common(operands: &Operands) -> Answer {
    of_numbers(operands, fmin)
}

fn size(value: &Value) -> Value {
    match value {
        Value::Nan => Value::Nan,
        Value::Infinite { .. } => Value::Infinite { negative: false },
        Value::Finite { real, .. } => Value::Finite { real: real.clone().abs(), negative: false },
    }
}

fn by_magnitude(operands: &Operands, greatest: bool) -> Answer {
    if operands.any_nan() {
        return limit(operands, greatest);
    }
    let order = compare(&size(&operands.values[0]), &size(&operands.values[1]));
    if order.is_eq() {
        return limit(operands, greatest);
    }
    Bits(operands.bits[usize::from(order.is_gt() != greatest)])
}

pub(crate) fn maxmag(operands: &Operands) -> Answer {
    by_magnitude(operands, true)
}

pub(crate) fn minmag(operands: &Operands) -> Answer {
    by_magnitude(operands, false)
}

pub(crate) fn fdim(operands: &Operands) -> Answer {
    let [a, b] = [&operands.values[0], &operands.values[1]];
    if operands.any_nan() {
        return Nan;
    }
    if !compare(a, b).is_gt() {
        return Zero { negative: false };
    }
    match (a.real(), b.real()) {
        (Some(a), Some(b)) => Answer::Real(exact(a) - exact(b)),
        _ => Infinite { negative: false },
    }
}

/// Returns both numbers as integers of a common unit, and the unit's exponent.
fn of_one_unit(x: &Real, y: &Real) -> (IBig, IBig, isize) {
    let ((x, a), (y, b)) = (x.repr().clone().into_parts(), y.repr().clone().into_parts());
    let unit = a.min(b);
    (x << (a - unit).unsigned_abs(), y << (b - unit).unsigned_abs(), unit)
}

/// Returns the remainder and its quotient, which is rounded to zero or to the nearest. Returns `None` if there is
/// no quotient.
fn divided(operands: &Operands, to_nearest: bool) -> Option<(Answer, IBig)> {
    let [a, b] = [&operands.values[0], &operands.values[1]];
    if operands.any_nan() || a.is_infinite() || b.is_zero() {
        return None;
    }
    let (Some(x), Some(y)) = (a.real(), b.real()) else {
        // A number divided by infinity is its own remainder.
        return Some((Bits(operands.bits[0]), IBig::ZERO));
    };
    let (x, y, unit) = of_one_unit(x, y);
    let (mut quotient, mut rest) = (&x / &y, &x % &y);
    if to_nearest {
        let doubled = (&rest * IBig::from(2)).abs();
        let size = y.clone().abs();
        let is_odd = &quotient % IBig::from(2) != IBig::ZERO;
        if doubled > size || doubled == size && is_odd {
            let same_sign = (x < IBig::ZERO) == (y < IBig::ZERO);
            quotient += IBig::from(if same_sign { 1 } else { -1 });
            rest = &x - &quotient * &y;
        }
    }
    let answer = match rest.is_zero() {
        true => Zero { negative: a.is_negative() },
        false => Answer::Real(whole(rest) * power_of_two(unit)),
    };
    Some((answer, quotient))
}

pub(crate) fn fmod(operands: &Operands) -> Answer {
    divided(operands, false).map_or(Nan, |(rest, _)| rest)
}

pub(crate) fn remainder(operands: &Operands) -> Answer {
    divided(operands, true).map_or(Nan, |(rest, _)| rest)
}

/// Returns the seven low bits of the quotient with its sign, or 0 if there is none.
pub(crate) fn quotient(operands: &Operands) -> Answer {
    let low = divided(operands, true).map_or(IBig::ZERO, |(_, quotient)| quotient % IBig::from(128));
    Bits(u64::from(i32::try_from(low).unwrap_or_default().cast_unsigned()))
}

pub(crate) fn nextafter(operands: &Operands) -> Answer {
    let [a, b] = [&operands.values[0], &operands.values[1]];
    let (bits, negative) = (operands.bits[0], operands.format.zero(true));
    if operands.any_nan() {
        return Nan;
    }
    match compare(a, b) {
        std::cmp::Ordering::Equal => Bits(operands.bits[1]),
        order if a.is_zero() => Bits(if order.is_lt() { 1 } else { negative | 1 }),
        order => Bits(if order.is_lt() == (bits & negative == 0) { bits + 1 } else { bits - 1 }),
    }
}

pub(crate) fn step(operands: &Operands) -> Answer {
    if operands.any_nan() {
        return Answer::Any;
    }
    match compare(&operands.values[1], &operands.values[0]).is_lt() {
        true => Zero { negative: false },
        false => Answer::Real(whole(1)),
    }
}

pub(crate) fn ldexp(operands: &Operands) -> Answer {
    match &operands.values[0] {
        Value::Finite { real, .. } if !is_zero(real) => {
            let exponent = operands.integer(1).clamp(-10_000, 10_000) as isize;
            Answer::Real(exact(real) * power_of_two(exponent))
        }
        Value::Nan => Nan,
        _ => Bits(operands.bits[0]),
    }
}

/// Computes a product and a sum, rounded once.
pub(crate) fn fma(operands: &Operands) -> Answer {
    let [a, b, c] = [&operands.values[0], &operands.values[1], &operands.values[2]];
    let negative = a.is_negative() != b.is_negative();
    let no_product = a.is_infinite() && b.is_zero() || a.is_zero() && b.is_infinite();
    if operands.any_nan() || no_product {
        return Nan;
    }
    let (Some(a), Some(b)) = (a.real(), b.real()) else {
        let meets_other = c.is_infinite() && c.is_negative() != negative;
        return if meets_other { Nan } else { Infinite { negative } };
    };
    let Some(sum) = c.real() else { return Infinite { negative: c.is_negative() } };
    let value = exact(a) * exact(b) + exact(sum);
    let both_negative = negative && c.is_negative();
    match is_zero(&value) {
        // A sum of opposites is +0, but a sum of zeros of one sign keeps it.
        true => Zero { negative: both_negative && (is_zero(a) || is_zero(b)) && c.is_zero() },
        false => Answer::Real(value),
    }
}

/// Undefined if the limits are not in order, and for NaN.
pub(crate) fn fclamp(operands: &Operands) -> Answer {
    let [x, least, greatest] = [0, 1, 2].map(|at| &operands.values[at]);
    if operands.any_nan() || compare(least, greatest).is_gt() {
        return Answer::Any;
    }
    let zeros = operands.bits.iter().zip(&operands.values).filter(|(_, value)| value.is_zero());
    let zeros: Vec<u64> = zeros.map(|(bits, _)| *bits).collect();
    let chosen = if compare(x, least).is_lt() {
        1
    } else if compare(x, greatest).is_gt() {
        2
    } else {
        0
    };
    // The specification leaves open which of several zeros it is.
    if operands.values[chosen].is_zero() { OneOf(zeros) } else { Bits(operands.bits[chosen]) }
}

pub(crate) fn mix(operands: &Operands) -> Answer {
    let [x, y, share] = [0, 1, 2].map(|at| operands.values[at].real().map(exact));
    match (x, y, share) {
        (Some(x), Some(y), Some(share)) => Answer::Real(&x + (y - &x) * share),
        _ => Answer::Any,
    }
}

pub(crate) fn smoothstep(operands: &Operands) -> Answer {
    let [first, last, x] = [0, 1, 2].map(|at| operands.values[at].real().cloned());
    let (Some(first), Some(last), Some(x)) = (first, last, x) else { return Answer::Any };
    if first >= last {
        return Answer::Any;
    }
    let part = (&x - &first) / (&last - &first);
    let part = part.max(whole(0)).min(whole(1));
    let part = exact(&part);
    Answer::Real(&part * &part * (whole(3) - whole(2) * &part))
}

/// Returns the format's largest number below 1.
fn below_one(format: Format) -> Real {
    whole(1) - power_of_two(-(format.digits as isize))
}

/// Returns the fraction above a whole number, limited to below 1.
pub(crate) fn fract(operands: &Operands) -> Answer {
    match &operands.values[0] {
        Value::Nan => Nan,
        Value::Infinite { negative } => Zero { negative: *negative },
        Value::Finite { real, negative } if is_zero(real) => Zero { negative: *negative },
        Value::Finite { real, .. } => {
            let rest = exact(real) - whole(floor(real));
            let format = operands.format;
            if is_zero(&rest) {
                return Zero { negative: false };
            }
            Answer::Real(if rest > below_one(format) { below_one(format) } else { rest })
        }
    }
}

pub(crate) fn fraction_of_modf(operands: &Operands) -> Answer {
    let negative = operands.is_negative(0);
    match &operands.values[0] {
        Value::Nan => Nan,
        Value::Infinite { .. } => Zero { negative },
        Value::Finite { real, .. } => {
            let rest = exact(real) - whole(to_integer(real, Rounding::TowardsZero));
            if is_zero(&rest) { Zero { negative } } else { Answer::Real(rest) }
        }
    }
}

pub(crate) fn fraction_of_frexp(operands: &Operands) -> Answer {
    match &operands.values[0] {
        Value::Finite { real, .. } if !is_zero(real) => {
            Answer::Real(exact(real) * power_of_two(-(exponent(real) + 1) as isize))
        }
        Value::Nan => Nan,
        _ => Bits(operands.bits[0]),
    }
}

/// OpenCL C specification, Additional Requirements Beyond C99 TC2: 0 for infinities and NaN.
pub(crate) fn exponent_of_frexp(operands: &Operands) -> Answer {
    let exponent = match &operands.values[0] {
        Value::Finite { real, .. } if !is_zero(real) => exponent(real) as i32 + 1,
        _ => 0,
    };
    Bits(u64::from(exponent.cast_unsigned()))
}

pub(crate) fn reciprocal(operands: &Operands) -> Answer {
    let one = Operands::new(
        operands.format,
        &[operands.types[0]; 2],
        vec![operands.format.rounded(&whole(1), false, Rounding::NearestEven), operands.bits[0]],
    );
    divide(&one)
}

pub(crate) fn divide(operands: &Operands) -> Answer {
    let [a, b] = [&operands.values[0], &operands.values[1]];
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        _ if operands.any_nan() || a.is_infinite() && b.is_infinite() || a.is_zero() && b.is_zero() => Nan,
        _ if a.is_infinite() || b.is_zero() => Infinite { negative },
        _ if a.is_zero() || b.is_infinite() => Zero { negative },
        _ => Answer::Real(operands.real(0) / operands.real(1)),
    }
}

pub(crate) fn bitselect(operands: &Operands) -> Answer {
    let [a, b, mask] = [operands.bits[0], operands.bits[1], operands.bits[2]];
    Bits(a & !mask | b & mask)
}
