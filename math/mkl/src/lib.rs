//! `libpi_math.so` implements the operations that callers of stock oneMKL use, on NVIDIA's cuBLAS, cuSOLVER,
//! cuFFT and cuSPARSE.
//!
//! The drop-ins for oneMKL's libraries (`rim/`) call it while a native command of our CUDA adapter is being enqueued.
//! It enqueues the work on the stream that the adapter reports, and never waits. Every function returns null, or a text
//! that describes the problem. No lock is held while NVIDIA's libraries run: a handle is taken out of its pool, used,
//! and put back.
#![allow(
    clippy::too_many_arguments,
    non_snake_case,
    reason = "the functions are as NVIDIA's and oneMKL's are"
)]

mod batch;
mod blas;
mod blas_batch;
mod call;
mod cublas;
mod cusparse;
mod driver;
mod element;
mod failure;
mod fft;
mod fft_layout;
mod fft_plan;
mod fft_schedule;
mod int8;
mod lapack;
mod lapack_batch;
mod libraries;
mod pool;
mod solver;
mod sparse;
mod strided;
mod vectors;
mod workspace;

pub use blas::{pi_math_gemm, pi_math_gemv, pi_math_lacks_products, pi_math_syrk};
pub use blas_batch::{pi_math_gemm_pointers, pi_math_trsm};
pub use call::pi_math_is_here;
pub use fft::{pi_math_fft, pi_math_fft_check};
pub use lapack::{
    pi_math_diagonals, pi_math_geqrf, pi_math_gesvd, pi_math_getrf, pi_math_getri, pi_math_getrs,
    pi_math_orgqr, pi_math_ormqr, pi_math_potrf, pi_math_potrs, pi_math_syevd,
};
pub use sparse::{pi_math_spmm, pi_math_spmv};
pub use vectors::{pi_math_dot, pi_math_scal};
