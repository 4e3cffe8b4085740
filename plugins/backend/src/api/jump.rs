//! Entry points that are a jump to the driver.
//!
//! Where PI's arguments and codes are those of one function of the driver, and nothing is left to check or to do after it, an
//! entry point can be a jump: no frame, nothing to come back to. What the driver refuses then has a code and no text. So
//! there are jumps only until somebody asks for a text (`piPluginGetLastError`) or has the log at "debug"; runtimes do neither.

use core::ffi::{c_char, c_int, c_uint, c_void};

use sycl_pi_core::*;

/// The way of a call.
///
/// Not an `Option`, which would have a null address for no way: what is known by a branch would be asked of the address again.
#[repr(u8)]
pub enum Way<F> {
    /// To that function, which has to be called.
    Jump(F),
    /// Through the plugin.
    Longer,
}

macro_rules! declare {
    (() $([$family:ident] $name:ident $slots:tt ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))?;)*) => {
        /// For each entry point the way to the driver's own function, if these arguments may go to it as they are.
        #[allow(clippy::too_many_arguments, clippy::type_complexity, missing_docs, non_snake_case, unused_variables)]
        pub trait Jump {
            /// There are no jumps any more: somebody asks for texts.
            #[inline(always)]
            fn stop() {}
            #[inline(always)]
            fn piEventGetInfo_until_12_27(
                event: pi_event, param_name: pi_event_info, param_value_size: usize, param_value: *mut c_void,
                param_value_size_ret: *mut usize
            ) -> Way<unsafe extern "C" fn(pi_event, pi_event_info, usize, *mut c_void, *mut usize) -> pi_result> {
                Way::Longer
            }
            $(
                #[inline(always)]
                fn $name($($arg: $ty),*) -> Way<unsafe extern "C" fn($($ty),*) -> pi_result> {
                    Way::Longer
                }
            )*
        }
    };
}

sycl_pi_core::for_each_entry_point!(declare);

/// No entry point is one.
impl Jump for () {}
