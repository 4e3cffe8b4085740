//! SPIR-V, which is translated to NVVM IR, compiled to PTX by libnvvm, and stored in a container that can be loaded
//! again.

mod compile;
mod container;
mod facts;
mod framing;
mod keep;
mod options;
mod ptx_version;
mod source;

pub(crate) use compile::{check_possible, target};
pub(crate) use container::CompiledSpirv;
pub(crate) use facts::{KernelFacts, Parameter};
pub(crate) use keep::Extent;
pub(crate) use source::SpirvSource;
