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
    /// Values of specialization constants by `SpecId`: as many bytes as their types have, little-endian. Ids that no module
    /// has are passed over.
    pub specialization: BTreeMap<u32, Vec<u8>>,
    /// Which text to write.
    pub dialect: Dialect,
    /// Whether `-cl-fast-relaxed-math` was asked for.
    pub fast_relaxed_math: bool,
    /// Whether exported functions are translated although no kernel calls them, and keep their names: for libraries.
    pub exports: bool,
}
