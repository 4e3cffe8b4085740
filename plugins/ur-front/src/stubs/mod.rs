//! The C functions of the tables, generic over the backend. Each decodes raw arguments and makes one call to the
//! backend.
#![expect(unsafe_code, reason = "C functions: the caller vouches for its pointers")]

/// Declares the C functions of one object family.
macro_rules! stubs {
    ($($name:ident($($arg:ident: $ty:ty),* $(,)?) $body:expr;)*) => {
        $(
            /// The C function of the same name.
            ///
            /// # Safety
            ///
            /// Pointers must be null or point to what their parameters name, with the length given by their counts.
            pub unsafe extern "C" fn $name<B: Backend>($($arg: $ty),*) -> ur_result_t {
                convert::result_in_call(stringify!($name), fence::call(stringify!($name), crate::parameters::named, move || {
                    // SAFETY: the caller of a C function guarantees its pointers (see `view`).
                    unsafe { $body }
                }))
            }
        )*
    };
}

/// Declares the C functions that no backend supports. They return `UR_RESULT_ERROR_UNSUPPORTED_FEATURE`.
macro_rules! absent {
    ($($name:ident($($arg:ident: $ty:ty),* $(,)?);)*) => {
        $(
            /// The C function of the same name, which no backend supports.
            ///
            /// # Safety
            ///
            /// None: the arguments are not read.
            pub unsafe extern "C" fn $name<B: Backend>($(_: $ty),*) -> ur_result_t {
                convert::result(fence::call(stringify!($name), crate::parameters::named, || {
                    Err(Error::unsupported(format!("the {} backend has no such function", B::BACKEND)))
                }))
            }
        )*
    };
}

/// Declares the functions of 2025.0 that record a command. They differ from those of later layouts in that they take no
/// events and no command handle.
macro_rules! without_events {
    ($($old:ident($($arg:ident: $ty:ty),* $(,)?) => $new:ident($($own:ident),*);)*) => {
        $(
            /// The C function of the same name.
            ///
            /// # Safety
            ///
            /// Pointers must be null or point to what their parameters name, with the length given by their counts.
            pub unsafe extern "C" fn $old<B: Backend>($($arg: $ty),*) -> ur_result_t {
                // SAFETY: guaranteed by the caller; the parameters that this function lacks are null.
                unsafe { without_events!(@call $new::<B> [$($own),*] $($arg)*) }
            }
        )*
    };
    (@call $new:ident::<$b:ident> [$($own:ident),*] $first:ident $second:ident $third:ident) => {
        $new::<$b>($($own,)* $first, $second, 0, core::ptr::null(), $third, core::ptr::null_mut(), core::ptr::null_mut())
    };
    (@call $new:ident::<$b:ident> [$($own:ident),*] $skipped:ident $($rest:ident)+) => {
        without_events!(@call $new::<$b> [$($own),*] $($rest)+)
    };
}

/// Items that the stubs of all families use.
mod prelude {
    pub(super) use std::ffi::*;

    pub(super) use sycl_pi_backend::types::*;
    pub(super) use sycl_pi_backend::{Backend, Error, New, Properties, Result, fence};
    pub(super) use sycl_ur_core::*;

    pub(super) use crate::adapter::adapter;
    pub(super) use crate::capture::check_runs;
    pub(super) use crate::capture::recorded::ToRecord;
    pub(super) use crate::convert::{self, error};
    pub(super) use crate::encode::Encode;
    pub(super) use crate::enqueue::{enqueue, enqueue_or_record};
    pub(super) use crate::handle::{ByCaller, adopt, adopt_child, known_or_adopted, origin, permanent};
    pub(super) use crate::info::{Answer, unknown_query};
    pub(super) use crate::query;
    pub(super) use crate::view::*;
}

macro_rules! families {
    ($($family:ident)*) => { $(
        #[allow(
            clippy::too_many_arguments,
            unused_imports,
            unused_unsafe,
            reason = "the signatures are UR's, the macro's block is unsafe once more, and families use different parts of the prelude"
        )]
        mod $family;
        pub use $family::*;
    )* };
}

families! {
    adapter platform device context queue mem image program kernel kernel_suggest event sampler physical_mem virtual_mem symbol peer ipc ipc_physical_mem ipc_event
    memory_export tensor_map enqueue enqueue_host usm usm_pool usm_async bindless interop command_buffer command_buffer_kernel command_buffer_mem command_buffer_usm command_buffer_update graph
}
