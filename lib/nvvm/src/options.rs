//! How to translate.

use std::collections::{BTreeMap, BTreeSet};

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
    /// Whether each `half` is stored as bits that come from an instruction of assembly. libnvvm refuses modules where it joins eight
    /// stores of `half` to one (`unsupported operation`); so it joins none.
    pub stores_halves_apart: bool,
    /// The kernel that is translated alone, as some launches need it.
    pub variant: Option<Variant>,
}

/// One kernel of a program, as some launches need it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// The kernel's name in SPIR-V. A program without it is translated to no kernel.
    pub kernel: String,
    /// Whether the work-groups of all dimensions come as a grid of one dimension, x fastest. CUDA has more room there than in y and z.
    /// What asks for its work-group or for their numbers then makes the kernel take those: [`Kernel::group_counts`](crate::Kernel).
    pub folded: bool,
    /// The arguments that are null pointers, by index. No access to memory happens that may come from one of them and meets the first
    /// bytes of memory: loads and atomic operations give zero.
    pub null_arguments: BTreeSet<u32>,
}
