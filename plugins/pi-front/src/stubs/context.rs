//! Contexts.

use super::prelude::*;
use sycl_pi_backend::api::ContextNotify;

#[entry]
pub unsafe extern "C" fn piContextCreate<B: Backend>(
    properties: *const pi_context_properties, num_devices: pi_uint32, devices: *const pi_device,
    pfn_notify: pi_context_notify, user_data: *mut c_void, ret_context: *mut pi_context,
) -> Result<()> {
    // SAFETY: `devices` is null or has `num_devices` handles.
    let devices = unsafe { some_objects(num_devices, devices, "devices")? };
    // SAFETY: `properties` is null or a list that ends with a zero.
    let list = unsafe { Properties::read(properties)? };
    let notify = ContextNotify { function: pfn_notify, user_data };
    // SAFETY: `ret_context` is null or writable.
    unsafe { create(ret_context, "ret_context", || B::context_create(list, devices, notify)) }
}

#[entry]
pub unsafe extern "C" fn piContextGetInfo<B: Backend>(
    context: pi_context, param_name: pi_context_info, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::context_info(context, ContextInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piContextRetain<B: Backend>(context: pi_context) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    unsafe { object::<B::Context>(context, "context")? }.retain()
}

#[entry]
pub unsafe extern "C" fn piContextRelease<B: Backend>(context: pi_context) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    unsafe { object::<B::Context>(context, "context")?.release() }
}

#[entry]
pub unsafe extern "C" fn piextContextSetExtendedDeleter<B: Backend>(
    context: pi_context, func: pi_context_extended_deleter, user_data: *mut c_void,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    let func = func.ok_or_else(|| Error::invalid_value("func is null"))?;
    B::context_set_extended_deleter(context, func, user_data)
}

#[entry]
pub unsafe extern "C" fn piextContextGetNativeHandle<B: Backend>(
    context: pi_context, native_handle: *mut pi_native_handle,
) -> Result<()> {
    // SAFETY: `context` is null or a live handle.
    let context = unsafe { object(context, "context")? };
    // SAFETY: `native_handle` is null or writable.
    unsafe { put(native_handle, "nativeHandle", || B::context_native_handle(context)) }
}

#[entry]
pub unsafe extern "C" fn piextContextCreateWithNativeHandle<B: Backend>(
    native_handle: pi_native_handle, num_devices: pi_uint32, devices: *const pi_device,
    plugin_owns_native_handle: pi_cxx_bool, context: *mut pi_context,
) -> Result<()> {
    // SAFETY: `devices` is null or has `num_devices` handles.
    let devices = unsafe { objects(num_devices, devices, "devices")? };
    // SAFETY: `context` is null or writable.
    unsafe {
        create(context, "context", || {
            B::context_create_with_native_handle(native_handle, devices, plugin_owns_native_handle != 0)
        })
    }
}
