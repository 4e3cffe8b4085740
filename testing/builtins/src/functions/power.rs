//! Powers and roots.

use dashu_base::{Abs, BitTest};
use dashu_int::IBig;

use crate::answer::Answer::{Infinite, Nan, Zero};
use crate::answer::{Answer, Operands};
use crate::number::{
    PRECISION, Real, Value, exact, floor, is_negative, is_zero, power_of_two, real, whole, with_digits,
};

/// Numbers whose binary logarithm exceeds this are beyond every type.
const LARGE: i32 = 40_000;

fn one() -> Answer {
    Answer::Real(whole(1))
}

fn signed(size: Real, negative: bool) -> Answer {
    Answer::Real(if negative { -size } else { size })
}

/// Computes a power of a positive number as the exponential of a product with a logarithm.
fn power(size: &Real, exponent: &Real) -> Real {
    if is_zero(exponent) || *size == whole(1) {
        return whole(1);
    }
    let log = with_digits(size, PRECISION).ln() * with_digits(exponent, PRECISION);
    let limit = whole(LARGE);
    if log > limit {
        power_of_two(100_000)
    } else if log < -limit {
        power_of_two(-100_000)
    } else {
        log.exp()
    }
}

/// Returns whether a value is an integer, and whether it is odd.
fn parity(y: &Value) -> (bool, bool) {
    let Some(y) = y.real() else { return (false, false) };
    let below = floor(y);
    let is_whole = whole(below.clone()) == exact(y);
    (is_whole, is_whole && below.bit(0))
}

/// C99, F.9.4.4.
pub(crate) fn pow(operands: &Operands) -> Answer {
    let [x, y] = [&operands.values[0], &operands.values[1]];
    if y.is_zero() || matches!(x, Value::Finite { real, .. } if *real == whole(1)) {
        return one();
    }
    if operands.any_nan() {
        return Nan;
    }
    let (is_whole, is_odd) = parity(y);
    let negative = x.is_negative() && is_odd;
    match (x, y) {
        (_, Value::Infinite { negative: down }) => {
            let size = x.real().map(|x| x.clone().abs().cmp(&whole(1)));
            match size.unwrap_or(std::cmp::Ordering::Greater) {
                std::cmp::Ordering::Equal => one(),
                std::cmp::Ordering::Greater if *down => Zero { negative: false },
                std::cmp::Ordering::Less if !down => Zero { negative: false },
                _ => Infinite { negative: false },
            }
        }
        _ if x.is_zero() == y.is_negative() && (x.is_zero() || x.is_infinite()) => Infinite { negative },
        _ if x.is_zero() || x.is_infinite() => Zero { negative },
        _ if x.is_negative() && !is_whole => Nan,
        _ => signed(power(&operands.real(0).abs(), &operands.real(1)), negative),
    }
}

/// OpenCL C specification, Additional Requirements Beyond C99 TC2.
pub(crate) fn powr(operands: &Operands) -> Answer {
    let [x, y] = [&operands.values[0], &operands.values[1]];
    let is_one = matches!(x, Value::Finite { real, .. } if *real == whole(1));
    let negative = x.is_negative() && !x.is_zero();
    let edge = x.is_zero() || x.is_infinite();
    if operands.any_nan() || negative || edge && y.is_zero() || is_one && y.is_infinite() {
        return Nan;
    }
    match pow(operands) {
        Infinite { .. } => Infinite { negative: false },
        Zero { .. } => Zero { negative: false },
        other => other,
    }
}

pub(crate) fn pown(operands: &Operands) -> Answer {
    let (x, n) = (&operands.values[0], operands.integer(1));
    let negative = x.is_negative() && n % 2 != 0;
    if n == 0 {
        return one();
    }
    match x {
        Value::Nan => Nan,
        _ if x.is_zero() && n < 0 || x.is_infinite() && n > 0 => Infinite { negative },
        _ if x.is_zero() || x.is_infinite() => Zero { negative },
        Value::Finite { real, .. } => signed(power(&real.clone().abs(), &whole(IBig::from(n))), negative),
        Value::Infinite { .. } => Nan,
    }
}

pub(crate) fn rootn(operands: &Operands) -> Answer {
    let (x, n) = (&operands.values[0], operands.integer(1));
    let is_odd = n % 2 != 0;
    let negative = x.is_negative() && is_odd;
    if n == 0 || x.is_nan() || x.is_negative() && !is_odd && !x.is_zero() {
        return Nan;
    }
    match x {
        _ if x.is_zero() && n < 0 || x.is_infinite() && n > 0 => Infinite { negative },
        _ if x.is_zero() || x.is_infinite() => Zero { negative },
        _ => {
            let exponent = real(1.into(), 0) / whole(IBig::from(n));
            signed(power(&operands.real(0).abs(), &exponent), negative)
        }
    }
}

pub(crate) fn hypot(operands: &Operands) -> Answer {
    if operands.values.iter().any(Value::is_infinite) {
        return Infinite { negative: false };
    }
    if operands.any_nan() {
        return Nan;
    }
    let [x, y] = [exact(&operands.real(0)), exact(&operands.real(1))];
    let sum = &x * &x + &y * &y;
    debug_assert!(!is_negative(&sum));
    if is_zero(&sum) { Zero { negative: false } } else { Answer::Real(with_digits(&sum, PRECISION).sqrt()) }
}
