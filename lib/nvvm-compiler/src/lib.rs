//! Compilation of NVVM IR to PTX by NVIDIA's libnvvm.
//!
//! libnvvm is found at run time ([`NvvmLibrary`]). It may crash its process or loop forever, so it is run by the
//! program `pi-nvvm`: a worker process that handles one request at a time, each with a time limit. [`NvvmCompiler`]
//! keeps a few of them.
//!
//! A worker is a child of the process only during its start, so it does not interfere with the process's own waits for
//! children. It ends when the process does, and after a minute without a request.

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
