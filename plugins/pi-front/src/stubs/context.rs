//! Contexts.

use sycl_pi_backend::api::ContextNotify;

stubs! {
    piContextCreate(properties: *const pi_context_properties, num_devices: pi_uint32, devices: *const pi_device,
        pfn_notify: pi_context_notify, user_data: *mut c_void, ret_context: *mut pi_context) {
        let devices = some_objects(num_devices, devices, "devices")?;
        let list = Properties::read(properties)?;
        let notify = ContextNotify { function: pfn_notify, user_data };
        create(ret_context, "ret_context", || B::context_create(list, devices, notify))
    };

    piContextGetInfo(context: pi_context, param_name: pi_context_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: *mut usize)  {
        let context = object(context, "context")?;
        answer(param_value_size, param_value, param_value_size_ret,
            |info| B::context_info(context, ContextInfo(param_name), info))
    };

    piContextRetain(context: pi_context) object::<B::Context>(context, "context")?.retain();

    piContextRelease(context: pi_context) object::<B::Context>(context, "context")?.release();

    piextContextSetExtendedDeleter(context: pi_context, func: pi_context_extended_deleter, user_data: *mut c_void) {
        let context = object(context, "context")?;
        let func = func.ok_or_else(|| Error::invalid_value("func is null"))?;
        B::context_set_extended_deleter(context, func, user_data)
    };

    piextContextGetNativeHandle(context: pi_context, native_handle: *mut pi_native_handle) {
        let context = object(context, "context")?;
        put(native_handle, "nativeHandle", || B::context_native_handle(context))
    };

    piextContextCreateWithNativeHandle(native_handle: pi_native_handle, num_devices: pi_uint32,
        devices: *const pi_device, plugin_owns_native_handle: pi_cxx_bool, context: *mut pi_context) {
        let devices = objects(num_devices, devices, "devices")?;
        create(context, "context",
            || B::context_create_with_native_handle(native_handle, devices, plugin_owns_native_handle != 0))
    };
}
