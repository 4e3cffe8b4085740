//! Software cuBLAS, cuSOLVER and cuFFT for the software CUDA driver, which has no memory but the host's.
//!
//! Each call puts host code into its stream, so that the order of work is the driver's. OpenBLAS does the work, the one that numpy has
//! loaded or that `PI_TEST_OPENBLAS` names. For tests; never shipped.
#![expect(unsafe_code, reason = "libraries of C functions")]
#![allow(non_snake_case, clippy::missing_safety_doc, clippy::too_many_arguments)]
#![allow(missing_docs, unreachable_pub, reason = "the functions are NVIDIA's")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a stand-in for tests fails by panicking")]

mod batch;
mod blas;
mod faults;
mod fft;
mod openblas;
mod small;
mod solver;
mod stream;
