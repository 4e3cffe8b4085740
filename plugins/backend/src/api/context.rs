//! Contexts.

use core::ffi::{c_char, c_void};

use crate::types::*;
use crate::{Info, New, Properties};

/// Called by a driver with an error message, binary details and their length, and the caller's data.
pub type ContextCallback = Option<
    unsafe extern "C" fn(
        errinfo: *const c_char,
        private_info: *const c_void,
        cb: usize,
        user_data: *mut c_void,
    ),
>;

/// A caller's callback for errors of a context, with its user data.
#[derive(Clone, Copy, Debug)]
pub struct ContextNotify {
    /// The function, if any.
    pub function: ContextCallback,
    /// Passed to the function.
    pub user_data: *mut c_void,
}

api! {
    /// Contexts.
    trait ContextApi {
        /// Creates a context with devices of one platform.
        #[doc(alias = "piContextCreate")]
        #[doc(alias = "urContextCreate")]
        fn context_create(properties: Properties<'_, isize>, devices: &[&Self::Device],
            notify: ContextNotify) -> New<Self::Context>;
        /// Returns the first of the context's devices.
        fn context_first_device(context: &Self::Context) -> &Self::Device;
        /// Answers queries for devices, their number, properties, reference count, and atomic and 2D capabilities.
        #[doc(alias = "piContextGetInfo")]
        #[doc(alias = "urContextGetInfo")]
        fn context_info(context: &Self::Context, name: ContextInfo, info: Info<'_>);
        /// Registers a function that is called once, before the context is freed.
        #[doc(alias = "piextContextSetExtendedDeleter")]
        #[doc(alias = "urContextSetExtendedDeleter")]
        fn context_set_extended_deleter(context: &Self::Context, deleter: unsafe extern "C" fn(*mut c_void),
            user_data: *mut c_void);
        /// Returns the driver's native handle.
        #[doc(alias = "piextContextGetNativeHandle")]
        #[doc(alias = "urContextGetNativeHandle")]
        fn context_native_handle(context: &Self::Context) -> NativeHandle;
        /// Creates a context from a native handle. If `owned`, the plugin takes over the caller's reference.
        #[doc(alias = "piextContextCreateWithNativeHandle")]
        #[doc(alias = "urContextCreateWithNativeHandle")]
        fn context_create_with_native_handle(native: NativeHandle, devices: &[&Self::Device], owned: bool)
            -> New<Self::Context>;
    }
}
