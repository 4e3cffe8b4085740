//! The C functions of the tables, generic over the backend. Each decodes raw arguments and makes one call to the
//! backend.
#![expect(unsafe_code, reason = "C functions: the caller vouches for its pointers")]

/// Declares the C functions of one object family.
macro_rules! stubs {
    ($($name:ident($($arg:ident: $ty:ty),* $(,)?) $body:expr;)*) => {
        use core::ffi::*;

        use sycl_pi_backend::types::*;
        use sycl_pi_backend::{Backend, Error, Object, Properties, fence};
        use sycl_pi_core::*;

        use crate::view::*;

        $(
            /// The C function of the same name.
            ///
            /// # Safety
            ///
            /// Pointers must be null or point to what their parameters name, with the length given by their counts.
            // A single copy serves the table and the exported symbol.
            #[inline(never)]
            pub unsafe extern "C" fn $name<B: Backend>($($arg: $ty),*) -> pi_result {
                crate::convert::result(fence::call(stringify!($name), crate::parameters::named, move || {
                    // SAFETY: the caller of a C function guarantees its pointers (see `view`).
                    unsafe { $body }
                }))
            }
        )*
    };
}

#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod bindless;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod command_buffer;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod context;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod device;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod enqueue;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod enqueue_image;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod event;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod kernel;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod mem;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod peer;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod platform;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod plugin;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod program;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod queue;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod sampler;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
mod symbol;
#[allow(clippy::too_many_arguments, unused_imports, unused_unsafe)]
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
