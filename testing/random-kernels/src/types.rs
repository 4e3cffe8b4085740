//! The types of values: numbers and truth values, one or several in a vector.

/// What a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// True or false.
    Bool,
    /// An integer of so many bits.
    Int(usize),
    /// A floating-point number of so many bits.
    Float(usize),
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ty {
    /// What each lane is.
    pub(crate) kind: Kind,
    /// 1 for a scalar.
    pub(crate) lanes: usize,
}

impl Ty {
    /// A truth value.
    pub(crate) const BOOL: Self = Self::scalar(Kind::Bool);
    /// 32 bits, as the length of a loop and the number of a lane have them.
    pub(crate) const UINT: Self = Self::scalar(Kind::Int(32));
    /// 64 bits, as identifiers of work-items have them.
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

    /// The type of a lane.
    pub(crate) fn lane(self) -> Self {
        self.with_lanes(1)
    }

    /// Bits of a lane.
    pub(crate) fn bits(self) -> usize {
        match self.kind {
            Kind::Bool => 1,
            Kind::Int(bits) | Kind::Float(bits) => bits,
        }
    }

    /// Bytes in memory: a vector of three takes the room of four.
    pub(crate) fn bytes(self) -> usize {
        self.lanes.next_power_of_two() * self.bits() / 8
    }

    pub(crate) fn is_int(self) -> bool {
        matches!(self.kind, Kind::Int(_))
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self.kind, Kind::Float(_))
    }

    /// OpenCL's name, without its sign: `ushort`, `v4float`.
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
