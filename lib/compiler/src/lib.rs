//! SPIR-V from OpenCL C and C++ for OpenCL, made by the machine's clang and llvm-spirv.
//!
//! [`candidates`] lists the compilers without running anything. [`working`] returns the first of them that compiles a
//! kernel, and [`Compiler::compile`] runs it. Sources and results are passed through files in memory; nothing is
//! written to disk.
//!
//! Only named folders are searched, never the current one. A process with more privileges than its user ignores all
//! variables. Compilers run in a folder that belongs to root, with few variables, so that neither affects the result.
//! [`Compiler::reads`] asks clang for the files on which a result depends.

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
