//! SPIR-V modules: reflection, splitting and linking.
//!
//! `sycl-pi-spirv`, which this module re-exports, parses modules strictly ([`Module`]) and finds functions, names and
//! decorations ([`Index`]). [`reflect`](Reflection::of) describes what the module offers and needs. Unknown instructions
//! are skipped when a module is read, and are an error when it is rewritten.

mod build;
mod call_graph;
mod constants;
mod emulate;
mod extract;
mod home;
mod legalize;
mod link;
mod mismatch;
mod portable;
mod references;
mod reflect;
mod specialize;
mod split;
mod together;
mod types;

pub use sycl_pi_spirv::*;

pub use call_graph::{CallGraph, Callee};
pub use constants::{SpecId, SpecScalar, SpecTop};
pub use emulate::{BUFFER_ARGUMENT, Emulated, emulate};
pub(crate) use emulate::{relocate, takes_buffer};
pub use legalize::{
    Casts, Collectives, DriverFacts, KnownFault, Legalized, Needs, Refusal, SubGroups, VectorFunctions,
    known_faults, legalize,
};
pub use link::{LinkOptions, SpecIdMap, link, linked_spec_ids};
pub(crate) use link::{UsedSpecIds, spec_ids};
pub use mismatch::{Mismatch, mismatches, target_mismatches};
pub use portable::{PORTABLE_REVISION, portable};
pub use reflect::{
    Argument, ArgumentKind, EntryPoint, Global, Linkage, LinkageKind, Mode, Reflection, capability_name,
};
pub use specialize::specialize;
pub use split::{SplitImage, SplitMode, SplitOptions, split};
pub use types::Types;
