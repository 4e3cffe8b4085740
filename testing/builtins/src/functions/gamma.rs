//! Error functions and the gamma function, computed by series and by Stirling's formula, because the library of
//! exact arithmetic lacks them.

use std::sync::LazyLock;

use dashu_base::{Abs, BitTest};
use dashu_int::IBig;

use crate::answer::Answer::{Infinite, Nan, Zero};
use crate::answer::{Answer, Operands};
use crate::number::{
    PRECISION, Real, Value, exact, floor, is_negative, is_zero, nearest, power_of_two, whole, with_digits,
};

/// The digits of the logarithm of the gamma function. They make up for the cancellation near its zeros.
const DIGITS: usize = 360;
/// From this number on, Stirling's series with this number of terms gives all digits.
const FROM: i32 = 60;
const TERMS: usize = 44;

/// Computes the error function by a series whose terms are all positive.
fn error_function(x: &Real, digits: usize) -> Real {
    let x = with_digits(x, digits);
    let square = &x * &x;
    let mut term = x.clone() * whole(2);
    let mut sum = term.clone();
    let mut at = 1_u32;
    loop {
        term = term * &square * whole(2) / whole(2 * at + 1);
        sum += &term;
        at += 1;
        let small = exact(&sum) * power_of_two(-(digits as isize));
        if exact(&term).abs() <= small.abs() {
            break;
        }
    }
    sum * (-&square).exp() / Real::pi(digits).sqrt()
}

pub(crate) fn erf(operands: &Operands) -> Answer {
    let negative = operands.is_negative(0);
    let one = |negative: bool| Answer::Real(whole(if negative { -1 } else { 1 }));
    match &operands.values[0] {
        Value::Nan => Nan,
        Value::Infinite { negative } => one(*negative),
        Value::Finite { real, .. } if is_zero(real) => Zero { negative },
        Value::Finite { real, .. } if real.clone().abs() > whole(14) => one(negative),
        Value::Finite { real, .. } => Answer::Real(error_function(real, PRECISION)),
    }
}

pub(crate) fn erfc(operands: &Operands) -> Answer {
    // From here on, the result is closer to zero than any number of the type.
    let end = match operands.format.bits {
        16 => 6,
        32 => 12,
        _ => 30,
    };
    match &operands.values[0] {
        Value::Nan => Nan,
        Value::Infinite { negative: true } => Answer::Real(whole(2)),
        Value::Infinite { .. } => Zero { negative: false },
        Value::Finite { real, .. } if *real > whole(end) => Answer::Real(power_of_two(-100_000)),
        Value::Finite { real, .. } if *real < whole(-14) => Answer::Real(whole(2)),
        Value::Finite { real, .. } => {
            // The result is about the exponential of the negative square, so the difference loses this many digits.
            let size = real.to_f64().value().max(0.0);
            let lost = (size * size * std::f64::consts::LOG2_E) as usize + 16;
            let sum = error_function(real, PRECISION + 2 * lost);
            Answer::Real((whole(1) - exact(&sum)).with_precision(PRECISION).value())
        }
    }
}

/// The coefficients of Stirling's series: Bernoulli's numbers of even index from 2 on, divided by k(k - 1).
static STIRLING: LazyLock<Vec<Real>> = LazyLock::new(|| {
    // The tangent numbers, computed by additions and products of integers.
    let mut tangents = vec![IBig::ZERO, IBig::ONE];
    for k in 2..=TERMS {
        let last = &tangents[k - 1] * IBig::from(k - 1);
        tangents.push(last);
    }
    for k in 2..=TERMS {
        for j in k..=TERMS {
            tangents[j] = &tangents[j - 1] * IBig::from(j - k) + &tangents[j] * IBig::from(j - k + 2);
        }
    }
    let coefficient = |n: usize| {
        let power = IBig::ONE << (2 * n);
        let sign = if n % 2 == 1 { 1 } else { -1 };
        let numerator = &tangents[n] * IBig::from(2 * n) * IBig::from(sign);
        let denominator = &power * (&power - IBig::ONE) * IBig::from(2 * n * (2 * n - 1));
        with_digits(&whole(numerator), DIGITS) / with_digits(&whole(denominator), DIGITS)
    };
    (1..=TERMS).map(coefficient).collect()
});

