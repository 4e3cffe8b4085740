//! SPIR-V modules: strict parsing, reflection, splitting and linking.
//!
//! [`Module::parse`] checks the header and that instructions fill the file. [`Index`] checks ids and finds functions,
//! names and decorations. [`reflect`](Reflection::of) describes what the module offers and needs. Unknown instructions
//! are skipped when a module is read, and are an error when it is rewritten.
//!
//! Instructions, decorations and so on have the specification's names, in rspirv's enumerations: `Op::IAdd`,
//! `Decoration::SpecId`. This module re-exports them, so that all users of modules share one version.

mod build;
mod call_graph;
mod constants;
mod continued;
mod decoration;
mod emulate;
mod error;
mod extract;
pub mod grammar;
mod groups;
mod home;
mod index;
mod inst;
mod legalize;
mod link;
mod mismatch;
mod module;
mod portable;
mod references;
mod reflect;
mod specialize;
mod split;
mod together;
mod types;

pub use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, CooperativeMatrixLayout, CooperativeMatrixOperands,
    CooperativeMatrixUse, Decoration, Dim, ExecutionMode, ExecutionModel, FPEncoding, FPFastMathMode,
    FPRoundingMode, FunctionControl, FunctionParameterAttribute, GroupOperation, ImageOperands, LinkageType,
    MemoryAccess, MemoryModel, MemorySemantics, Op, OpenclStd100Op as CLOp, Scope, StorageClass,
};

pub use call_graph::{CallGraph, Callee};
pub use constants::{SpecId, SpecScalar, SpecTop};
pub use emulate::{BUFFER_ARGUMENT, Emulated, emulate};
pub(crate) use emulate::{relocate, takes_buffer};
pub use error::SpirvError;
pub use index::{FunctionSpan, Index};
pub use inst::Inst;
pub use legalize::{
    Casts, Collectives, DriverFacts, KNOWN_FAULTS, KnownFault, Legalized, Needs, Refusal, legalize,
};
pub use link::{LinkOptions, SpecIdMap, link, linked_spec_ids};
pub(crate) use link::{UsedSpecIds, spec_ids};
pub use mismatch::{Mismatch, mismatches, target_mismatches};
pub use module::Module;
pub use portable::{PORTABLE_REVISION, portable};
pub use reflect::{
    Argument, ArgumentKind, EntryPoint, Global, Linkage, LinkageKind, Mode, Reflection, capability_name,
};
pub use specialize::specialize;
pub use split::{SplitImage, SplitMode, SplitOptions, split};
pub use types::Types;
