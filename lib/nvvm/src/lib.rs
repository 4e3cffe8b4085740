//! Translates SPIR-V of OpenCL and SYCL programs to NVVM IR, the text that NVIDIA's compiler library accepts.
//!
//! [`translate`] takes all modules of a program. The generated code keeps to these rules:
//!
//! - A pointer to local memory is passed as a 32-bit offset into the dynamic shared memory, [`Argument::Local`].
//! - A kernel that uses the global offset takes it as three hidden 64-bit parameters after its arguments. If it uses
//!   the number of dimensions of the launch, that is the fourth. If it is folded and uses work-groups, their numbers
//!   follow.
//! - Everything specific to NVVM is in small functions of the same module, `__spirv_...`, whose bodies a host may
//!   replace.
//! - Kernels and exported variables keep their names if PTX accepts them.
//!
//! `code/dispatch.rs` maps instructions to the functions that translate them, and `code/opencl/dispatch.rs` does so for
//! functions of OpenCL.std.

mod active_masks;
mod code;
mod constants;
mod define;
mod divergence;
mod error;
mod flow;
mod fold;
mod function;
mod functions;
mod helpers;
mod kernel;
mod masks;
mod matrix_shape;
mod module;
mod names;
mod options;
mod program;
mod reach;
mod reconvergence;
mod signature;
mod subgroup_size;
mod translation;
mod types;
mod variables;
mod written;

pub use error::Error;
pub use module::translate;
pub use options::{Dialect, Options, Variant};
pub use subgroup_size::SUB_GROUP_SIZES;
pub use translation::{Argument, Global, Kernel, Translation};
