//! The types of values: numbers and truth values, as scalars or vectors.

/// The kind of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// True or false.
    Bool,
    /// An integer of this number of bits.
    Int(usize),
    /// A floating-point number of this number of bits.
    Float(usize),
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ty {
    /// The kind of each lane.
    pub(crate) kind: Kind,
    /// 1 for a scalar.
    pub(crate) lanes: usize,
}

impl Ty {
    /// A truth value.
    pub(crate) const BOOL: Self = Self::scalar(Kind::Bool);
    /// 32 bits, the type of loop lengths and lane numbers.
    pub(crate) const UINT: Self = Self::scalar(Kind::Int(32));
    /// 64 bits, the type of work-item identifiers.
    pub(crate) const ULONG: Self = Self::scalar(Kind::Int(64));

    pub(crate) const fn scalar(kind: Kind) -> Self {
        Self { kind, lanes: 1 }
    }

    pub(crate) fn with_lanes(self, lanes: usize) -> Self {
        Self { lanes, ..self }
    }

    pub(crate) fn with_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    /// Returns the type of a lane.
    pub(crate) fn lane(self) -> Self {
        self.with_lanes(1)
    }

    /// Returns the number of bits of a lane.
    pub(crate) fn bits(self) -> usize {
        match self.kind {
            Kind::Bool => 1,
            Kind::Int(bits) | Kind::Float(bits) => bits,
        }
    }

    /// Returns the size in memory. A vector of three takes the space of four.
    pub(crate) fn bytes(self) -> usize {
        self.lanes.next_power_of_two() * self.bits() / 8
    }

    pub(crate) fn is_int(self) -> bool {
        matches!(self.kind, Kind::Int(_))
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self.kind, Kind::Float(_))
    }

    /// Returns OpenCL's name without a sign, such as `ushort` or `v4float`.
    pub(crate) fn name(self) -> String {
        let name = match self.kind {
            Kind::Bool => "bool",
            Kind::Int(8) => "uchar",
            Kind::Int(16) => "ushort",
            Kind::Int(32) => "uint",
            Kind::Int(_) => "ulong",
            Kind::Float(16) => "half",
            Kind::Float(32) => "float",
            Kind::Float(_) => "double",
        };
        if self.lanes == 1 { name.to_owned() } else { format!("v{}{name}", self.lanes) }
    }
}
