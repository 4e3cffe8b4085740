//! SPIR-V of OpenCL and SYCL programs as NVVM IR, the text that NVIDIA's compiler library takes.
//!
//! [`translate`] takes all modules of a program. The generated code keeps to these rules:
//!
//! - A pointer to local memory comes as a 32-bit offset into the dynamic shared memory [`Argument::Local`].
//! - A kernel that uses the global offset takes it as three hidden 64-bit parameters after its arguments. One that asks for the
//!   number of dimensions of the launch takes that as a fourth. A folded one that asks for work-groups takes their numbers behind those.
//! - What only NVVM has stands in small functions of the same module, `__spirv_...`, whose bodies a host may replace.
//! - Kernels and exported variables keep their names where PTX takes them.
//!
//! `code/dispatch.rs` says which function translates an instruction, and `code/opencl/dispatch.rs` which one translates a function
//! of OpenCL.std.

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
mod meetings;
mod module;
mod names;
mod options;
mod program;
mod reach;
mod signature;
mod subgroup_size;
mod translation;
mod types;
mod variables;
mod ways;
mod written;

pub use error::Error;
pub use module::translate;
pub use options::{Dialect, Options, Variant};
pub use subgroup_size::SUB_GROUP_SIZES;
pub use translation::{Argument, Global, Kernel, Translation};
