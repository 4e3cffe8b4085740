//! SPIR-V from OpenCL C and C++ for OpenCL, by the clang and llvm-spirv of the machine.
//!
//! [`candidates`] lists what is there without running anything. [`working`] takes the first of them that compiles a kernel, and
//! [`Compiler::compile`] runs it. Sources and results go through files in memory: nothing is written to disk.
//!
//! Only named folders are searched, never the current one. A process with more rights than its user follows no variable.

mod compiler;
mod error;
mod places;
mod process;
mod source;

pub use compiler::{Candidate, Compiled, Compiler, candidates, find, working};
pub use error::CompileError;
pub use source::{Language, Source};
