//! SPIR-V from OpenCL C and C++ for OpenCL, by the clang and llvm-spirv of the machine.
//!
//! [`candidates`] lists what is there without running anything. [`working`] takes the first of them that compiles a kernel, and
//! [`Compiler::compile`] runs it. Sources and results go through files in memory: nothing is written to disk.
//!
//! Only named folders are searched, never the current one. A process with more rights than its user follows no variable. Compilers
//! run in a folder of root's, with few variables, so that neither changes what they make. [`Compiler::reads`] asks clang for the files
//! that a result depends on.

mod candidate;
mod compiler;
mod environment;
mod error;
mod find;
mod options;
mod places;
mod process;
mod reads;
mod source;

pub use candidate::Candidate;
pub use compiler::{Compiled, Compiler};
pub use error::CompileError;
pub use find::{candidates, find, working};
pub use reads::{Reads, is_readable};
pub use source::{Language, Source};
