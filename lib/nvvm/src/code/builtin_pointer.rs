//! Addresses in built-in variables, which are no memory.

/// An address in a built-in variable.
#[derive(Clone, Debug)]
pub(crate) struct BuiltinPointer {
    /// The number of its `BuiltIn`.
    pub(crate) number: u32,
    /// Which scalar of it.
    pub(crate) at: BuiltinPlace,
}

/// Which scalar of a built-in value an address means.
#[derive(Clone, Debug)]
pub(crate) enum BuiltinPlace {
    /// The one at this distance in bytes.
    Bytes(u64),
    /// The one whose number this value is: its type and spelling.
    Value(String),
}
