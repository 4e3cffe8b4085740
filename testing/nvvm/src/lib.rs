//! What tests of the translator from SPIR-V to NVVM IR share.
//!
//! [`assemble`] makes modules of readable text. [`HostGpu`] executes what the translator makes of them on the processor: it knows PTX
//! and NVVM's intrinsics, and nothing of the translator.

mod assembler;
mod damage;
mod elementwise;
mod host_gpu;
pub mod limits;
pub mod matrices;
mod mutant;
mod names;
mod ptx;
mod random;
mod rewrite;
mod scalars;
mod textures;

pub use assembler::{assemble, kernel};
pub use damage::damaged;
pub use elementwise::{compute, compute_with, elementwise};
pub use host_gpu::{Arg, HostGpu, Launch};
pub use mutant::{FLOAT_COMPARISONS, INTEGER_COMPARISONS, Mutant, mutant};
pub use random::Random;
pub use scalars::{Scalar, bytes, numbers};
