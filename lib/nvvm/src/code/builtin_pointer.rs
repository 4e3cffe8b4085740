//! Addresses in built-in variables, which are not in memory.

/// An address in a built-in variable.
#[derive(Clone, Debug)]
pub(crate) struct BuiltinPointer {
    /// The number of its `BuiltIn`.
    pub(crate) number: u32,
    /// The scalar in it.
    pub(crate) at: BuiltinPlace,
}

/// The scalar of a built-in value to which an address refers.
#[derive(Clone, Debug)]
pub(crate) enum BuiltinPlace {
    /// The scalar at this offset in bytes.
    Bytes(u64),
    /// The scalar whose index is this value, given with its type.
    Value(String),
}
