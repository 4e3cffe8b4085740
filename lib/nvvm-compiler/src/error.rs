//! Why there is no PTX.

use std::time::Duration;

/// Why NVVM IR was not compiled.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NvvmError {
    /// No libnvvm, or no libdevice beside it.
    #[error(
        "no libnvvm, which compiles SPIR-V for NVIDIA GPUs: {tried}. Install it with `pip install nvidia-cuda-nvcc-cu12`, \
         or name a CUDA toolkit's folder in PI_NVVM"
    )]
    NoLibrary {
        /// The places, each with its reason.
        tried: String,
    },
    /// No program `pi-nvvm`.
    #[error(
        "no pi-nvvm, the program that runs libnvvm: {tried}. Put it beside the plugin, or name it in PI_NVVM_COMPILER"
    )]
    NoProgram {
        /// The places, each with its reason.
        tried: String,
    },
    /// A worker did not start, or what started is no worker.
    #[error("{program} does not work as a compiler process: {why}")]
    NoWorker {
        /// The program's file.
        program: String,
        /// The system's reason, or what the program did.
        why: String,
    },
    /// libnvvm compiles for no architecture that the device runs.
    #[error(
        "libnvvm ({library}) compiles for no architecture up to compute_{capability}, which the GPU is: {log}. \
         Toolkits up to CUDA 12.9 compile for GPUs before Turing: `pip install nvidia-cuda-nvcc-cu12`"
    )]
    NoArchitecture {
        /// libnvvm's file.
        library: String,
        /// Its last refusal.
        log: String,
        /// The device's, without a dot.
        capability: u32,
    },
    /// libnvvm refused the IR.
    #[error("libnvvm: {log}")]
    Refused {
        /// libnvvm's log.
        log: String,
    },
    /// libnvvm ended its process, with and without optimisation.
    #[error("libnvvm ended its process, with and without optimisation: {said}")]
    Crashed {
        /// What it wrote before.
        said: String,
    },
    /// libnvvm was not ready in time, with and without optimisation.
    #[error("libnvvm was not ready after {limit:?} of the processor, with and without optimisation")]
    TimedOut {
        /// How much of the processor one try may use.
        limit: Duration,
    },
}
