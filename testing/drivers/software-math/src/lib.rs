//! Software cuBLAS, cuSOLVER, cuFFT and cuSPARSE for the software CUDA driver, whose memory is host memory.
//!
//! Each call puts host code into its stream, so that the driver determines the order of work. The work is done by
//! OpenBLAS: the library that numpy has loaded or that `PI_TEST_OPENBLAS` names. It is for tests only, and never
//! shipped.
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
mod sparse;
mod stream;
