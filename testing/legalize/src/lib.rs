//! Small kernels, each of which needs one rewrite on some OpenCL driver.
//!
//! Each takes a buffer with the numbers 1, 2, 3 and so on, and a buffer for its results, and runs in one work-group.

mod driver;
mod kernels;
mod prelude;
mod program;

pub use driver::{RUN, ask, facts};
pub use prelude::kernel;
pub use program::{ITEMS, Program};

use anyhow::Result;

/// Returns all programs.
///
/// # Errors
/// Fails if a kernel's text cannot be assembled.
pub fn programs() -> Result<Vec<Program>> {
    kernels::all().map(program::Text::program).collect()
}
