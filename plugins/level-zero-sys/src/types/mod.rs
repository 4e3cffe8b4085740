//! Types, by the parts of the specification.
#![expect(unsafe_code, reason = "marks the driver's structures as plain memory")]

pub mod common;
pub mod context;
pub mod device;
pub mod driver;
pub mod event;
pub mod extensions;
pub mod fence;
pub mod image;
pub mod kernel;
pub mod list;
pub mod memory;
pub mod module;
pub mod newer;
pub mod queue;
pub mod result;
pub mod sampler;
pub mod structure_type;
pub mod sysman;
pub mod virtual_memory;
pub mod zex;

pub use common::*;
pub use context::*;
pub use device::*;
pub use driver::*;
pub use event::*;
pub use extensions::*;
pub use fence::*;
pub use image::*;
pub use kernel::*;
pub use list::*;
pub use memory::*;
pub use module::*;
pub use newer::*;
pub use queue::*;
pub use result::*;
pub use sampler::*;
pub use structure_type::*;
pub use sysman::*;
pub use virtual_memory::*;
pub use zex::*;
