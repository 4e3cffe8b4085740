//! Values of the kernels' types, as numbers of the host.

/// A type of C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

/// A value, which is exact because all values here are small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Integer(i64),
    Real(f64),
}

impl Type {
    /// Returns the type of a letter in mangled names.
    pub(super) fn of_code(code: char) -> Option<Self> {
        Some(match code {
            'b' => Type::Bool,
            'a' | 'c' => Type::I8,
            'h' => Type::U8,
            's' => Type::I16,
            't' => Type::U16,
            'i' => Type::I32,
            'j' => Type::U32,
            'l' | 'x' => Type::I64,
            'm' | 'y' => Type::U64,
            'f' => Type::F32,
            'd' => Type::F64,
            _ => return None,
        })
    }

    pub(super) fn size(self) -> usize {
        match self {
            Type::Bool | Type::I8 | Type::U8 => 1,
            Type::I16 | Type::U16 => 2,
            Type::I32 | Type::U32 | Type::F32 => 4,
            Type::I64 | Type::U64 | Type::F64 => 8,
        }
    }

    pub(super) fn is_real(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }

    pub(super) fn is_signed(self) -> bool {
        self.is_real() || matches!(self, Type::I8 | Type::I16 | Type::I32 | Type::I64)
    }

    /// Converts the number to this type, like C++.
    pub(super) fn convert(self, number: Number) -> Number {
        let integer = match number {
            Number::Integer(integer) => integer,
            Number::Real(real) => real as i64,
        };
        Number::Integer(match self {
            Type::Bool => (number != Number::Integer(0) && number != Number::Real(0.0)).into(),
            Type::I8 => (integer as i8).into(),
            Type::U8 => (integer as u8).into(),
            Type::I16 => (integer as i16).into(),
            Type::U16 => (integer as u16).into(),
            Type::I32 => (integer as i32).into(),
            Type::U32 => (integer as u32).into(),
            // Unsigned values beyond an i64 are compared by their bits.
            Type::I64 | Type::U64 => integer,
            Type::F32 => return Number::Real(f64::from(number.real() as f32)),
            Type::F64 => return Number::Real(number.real()),
        })
    }

    /// Appends the number's bytes.
    pub(super) fn write(self, number: Number, bytes: &mut Vec<u8>) {
        match self.convert(number) {
            Number::Integer(integer) => bytes.extend(integer.to_le_bytes().iter().take(self.size())),
            Number::Real(real) if self == Type::F32 => bytes.extend((real as f32).to_le_bytes()),
            Number::Real(real) => bytes.extend(real.to_le_bytes()),
        }
    }

    /// Returns the number in these bytes, which have the type's size.
    pub(super) fn read(self, bytes: &[u8]) -> Number {
        let mut all = [0; 8];
        all[..bytes.len()].copy_from_slice(bytes);
        match self {
            Type::F32 => Number::Real(f32::from_bits(u64::from_le_bytes(all) as u32).into()),
            Type::F64 => Number::Real(f64::from_le_bytes(all)),
            Type::Bool => Number::Integer(all[0].into()),
            _ => self.convert(Number::Integer(i64::from_le_bytes(all))),
        }
    }

    /// Returns whether a result is right: the same or, for results that are rounded in several steps, within 16 of the
    /// type's steps.
    pub(super) fn agrees(self, got: Number, wanted: Number, exact: bool) -> bool {
        let (Number::Real(got), Number::Real(wanted)) = (got, wanted) else { return got == wanted };
        if got == wanted || (got.is_nan() && wanted.is_nan()) {
            return true;
        }
        let step = if self == Type::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
        !exact && (got - wanted).abs() <= 16.0 * step * wanted.abs().max(step)
    }
}

impl Number {
    pub(super) fn real(self) -> f64 {
        match self {
            Number::Integer(integer) => integer as f64,
            Number::Real(real) => real,
        }
    }
}
