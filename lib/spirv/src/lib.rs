//! SPIR-V modules as data.
//!
//! [`read`] iterates over the instructions of any module, valid or not. [`Module::parse`] checks the header and that
//! instructions fill the file. [`Index`] checks ids and finds functions, names and decorations. Instructions that the
//! [`grammar`] does not know are read as well.
//!
//! Instructions, decorations and so on have the specification's names, in rspirv's enumerations: `Op::IAdd`,
//! `Decoration::SpecId`. This crate re-exports them, so that all users of modules share one version.
//!
//! ```
//! use sycl_pi_spirv::{Module, Op};
//! let words = [0x0723_0203, 0x0001_0000, 0, 1, 0, 3 << 16 | Op::MemoryModel as u32, 2, 2];
//! let bytes: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
//! let module = Module::parse(&bytes)?;
//! assert_eq!(module.instructions().map(|inst| inst.opcode).collect::<Vec<_>>(), [Op::MemoryModel]);
//! # Ok::<(), sycl_pi_spirv::SpirvError>(())
//! ```
//!
//! No input makes this crate panic: a malformed module is a [`SpirvError`] with the place in the file.
#![forbid(unsafe_code)]

pub mod continued;
mod decoration;
mod error;
pub mod grammar;
mod groups;
mod index;
mod inst;
mod module;
pub mod read;

pub use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, CooperativeMatrixLayout, CooperativeMatrixOperands,
    CooperativeMatrixUse, Decoration, Dim, ExecutionMode, ExecutionModel, FPEncoding, FPFastMathMode,
    FPRoundingMode, FunctionControl, FunctionParameterAttribute, GroupOperation, ImageOperands, LinkageType,
    MAGIC_NUMBER, MemoryAccess, MemoryModel, MemorySemantics, Op, OpenclStd100Op as CLOp, Scope,
    StorageClass,
};

pub use error::SpirvError;
pub use index::{FunctionSpan, Index};
pub use inst::Inst;
pub use module::Module;
