//! The OpenCL CPU runtime that executes kernels. Only this module calls it.

mod functions;
mod image;
mod kernel;
mod program;
mod runtime;

pub(crate) use image::{ClImage, ClSampler, Part};
pub(crate) use kernel::{Argument, ClKernel};
pub(crate) use program::{Input, Program};
pub(crate) use runtime::{ClQueue, runtime};
