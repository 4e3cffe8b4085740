//! Contexts.

use sycl_pi_backend::api::ContextNotify;

use super::prelude::*;
use crate::import;

stubs! {
    urContextCreate(DeviceCount: u32, phDevices: *const ur_device_handle_t, pProperties: *const
        ur_context_properties_t, phContext: *mut ur_context_handle_t) {
        let devices = some_objects::<B::Device>(DeviceCount, phDevices, "phDevices")?;
        let origin = origin(object::<B::Device>(*phDevices, "phDevices")?);
        let flags = pProperties.as_ref().map_or(0, |properties| properties.flags);
        known_flags(flags, !UR_CONTEXT_FLAGS_MASK, "pProperties->flags")?;
        let notify = ContextNotify { function: None, user_data: core::ptr::null_mut() };
        put(phContext, "phContext", || Ok(adopt(B::context_create(Properties::NONE, &devices, notify)?, origin)))
    };

    urContextRetain(hContext: ur_context_handle_t)
        import::retain::<B>(object::<B::Context>(hContext, "hContext")?);

    urContextRelease(hContext: ur_context_handle_t)
        import::release::<B>(object::<B::Context>(hContext, "hContext")?);

    urContextGetInfo(hContext: ur_context_handle_t, propName: ur_context_info_t, propSize: usize, pPropValue: *mut
        c_void, pPropSizeRet: *mut usize) {
        let context = object(hContext, "hContext")?;
        query::context::<B>(context, propName, Answer::new(propSize, pPropValue, pPropSizeRet)?)
    };

    urContextGetNativeHandle(hContext: ur_context_handle_t, phNativeContext: *mut ur_native_handle_t) {
        let context = object(hContext, "hContext")?;
        put(phNativeContext, "phNativeContext", || B::context_native_handle(context))
    };

    urContextCreateWithNativeHandle(hNativeContext: ur_native_handle_t, hAdapter: ur_adapter_handle_t, numDevices:
        u32, phDevices: *const ur_device_handle_t, pProperties: *const ur_context_native_properties_t, phContext: *mut
        ur_context_handle_t) {
        let origin = adapter(hAdapter)?.origin;
        let devices = objects::<B::Device>(numDevices, phDevices, "phDevices")?;
        let owned = pProperties.as_ref().is_some_and(|properties| properties.isNativeHandleOwned != 0);
        put(phContext, "phContext", || {
            let handle = adopt(B::context_create_with_native_handle(hNativeContext, &devices, owned)?, origin);
            if !owned {
                object::<B::Context>(handle, "phContext")?.kept().keep();
            }
            Ok(handle)
        })
    };

    urContextSetExtendedDeleter(hContext: ur_context_handle_t, pfnDeleter: ur_context_extended_deleter_t, pUserData:
        *mut c_void) {
        let context = object(hContext, "hContext")?;
        let deleter = pfnDeleter.ok_or_else(|| null_pointer("pfnDeleter"))?;
        B::context_set_extended_deleter(context, deleter, pUserData)
    };
}
