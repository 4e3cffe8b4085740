//! Floating-point numbers as bits and as exact values.

use dashu_base::{Abs, BitTest, Sign};
use dashu_float::round::mode::HalfEven;
use dashu_float::{Context, FBig, Repr};
use dashu_int::{IBig, UBig};

/// An exact value, or one with many more digits than any type.
pub(crate) type Real = FBig<HalfEven, 2>;

/// The digits of values that have no finite representation.
pub(crate) const PRECISION: usize = 200;

/// The rounding of a value to a number of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounding {
    NearestEven,
    TowardsZero,
    Up,
    Down,
}

/// A floating-point type of IEEE 754.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    /// The number of bits.
    pub(crate) bits: usize,
    /// The number of binary digits of the significand.
    pub(crate) digits: usize,
}

pub(crate) const HALF: Format = Format { bits: 16, digits: 11 };
pub(crate) const FLOAT: Format = Format { bits: 32, digits: 24 };
pub(crate) const DOUBLE: Format = Format { bits: 64, digits: 53 };

/// The meaning of a number's bits.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Nan,
    Infinite {
        negative: bool,
    },
    /// The sign is separate, for zeros.
    Finite {
        real: Real,
        negative: bool,
    },
}

impl Value {
    pub(crate) fn is_nan(&self) -> bool {
        matches!(self, Self::Nan)
    }

    pub(crate) fn is_infinite(&self) -> bool {
        matches!(self, Self::Infinite { .. })
    }

    pub(crate) fn is_zero(&self) -> bool {
        matches!(self, Self::Finite { real, .. } if is_zero(real))
    }

    pub(crate) fn is_negative(&self) -> bool {
        matches!(self, Self::Infinite { negative: true } | Self::Finite { negative: true, .. })
    }

    /// Returns the value of a finite number.
    pub(crate) fn real(&self) -> Option<&Real> {
        match self {
            Self::Finite { real, .. } => Some(real),
            _ => None,
        }
    }
}

impl Format {
    /// Returns the exponent of the greatest numbers, such as 127 for `float`.
    pub(crate) fn greatest_exponent(self) -> isize {
        (1 << (self.bits - self.digits - 1)) - 1
    }

    /// Returns the exponent of the last digit of the least numbers, such as -149 for `float`.
    pub(crate) fn least_unit(self) -> isize {
        2 - self.greatest_exponent() - self.digits as isize
    }

    pub(crate) fn infinity(self, negative: bool) -> u64 {
        let exponents = (1_u64 << (self.bits - self.digits)) - 1;
        exponents << (self.digits - 1) | self.sign(negative)
    }

    pub(crate) fn nan(self) -> u64 {
        self.infinity(false) | 1 << (self.digits - 2)
    }

    pub(crate) fn greatest(self) -> u64 {
        self.infinity(false) - 1
    }

    pub(crate) fn zero(self, negative: bool) -> u64 {
        self.sign(negative)
    }

    fn sign(self, negative: bool) -> u64 {
        u64::from(negative) << (self.bits - 1)
    }