/// Returns the logarithm of the gamma function of a positive number.
fn log_gamma(x: &Real) -> Real {
    let x = with_digits(x, DIGITS);
    let mut z = x;
    let mut product = with_digits(&whole(1), DIGITS);
    while z < whole(FROM) {
        product *= &z;
        z += with_digits(&whole(1), DIGITS);
    }
    let half = with_digits(&power_of_two(-1), DIGITS);
    let tau = Real::pi(DIGITS) * whole(2);
    let mut sum = (&z - &half) * z.ln() - &z + tau.ln() * half;
    let square = &z * &z;
    let mut power = z;
    for coefficient in STIRLING.iter() {
        sum += coefficient / &power;
        power *= &square;
    }
    sum - product.ln()
}

/// Returns the logarithm of the gamma function's absolute value, and whether the function is negative. The argument
/// must not be zero or a negative integer.
fn log_gamma_and_sign(x: &Real) -> (Real, bool) {
    if !is_negative(x) {
        return (log_gamma(x), false);
    }
    // Euler's reflection: the product of the gamma functions of x and 1 - x is pi over the sine of pi x. The sine of
    // the distance to the nearest integer is the same up to its sign, and is not zero.
    let rest = exact(x) - whole(nearest(x));
    let sine = with_digits(&rest.abs(), DIGITS).sin_pi();
    let other = with_digits(&(whole(1) - exact(x)), DIGITS);
    ((Real::pi(DIGITS) / sine).ln() - log_gamma(&other), floor(x).bit(0))
}

fn is_whole(x: &Real) -> bool {
    whole(floor(x)) == exact(x)
}

pub(crate) fn lgamma(operands: &Operands) -> Answer {
    let plus = Infinite { negative: false };
    match &operands.values[0] {
        Value::Nan => Nan,
        Value::Infinite { .. } => plus,
        Value::Finite { real, .. } if is_whole(real) && *real <= whole(0) => plus,
        Value::Finite { real, .. } if *real == whole(1) || *real == whole(2) => Zero { negative: false },
        Value::Finite { real, .. } => Answer::Real(log_gamma_and_sign(real).0),
    }
}

/// OpenCL C specification, Additional Requirements Beyond C99 TC2: the sign is 0 for zeros and negative integers.
pub(crate) fn sign_of_gamma(operands: &Operands) -> Answer {
    let bits = |sign: i32| Answer::Bits(u64::from(sign.cast_unsigned()));
    match &operands.values[0] {
        Value::Nan | Value::Infinite { .. } => Answer::Any,
        Value::Finite { real, .. } if is_whole(real) && *real <= whole(0) => bits(0),
        Value::Finite { real, .. } => bits(if is_negative(real) && floor(real).bit(0) { -1 } else { 1 }),
    }
}

pub(crate) fn tgamma(operands: &Operands) -> Answer {
    match &operands.values[0] {
        Value::Nan | Value::Infinite { negative: true } => Nan,
        Value::Infinite { .. } => Infinite { negative: false },
        Value::Finite { real, negative } if is_zero(real) => Infinite { negative: *negative },
        Value::Finite { real, .. } if is_whole(real) && is_negative(real) => Nan,
        Value::Finite { real, .. } => {
            let value = real.to_f64().value();
            if value > 2000.0 {
                return Answer::Real(power_of_two(100_000));
            }
            if value < -2000.0 {
                let small = power_of_two(-100_000);
                return Answer::Real(if floor(real).bit(0) { -small } else { small });
            }
            let (log, negative) = log_gamma_and_sign(real);
            let size = log.exp();
            Answer::Real(if negative { -size } else { size })
        }
    }
}
