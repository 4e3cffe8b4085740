//! What a launch needs: the range, and arguments that are checked against the code before the driver sees them.

mod arg;
mod range;
mod ready;

pub use arg::Arg;
pub use range::NdRange;
pub(crate) use ready::ReadyKernel;
