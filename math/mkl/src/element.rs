//! The element types of oneMKL's callers, with the numbers of `rim/pi_math.hpp`.

use std::ffi::c_int;

use crate::failure::Result;

/// Float, double, and their complex numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Element {
    Float,
    Double,
    ComplexFloat,
    ComplexDouble,
}

impl Element {
    pub(crate) fn from_number(number: c_int) -> Result<Self> {
        match number {
            0 => Ok(Self::Float),
            1 => Ok(Self::Double),
            2 => Ok(Self::ComplexFloat),
            3 => Ok(Self::ComplexDouble),
            _ => Err(format!("element type {number} is unknown")),
        }
    }

    /// Returns its size in bytes.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Float => 4,
            Self::Double | Self::ComplexFloat => 8,
            Self::ComplexDouble => 16,
        }
    }

    /// Returns the type of its parts.
    pub(crate) fn real(self) -> Self {
        match self {
            Self::Float | Self::ComplexFloat => Self::Float,
            Self::Double | Self::ComplexDouble => Self::Double,
        }
    }

    /// Returns NVIDIA's number of the type.
    pub(crate) fn cuda_type(self) -> c_int {
        match self {
            Self::Float => 0,
            Self::Double => 1,
            Self::ComplexFloat => 4,
            Self::ComplexDouble => 5,
        }
    }
}
