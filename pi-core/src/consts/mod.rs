//! Every constant of the interface, one file per object, under the name that the specification uses.
//! `cargo xtask headers` generates the other files of this folder.
//!
//! "Since PI 12.20" names the version from the header's log. No release shipped that version, so tables and tests know
//! the constant from the next shipped version on, 12.21 ([`Version`](crate::Version)).

mod context;
mod device;
mod event;
mod image;
mod kernel;
mod mem;
mod platform;
mod plugin;
mod program;
mod queue;
mod result;
mod sampler;
mod usm;

pub use context::*;
pub use device::*;
pub use event::*;
pub use image::*;
pub use kernel::*;
pub use mem::*;
pub use platform::*;
pub use plugin::*;
pub use program::*;
pub use queue::*;
pub use result::*;
pub use sampler::*;
pub use usm::*;
