//! The type that has the traits of the backend; each file implements those of its family.

/// The CUDA backend.
#[derive(Debug)]
pub struct Cuda;
