//! Options of the translation.

use std::collections::{BTreeMap, BTreeSet};

/// The text that the compiler library accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// LLVM 7, for architectures below compute_100.
    #[default]
    Llvm7,
    /// Newer LLVM, for compute_100 and above.
    Modern,
}

/// Options of the translation. The default is OpenCL's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The values of the specialization constants, per module, by `SpecId`: little-endian, with the byte sizes of their
    /// types. Ids that the module lacks are ignored. Constants of modules beyond the last entry keep their default
    /// values.
    pub specialization: Vec<BTreeMap<u32, Vec<u8>>>,
    /// The dialect of the text.
    pub dialect: Dialect,
    /// Whether `-cl-fast-relaxed-math` was given.
    pub fast_relaxed_math: bool,
    /// Whether exported functions are translated even if no kernel calls them, and keep their names, as libraries need.
    pub exports: bool,
    /// Whether each `half` is stored as bits that come from an inline assembly instruction. libnvvm rejects modules in
    /// which it merges eight stores of `half` into one (`unsupported operation`); this prevents the merge.
    pub stores_halves_apart: bool,
    /// The only kernel to translate, in a variant for some launches.
    pub variant: Option<Variant>,
}

/// One kernel of a program, in a variant for some launches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Variant {
    /// The kernel's name in SPIR-V. If the program lacks it, no kernel is translated.
    pub kernel: String,
    /// Whether the work-groups of all dimensions are launched as a grid of one dimension, x fastest, which CUDA allows
    /// to be larger than y and z. A kernel that uses its work-group's id or the numbers of work-groups then takes the
    /// latter as parameters: [`Kernel::group_counts`](crate::Kernel).
    pub folded: bool,
    /// The indices of the arguments that are null pointers. A memory access whose address may come from one of them is
    /// skipped if the address is in the first bytes of memory: loads and atomic operations then return zero.
    pub null_arguments: BTreeSet<u32>,
}
