//! Results of floating-point functions, independent of the allowed error.

use crate::expected::Expected;
use crate::number::{Format, Real, Value, whole};
use crate::types::Scalar;

/// A result without a bound.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Any,
    Nan,
    Infinite {
        negative: bool,
    },
    Zero {
        negative: bool,
    },
    /// A value, and the sign if it is zero.
    Real(Real),
    /// These bits, whatever the bound is.
    Bits(u64),
    /// Any of these bits.
    OneOf(Vec<u64>),
}

/// The operands of a call.
#[derive(Clone, Debug)]
pub(crate) struct Operands {
    pub(crate) format: Format,
    pub(crate) types: Vec<Scalar>,
    pub(crate) bits: Vec<u64>,
    pub(crate) values: Vec<Value>,
}

impl Operands {
    pub(crate) fn new(format: Format, types: &[Scalar], bits: Vec<u64>) -> Self {
        let value = |(bits, ty): (&u64, &Scalar)| match ty {
            Scalar::Float(format) => format.value(*bits),
            Scalar::Int { .. } => {
                let number = ty.integer(*bits);
                Value::Finite { real: whole(number), negative: number < 0 }
            }
        };
        let values = bits.iter().zip(types).map(value).collect();
        Self { format, types: types.to_vec(), bits, values }
    }

    pub(crate) fn any_nan(&self) -> bool {
        self.values.iter().any(Value::is_nan)
    }

    /// Returns whether the operand is negative, including a negative zero.
    pub(crate) fn is_negative(&self, at: usize) -> bool {
        self.values[at].is_negative()
    }

    /// Returns the value of a finite operand, and zero for others.
    pub(crate) fn real(&self, at: usize) -> Real {
        self.values[at].real().cloned().unwrap_or(Real::ZERO)
    }

    /// Returns an integer operand.
    pub(crate) fn integer(&self, at: usize) -> i128 {
        self.types[at].integer(self.bits[at])
    }
}

impl Answer {
    /// Returns the expected result within a bound in units in the last place. A bound of 0 means correctly rounded.
    pub(crate) fn within(self, format: Format, ulps: f64) -> Expected {
        match self {
            Self::Any => Expected::Any,
            Self::Nan if ulps.is_infinite() => Expected::Any,
            Self::Nan => Expected::Nan,
            Self::Infinite { .. } | Self::Zero { .. } if ulps.is_infinite() => Expected::Any,
            Self::Infinite { negative } => Expected::Bits(format.infinity(negative)),
            Self::Zero { negative } => Expected::Bits(format.zero(negative)),
            Self::Bits(bits) => Expected::Bits(bits),
            Self::OneOf(bits) => Expected::OneOf(bits),
            Self::Real(real) if ulps == 0.0 => {
                let negative = crate::number::is_negative(&real);
                Expected::rounded(format, &real, negative)
            }
            Self::Real(real) => Expected::Near { real, ulps },
        }
    }
}