    pub(crate) fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign(true) > self.infinity(false)
    }

    /// Returns the value of a number with the digits that functions compute with.
    pub(crate) fn value(self, bits: u64) -> Value {
        let negative = bits & self.sign(true) != 0;
        let size = bits & !self.sign(true);
        if size > self.infinity(false) {
            return Value::Nan;
        }
        if size == self.infinity(false) {
            return Value::Infinite { negative };
        }
        let (exponent, digits) = (size >> (self.digits - 1), size & ((1 << (self.digits - 1)) - 1));
        let (significand, unit) = match exponent {
            0 => (digits, self.least_unit()),
            _ => (digits | 1 << (self.digits - 1), self.least_unit() + exponent as isize - 1),
        };
        let sign = if negative { Sign::Negative } else { Sign::Positive };
        let real = real(IBig::from_parts(sign, UBig::from(significand)), unit);
        Value::Finite { real, negative }
    }

    /// Rounds a value to a number. `negative_zero` is the sign of a zero.
    pub(crate) fn rounded(self, real: &Real, negative_zero: bool, rounding: Rounding) -> u64 {
        let (significand, exponent) = real.repr().clone().into_parts();
        let (sign, size) = significand.into_parts();
        if size.is_zero() {
            return self.zero(negative_zero);
        }
        let negative = sign == Sign::Negative;
        let away = match rounding {
            Rounding::NearestEven => None,
            Rounding::TowardsZero => Some(false),
            Rounding::Up => Some(!negative),
            Rounding::Down => Some(negative),
        };
        // The exponent of the number's last digit.
        let unit = (size.bit_len() as isize + exponent - self.digits as isize).max(self.least_unit());
        let cut = unit - exponent;
        let (mut digits, is_up) = if cut <= 0 {
            (size << cut.unsigned_abs(), false)
        } else if cut as usize > size.bit_len() + 1 {
            (UBig::ZERO, away == Some(true))
        } else {
            let (rest, whole) = size.split_bits(cut as usize);
            let half = UBig::ONE << (cut as usize - 1);
            let up = match away {
                Some(away) => away && !rest.is_zero(),
                None => rest > half || rest == half && whole.bit(0),
            };
            (whole, up)
        };
        if is_up {
            digits += 1_u8;
        }
        let digits = u64::try_from(digits).unwrap_or(u64::MAX);
        let first = 1_u64 << (self.digits - 1);
        let bits = match digits < first {
            true => digits,
            // Far beyond the greatest number.
            false if unit > self.greatest_exponent() => self.infinity(false),
            false => (((unit - self.least_unit() + 1) as u64) << (self.digits - 1)) + (digits - first),
        };
        let overflow = match away {
            Some(false) => self.greatest(),
            _ => self.infinity(false),
        };
        bits.min(overflow) | self.sign(negative)
    }

    /// Returns the exponent of the unit in the last place at a value. OpenCL C specification, Relative Error as
    /// ULPs: the distance of the two numbers around it or, if it is a number, the distance to the nearest other one.
    pub(crate) fn unit(self, real: &Real) -> isize {
        let (significand, exponent) = real.repr().clone().into_parts();
        let size = significand.into_parts().1;
        if size.is_zero() {
            return self.least_unit();
        }
        let is_power = size.is_one();
        let top = (size.bit_len() as isize + exponent).min(self.greatest_exponent() + 1);
        (top - self.digits as isize - isize::from(is_power)).max(self.least_unit())
    }

    /// Returns the distance of a number from a value in units in the last place. An infinity counts as the number
    /// after the greatest one, and has no distance from values beyond that.
    pub(crate) fn distance(self, bits: u64, expected: &Real) -> f64 {
        let found = match self.value(bits) {
            Value::Nan => return f64::INFINITY,
            Value::Finite { real, .. } => real,
            Value::Infinite { negative } => {
                let edge = power_of_two(self.greatest_exponent() + 1);
                let edge = if negative { -edge } else { edge };
                let beyond = if negative { *expected <= edge } else { *expected >= edge };
                if beyond {
                    return 0.0;
                }
                edge
            }
        };
        let off = exact(&found) - exact(expected);
        if is_zero(&off) {
            return 0.0;
        }
        let off = off.abs() * power_of_two(-self.unit(expected));
        off.with_precision(53).value().to_f64().value()
    }
}

/// Creates a value from digits and the exponent of the last one.
pub(crate) fn real(significand: IBig, exponent: isize) -> Real {
    let value = Real::from_repr(Repr::new(significand, exponent), Context::new(0));
    value.with_precision(PRECISION).value()
}

/// Converts an integer to a value without rounding.
pub(crate) fn whole(number: impl Into<IBig>) -> Real {
    Real::from_repr(Repr::new(number.into(), 0), Context::new(0))
}

pub(crate) fn power_of_two(exponent: isize) -> Real {
    Real::from_repr(Repr::new(IBig::ONE, exponent), Context::new(0))
}

/// Returns the same value in unlimited precision, so that sums and products are not rounded.
pub(crate) fn exact(real: &Real) -> Real {
    Real::from_repr(real.repr().clone(), Context::new(0))
}

/// Returns the same value with this number of digits.
pub(crate) fn with_digits(real: &Real, digits: usize) -> Real {
    exact(real).with_precision(digits).value()
}

pub(crate) fn is_zero(real: &Real) -> bool {
    real.repr().significand().is_zero()
}

pub(crate) fn is_negative(real: &Real) -> bool {
    real.sign() == Sign::Negative && !is_zero(real)
}

/// Rounds an exact value towards minus infinity.
pub(crate) fn floor(real: &Real) -> IBig {
    let (significand, exponent) = real.repr().clone().into_parts();
    // Shifting a negative integer to the right rounds down.
    if exponent >= 0 { significand << exponent as usize } else { significand >> exponent.unsigned_abs() }
}

/// Returns the nearest integer, with ties to even.
pub(crate) fn nearest(real: &Real) -> IBig {
    let doubled = floor(&(exact(real) * power_of_two(1)));
    let below = floor(real);
    let is_half = &doubled - &below * IBig::from(2) == IBig::ONE
        && exact(real) * power_of_two(1) == whole(doubled.clone());
    let above_half = doubled != &below * IBig::from(2) && !is_half;
    let is_odd = below.bit(0);
    if above_half || is_half && is_odd { below + IBig::ONE } else { below }
}

/// Rounds to an integer.
pub(crate) fn to_integer(real: &Real, rounding: Rounding) -> IBig {
    let below = floor(real);
    let is_whole = whole(below.clone()) == exact(real);
    match rounding {
        Rounding::NearestEven => nearest(real),
        Rounding::Down => below,
        _ if is_whole => below,
        Rounding::Up => below + IBig::ONE,
        Rounding::TowardsZero if is_negative(real) => below + IBig::ONE,
        Rounding::TowardsZero => below,
    }
}
