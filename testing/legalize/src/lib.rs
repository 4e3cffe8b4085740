//! Small kernels, each of which needs one rewrite on some OpenCL driver.
//!
//! Each takes a buffer with the numbers 1, 2, 3 and so on, and a buffer for its results, and runs in one work-group.

mod driver;
mod kernels;
mod prelude;

pub use driver::{RUN, ask, facts};
pub use prelude::kernel;

use anyhow::Result;

/// The number of work-items that run most kernels.
pub const ITEMS: u32 = 64;

/// A kernel `k`.
#[derive(Debug)]
pub struct Program {
    /// Its name, which [`sycl_pi_image::spirv::KNOWN_FAULTS`] uses too.
    pub name: &'static str,
    /// The module.
    pub module: Vec<u8>,
    /// The number of work-items that run it, in one work-group.
    pub items: u32,
    /// Further arguments, in hexadecimal.
    pub arguments: &'static [&'static str],
    /// The result of a work-item, computed by hand, if each work-item is a sub-group of its own.
    pub result: fn(u32) -> u32,
}

/// Returns all programs.
///
/// # Errors
/// Fails if a kernel's text cannot be assembled.
pub fn programs() -> Result<Vec<Program>> {
    kernels::all().map(kernels::Text::program).collect()
}
