//! The types of values.

use crate::number::{DOUBLE, FLOAT, Format, HALF};

/// A scalar type of OpenCL C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Int { bits: usize, signed: bool },
    Float(Format),
}

pub(crate) const UINT: Scalar = Scalar::Int { bits: 32, signed: false };
pub(crate) const INT: Scalar = Scalar::Int { bits: 32, signed: true };
pub(crate) const FLOATS: [Scalar; 3] = [Scalar::Float(HALF), Scalar::Float(FLOAT), Scalar::Float(DOUBLE)];
pub(crate) const WIDTHS: [usize; 6] = [1, 2, 3, 4, 8, 16];

/// Returns all integer types, the unsigned ones first.
pub(crate) fn integers() -> impl Iterator<Item = Scalar> {
    [false, true].into_iter().flat_map(|signed| [8, 16, 32, 64].map(|bits| Scalar::Int { bits, signed }))
}

impl Scalar {
    pub(crate) fn bits(self) -> usize {
        match self {
            Self::Int { bits, .. } => bits,
            Self::Float(format) => format.bits,
        }
    }

    pub(crate) fn format(self) -> Option<Format> {
        match self {
            Self::Float(format) => Some(format),
            Self::Int { .. } => None,
        }
    }

    /// Returns OpenCL C's name, such as `uchar` or `float`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Int { bits: 8, signed: false } => "uchar",
            Self::Int { bits: 8, .. } => "char",
            Self::Int { bits: 16, signed: false } => "ushort",
            Self::Int { bits: 16, .. } => "short",
            Self::Int { bits: 32, signed: false } => "uint",
            Self::Int { bits: 32, .. } => "int",
            Self::Int { signed: false, .. } => "ulong",
            Self::Int { .. } => "long",
            Self::Float(HALF) => "half",
            Self::Float(FLOAT) => "float",
            Self::Float(_) => "double",
        }
    }

    /// Returns the id of the type in a module, where integers have no sign.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Int { bits, .. } => Self::Int { bits, signed: false }.name(),
            float => float.name(),
        }
    }

    /// Returns the mask of the type's bits.
    pub(crate) fn mask(self) -> u64 {
        if self.bits() < 64 { (1 << self.bits()) - 1 } else { u64::MAX }
    }

    /// Returns the integer that the bits represent.
    pub(crate) fn integer(self, bits: u64) -> i128 {
        match self {
            Self::Int { bits: width, signed: true } => {
                let unused = 64 - width as u32;
                i128::from((bits << unused).cast_signed() >> unused)
            }
            _ => i128::from(bits & self.mask()),
        }
    }

    /// Returns the least and the greatest integer.
    pub(crate) fn range(self) -> (i128, i128) {
        match self {
            Self::Int { bits, signed: true } => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            other => (0, i128::from(other.mask())),
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Self::Int { signed: true, .. })
    }
}

/// Returns the id of a vector or scalar type.
pub(crate) fn type_id(scalar: Scalar, lanes: usize) -> String {
    if lanes == 1 { format!("%{}", scalar.id()) } else { format!("%v{lanes}{}", scalar.id()) }
}

/// Returns OpenCL C's name of a vector type.
pub(crate) fn type_name(scalar: Scalar, lanes: usize) -> String {
    if lanes == 1 { scalar.name().to_owned() } else { format!("{}{lanes}", scalar.name()) }
}
