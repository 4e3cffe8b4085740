//! Contexts.

use core::ffi::c_void;

use sycl_pi_core::*;

use crate::view::Properties;
use crate::{Info, New};

/// A caller's callback for errors of a context, with its data.
#[derive(Clone, Copy)]
pub struct ContextNotify {
    /// The function, if any.
    pub function: pi_context_notify,
    /// Handed to the function.
    pub user_data: *mut c_void,
}

api! {
    /// Contexts.
    trait ContextApi {
        /// A context over devices of one platform.
        fn piContextCreate(properties: Properties<'_, pi_context_properties>, devices: &[&Self::Device],
            notify: ContextNotify) -> New<Self::Context>;
        /// Devices, their number, properties, reference count, atomic and 2D capabilities.
        fn piContextGetInfo(context: &Self::Context, name: pi_context_info, info: Info<'_>);
        /// One reference more.
        fn piContextRetain(context: &Self::Context);
        /// One reference less; the last one frees.
        fn piContextRelease(context: &Self::Context);
        /// A function to call once, before the context goes.
        fn piextContextSetExtendedDeleter(context: &Self::Context, deleter: unsafe extern "C" fn(*mut c_void),
            user_data: *mut c_void);
        /// The driver's own handle.
        fn piextContextGetNativeHandle(context: &Self::Context) -> pi_native_handle;
        /// The context of a driver's handle. `owned`: the plugin takes over the caller's reference.
        fn piextContextCreateWithNativeHandle(native: pi_native_handle, devices: &[&Self::Device], owned: bool)
            -> New<Self::Context>;
    }
}

stubs! {
    piContextCreate(properties: *const pi_context_properties, num_devices: pi_uint32, devices: *const pi_device,
        pfn_notify: pi_context_notify, user_data: *mut c_void, ret_context: *mut pi_context) {
        let devices = some_objects(num_devices, devices, "devices")?;
        let list = properties_list(properties)?;
        let notify = ContextNotify { function: pfn_notify, user_data };
        create(ret_context, "ret_context", || B::piContextCreate(list, devices, notify))
    };

    piContextGetInfo(context: pi_context, param_name: pi_context_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: *mut usize) => jump, {
        let context = object(context, "context")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piContextGetInfo(context, param_name, info))
    };

    piContextRetain(context: pi_context) => jump, B::piContextRetain(object(context, "context")?);

    piContextRelease(context: pi_context) => jump, B::piContextRelease(object(context, "context")?);

    piextContextSetExtendedDeleter(context: pi_context, func: pi_context_extended_deleter, user_data: *mut c_void) {
        let context = object(context, "context")?;
        let func = func.ok_or_else(|| Error::invalid_value("func is null"))?;
        B::piextContextSetExtendedDeleter(context, func, user_data)
    };

    piextContextGetNativeHandle(context: pi_context, native_handle: *mut pi_native_handle) {
        let context = object(context, "context")?;
        put(native_handle, "nativeHandle", || B::piextContextGetNativeHandle(context))
    };

    piextContextCreateWithNativeHandle(native_handle: pi_native_handle, num_devices: pi_uint32,
        devices: *const pi_device, plugin_owns_native_handle: pi_cxx_bool, context: *mut pi_context) {
        let devices = objects(num_devices, devices, "devices")?;
        create(context, "context",
            || B::piextContextCreateWithNativeHandle(native_handle, devices, plugin_owns_native_handle != 0))
    };
}
