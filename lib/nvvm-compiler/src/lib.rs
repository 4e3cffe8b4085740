//! NVVM IR to PTX by NVIDIA's libnvvm.
//!
//! libnvvm is found at run time ([`NvvmLibrary`]). It can take its process down and it can loop for ever, so the program `pi-nvvm`
//! runs it: a worker process, one request at a time, each with a time limit. [`NvvmCompiler`] keeps a few of them.
//!
//! A worker is no child of the process for longer than its start, so the process's own waiting for children never meets it. It ends
//! when the process does, and after a minute without a request.

mod assembler_faults;
mod compiler;
mod error;
mod library;
mod missing;
mod options;
mod pool;
pub mod protocol;
mod target;
mod worker;
mod worker_program;

pub use compiler::{CompiledPtx, NvvmCompiler};
pub use error::NvvmError;
pub use library::NvvmLibrary;
pub use options::NvvmOptions;
pub use target::NvvmTarget;
pub use worker_program::worker_program;
