//! Structures that cross the boundary by pointer or value, with their layouts asserted at compile time.
//!
//! The plain name is the newest form. Where older layouts have another form, `NAME_until_2025_1` is the form in the
//! layouts up to 2025.1.

mod base;
mod bindless;
mod command_buffer;
mod device;
mod kernel;
mod mem;
mod program;
mod queue;
mod sampler;
mod usm;

pub use base::*;
pub use bindless::*;
pub use command_buffer::*;
pub use device::*;
pub use kernel::*;
pub use mem::*;
pub use program::*;
pub use queue::*;
pub use sampler::*;
pub use usm::*;
