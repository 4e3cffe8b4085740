//! The type that has the traits of the backend; each file implements those of its family.

/// The OpenCL backend.
#[derive(Debug)]
pub struct OpenCl;
