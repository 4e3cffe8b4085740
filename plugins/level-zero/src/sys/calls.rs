//! Safe wrappers of the driver's calls for the rest of the backend. See the contract in `sys`.

use std::ffi::{c_char, c_uint, c_void};

use level_zero_sys::*;
use sycl_pi_backend::Result;

use super::error::error_of;

/// The calls of the Level Zero loader.
#[derive(Clone, Copy)]
pub(crate) struct Ze(&'static level_zero_sys::Ze);

/// Returns the calls, or an error if there is no loader.
pub(crate) fn ze() -> Result<Ze> {
    level_zero_sys::ze().map(Ze).map_err(error_of)
}

/// Declares one call. For some calls, the result matters to the caller: "not ready" is not an error, a failed build has
/// a log, and older drivers lack a function.
macro_rules! call {
    (zeEventHostSynchronize $($rest:tt)*) => { asked! { zeEventHostSynchronize $($rest)* } };
    (zeEventQueryStatus $($rest:tt)*) => { asked! { zeEventQueryStatus $($rest)* } };
    (zeEventQueryKernelTimestamp $($rest:tt)*) => { asked! { zeEventQueryKernelTimestamp $($rest)* } };
    (zeModuleCreate $($rest:tt)*) => { asked! { zeModuleCreate $($rest)* } };
    (zeMemPutIpcHandle $($rest:tt)*) => { asked! { zeMemPutIpcHandle $($rest)* } };
    (zeModuleDynamicLink $($rest:tt)*) => { asked! { zeModuleDynamicLink $($rest)* } };
    ($name:ident ($($arg:ident: $ty:ty),*)) => {
        pub(crate) fn $name(self, $($arg: $ty),*) -> Result<()> {
            // SAFETY: the handles are live and the memory is valid for the parameters, by the contract of `sys`.
            unsafe { self.0.$name($($arg),*) }.map_err(error_of)
        }
    };
}

macro_rules! asked {
    ($name:ident ($($arg:ident: $ty:ty),*)) => {
        pub(crate) fn $name(self, $($arg: $ty),*) -> Result<(), ZeError> {
            // SAFETY: the handles are live and the memory is valid for the parameters, by the contract of `sys`.
            unsafe { self.0.$name($($arg),*) }
        }
    };
}

macro_rules! calls {
    ($($(#[$doc:meta])* unsafe fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> ze_result_t;)*) => {
        #[allow(clippy::too_many_arguments, non_snake_case)]
        #[allow(dead_code, reason = "tests and benchmarks call some through the table")]
        impl Ze {
            $(call! { $name ($($arg: $ty),*) })*
        }
    };
}

level_zero_sys::for_each_function!(calls);
