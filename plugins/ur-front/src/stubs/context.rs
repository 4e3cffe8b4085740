//! Contexts.

use sycl_pi_backend::api::ContextNotify;

use super::prelude::*;
use crate::import;

#[entry]
pub unsafe extern "C" fn urContextCreate<B: Backend>(
    DeviceCount: u32, phDevices: *const ur_device_handle_t, pProperties: *const ur_context_properties_t,
    phContext: *mut ur_context_handle_t,
) -> Result<()> {
    // SAFETY: `phDevices` is null or has `DeviceCount` handles.
    let devices = unsafe { some_objects::<B::Device>(DeviceCount, phDevices, "phDevices")? };
    // SAFETY: `*phDevices` is null or a live handle.
    let origin = origin(unsafe { object::<B::Device>(*phDevices, "phDevices")? });
    // SAFETY: `pProperties` is null or points to what its type says.
    let flags = unsafe { pProperties.as_ref() }.map_or(0, |properties| properties.flags);
    known_flags(flags, !UR_CONTEXT_FLAGS_MASK, "pProperties->flags")?;
    let notify = ContextNotify { function: None, user_data: core::ptr::null_mut() };
    // SAFETY: `phContext` is null or writable.
    unsafe {
        put(phContext, "phContext", || {
            Ok(adopt(B::context_create(Properties::NONE, &devices, notify)?, origin))
        })
    }
}

#[entry]
pub unsafe extern "C" fn urContextRetain<B: Backend>(hContext: ur_context_handle_t) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    import::retain::<B>(unsafe { object::<B::Context>(hContext, "hContext")? })
}

#[entry]
pub unsafe extern "C" fn urContextRelease<B: Backend>(hContext: ur_context_handle_t) -> Result<()> {
    // SAFETY: the arguments are passed on under the same contract.
    unsafe { import::release::<B>(object::<B::Context>(hContext, "hContext")?) }
}

#[entry]
pub unsafe extern "C" fn urContextGetInfo<B: Backend>(
    hContext: ur_context_handle_t, propName: ur_context_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object(hContext, "hContext")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::context::<B>(context, propName, unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? })
}

#[entry]
pub unsafe extern "C" fn urContextGetNativeHandle<B: Backend>(
    hContext: ur_context_handle_t, phNativeContext: *mut ur_native_handle_t,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object(hContext, "hContext")? };
    // SAFETY: `phNativeContext` is null or writable.
    unsafe { put(phNativeContext, "phNativeContext", || B::context_native_handle(context)) }
}

#[entry]
pub unsafe extern "C" fn urContextCreateWithNativeHandle<B: Backend>(
    hNativeContext: ur_native_handle_t, hAdapter: ur_adapter_handle_t, numDevices: u32,
    phDevices: *const ur_device_handle_t, pProperties: *const ur_context_native_properties_t,
    phContext: *mut ur_context_handle_t,
) -> Result<()> {
    // SAFETY: `hAdapter` is null or a live handle.
    let origin = unsafe { adapter(hAdapter)? }.origin;
    // SAFETY: `phDevices` is null or has `numDevices` handles.
    let devices = unsafe { objects::<B::Device>(numDevices, phDevices, "phDevices")? };
    // SAFETY: `pProperties` is null or points to what its type says.
    let owned = unsafe { pProperties.as_ref() }.is_some_and(|properties| properties.isNativeHandleOwned != 0);
    // SAFETY: `phContext` is null or writable.
    unsafe {
        put(phContext, "phContext", || {
            let handle =
                adopt(B::context_create_with_native_handle(hNativeContext, &devices, owned)?, origin);
            if !owned {
                object::<B::Context>(handle, "phContext")?.kept().keep();
            }
            Ok(handle)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urContextSetExtendedDeleter<B: Backend>(
    hContext: ur_context_handle_t, pfnDeleter: ur_context_extended_deleter_t, pUserData: *mut c_void,
) -> Result<()> {
    // SAFETY: `hContext` is null or a live handle.
    let context = unsafe { object(hContext, "hContext")? };
    let deleter = pfnDeleter.ok_or_else(|| null_pointer("pfnDeleter"))?;
    B::context_set_extended_deleter(context, deleter, pUserData)
}
