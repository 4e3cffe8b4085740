//! What tests of the translator from SPIR-V to NVVM IR share.
//!
//! [`assemble`] makes modules of readable text. [`HostGpu`] executes what the translator makes of them on the processor: it knows PTX
//! and NVVM's intrinsics, and nothing of the translator.

mod assembler;
mod host_gpu;
mod names;
mod ptx;
mod rewrite;

pub use assembler::{assemble, kernel};
pub use host_gpu::{Arg, HostGpu, Launch};
