//! Errors of compilations.

use std::time::Duration;

/// The reason why NVVM IR was not compiled.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NvvmError {
    /// There is no libnvvm, or no libdevice next to it.
    #[error(
        "no libnvvm, which compiles SPIR-V for NVIDIA GPUs: {tried}. Install it with `pip install nvidia-cuda-nvcc-cu12`, \
         or name a CUDA toolkit's folder in PI_NVVM"
    )]
    NoLibrary {
        /// The places that were tried, each with its reason.
        tried: String,
    },
    /// There is no `pi-nvvm` program.
    #[error(
        "no pi-nvvm, the program that runs libnvvm: {tried}. Put it beside the plugin, or name it in PI_NVVM_COMPILER"
    )]
    NoProgram {
        /// The places that were tried, each with its reason.
        tried: String,
    },
    /// A worker did not start, or the started program is not a worker.
    #[error("{program} does not work as a compiler process: {why}")]
    NoWorker {
        /// The program's file.
        program: String,
        /// The system's reason, or what the program did.
        why: String,
    },
    /// libnvvm does not support any architecture that the device can run.
    #[error(
        "libnvvm ({library}) compiles for no architecture up to compute_{capability}, which the GPU is: {log}. \
         Toolkits up to CUDA 12.9 compile for GPUs before Turing: `pip install nvidia-cuda-nvcc-cu12`"
    )]
    NoArchitecture {
        /// libnvvm's file.
        library: String,
        /// Its last error message.
        log: String,
        /// The device's compute capability, without a dot.
        capability: u32,
    },
    /// libnvvm refused the IR.
    #[error("libnvvm: {log}")]
    Refused {
        /// libnvvm's log.
        log: String,
    },
    /// libnvvm terminated its process, with and without optimization.
    #[error("libnvvm ended its process, with and without optimization: {said}")]
    Crashed {
        /// The last output before that.
        said: String,
    },
    /// libnvvm exceeded its limit, with and without optimization.
    #[error("libnvvm was not ready after {limit:?} of the processor, with and without optimization")]
    TimedOut {
        /// The processor time that one try may use.
        limit: Duration,
    },
}
