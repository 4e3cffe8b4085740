//! How to translate.

use std::collections::BTreeMap;

/// Which text the compiler library takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// LLVM 7, for architectures below compute_100.
    #[default]
    Llvm7,
    /// Newer LLVM, for compute_100 and above.
    Modern,
}

/// How to translate. The default is OpenCL's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// For each module the values of its specialization constants by `SpecId`: as many bytes as their types have, little-endian.
    /// Ids that the module does not have are passed over. Modules beyond the last one here keep their default values.
    pub specialization: Vec<BTreeMap<u32, Vec<u8>>>,
    /// Which text to write.
    pub dialect: Dialect,
    /// Whether `-cl-fast-relaxed-math` was asked for.
    pub fast_relaxed_math: bool,
    /// Whether exported functions are translated although no kernel calls them, and keep their names: for libraries.
    pub exports: bool,
}
