//! The inputs of a launch: the range, and arguments that are checked against the code before they reach the driver.

mod arg;
mod range;
mod ready;

pub use arg::Arg;
pub use range::NdRange;
pub(crate) use ready::ReadyKernel;
