//! The C functions of the tables, generic over the backend. Each decodes raw arguments and makes one call to the
//! backend.
#![expect(unsafe_code, reason = "C functions: the caller vouches for its pointers")]
#![allow(
    clippy::too_many_arguments,
    unused_imports,
    reason = "the signatures are PI's, and families use different parts of the prelude"
)]

mod bindless;
mod command_buffer;
mod context;
mod device;
mod enqueue;
mod enqueue_image;
mod event;
mod kernel;
mod mem;
mod peer;
mod platform;
mod plugin;
mod prelude;
mod program;
mod queue;
mod sampler;
mod symbol;
mod usm;

pub use bindless::*;
pub use command_buffer::*;
pub use context::*;
pub use device::*;
pub use enqueue::*;
pub use enqueue_image::*;
pub use event::*;
pub use kernel::*;
pub use mem::*;
pub use peer::*;
pub use platform::*;
pub use plugin::*;
pub use program::*;
pub use queue::*;
pub use sampler::*;
pub use symbol::*;
pub use usm::*;

/// Returns the older forms that the list does not name because they have the same signature.
pub fn older_forms<B: sycl_pi_backend::Backend>() -> [crate::init::OlderForm; 1] {
    let function = piEventGetInfo_until_12_27::<B>;
    [crate::init::OlderForm {
        name: "piEventGetInfo",
        until: sycl_pi_core::Version::V12_27,
        function: function as *const core::ffi::c_void,
    }]
}
