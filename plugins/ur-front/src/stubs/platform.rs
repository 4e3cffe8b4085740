//! Platforms.

use super::prelude::*;
use crate::connection::any_wrapping_origin;

#[entry]
pub unsafe extern "C" fn urPlatformGet<B: Backend>(
    hAdapter: ur_adapter_handle_t, NumEntries: u32, phPlatforms: *mut ur_platform_handle_t,
    pNumPlatforms: *mut u32,
) -> Result<()> {
    // SAFETY: `hAdapter` is null or a live handle.
    let origin = unsafe { adapter(hAdapter)? }.origin;
    // SAFETY: the list has room for as many entries as the caller states.
    unsafe {
        list(NumEntries, phPlatforms, pNumPlatforms, "phPlatforms or pNumPlatforms", B::platforms, |raw| {
            permanent::<B::Platform>(raw, origin)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urPlatformGet_until_2025_2<B: Backend>(
    phAdapters: *mut ur_adapter_handle_t, NumAdapters: u32, NumEntries: u32,
    phPlatforms: *mut ur_platform_handle_t, pNumPlatforms: *mut u32,
) -> Result<()> {
    if NumAdapters == 0 {
        return Err(error(UR_RESULT_ERROR_INVALID_SIZE, "NumAdapters is 0"));
    }
    // SAFETY: `phAdapters` is null or what its type says.
    let handle = *unsafe { value(phAdapters, "phAdapters")? };
    // An intermediate loader passes its own wrapper of our handle here, which cannot be checked.
    let wrapped =
        |failure| if handle.is_null() { Err(failure) } else { any_wrapping_origin().ok_or(failure) };
    // SAFETY: `handle` is null or a live handle.
    let origin = unsafe { adapter(handle) }.map_or_else(wrapped, |adapter| Ok(adapter.origin))?;
    // SAFETY: the list has room for as many entries as the caller states.
    unsafe {
        list(NumEntries, phPlatforms, pNumPlatforms, "phPlatforms or pNumPlatforms", B::platforms, |raw| {
            permanent::<B::Platform>(raw, origin)
        })
    }
}

#[entry]
pub unsafe extern "C" fn urPlatformGetInfo<B: Backend>(
    hPlatform: ur_platform_handle_t, propName: ur_platform_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hPlatform` is null or a live handle.
    let platform = unsafe { object(hPlatform, "hPlatform")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    query::platform::<B>(platform, propName, unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? })
}

#[entry]
pub unsafe extern "C" fn urPlatformGetNativeHandle<B: Backend>(
    hPlatform: ur_platform_handle_t, phNativePlatform: *mut ur_native_handle_t,
) -> Result<()> {
    // SAFETY: `hPlatform` is null or a live handle.
    let platform = unsafe { object(hPlatform, "hPlatform")? };
    // SAFETY: `phNativePlatform` is null or writable.
    unsafe { put(phNativePlatform, "phNativePlatform", || B::platform_native_handle(platform)) }
}

#[entry]
pub unsafe extern "C" fn urPlatformCreateWithNativeHandle<B: Backend>(
    hNativePlatform: ur_native_handle_t, hAdapter: ur_adapter_handle_t,
    pProperties: *const ur_platform_native_properties_t, phPlatform: *mut ur_platform_handle_t,
) -> Result<()> {
    // SAFETY: `hAdapter` is null or a live handle.
    let origin = unsafe { adapter(hAdapter)? }.origin;
    let _ = pProperties;
    // SAFETY: `phPlatform` is null or writable.
    unsafe {
        put(phPlatform, "phPlatform", || {
            Ok(permanent::<B::Platform>(
                B::platform_create_with_native_handle(hNativePlatform)?.into_raw(),
                origin,
            ))
        })
    }
}

#[entry]
pub unsafe extern "C" fn urPlatformGetApiVersion<B: Backend>(
    hPlatform: ur_platform_handle_t, pVersion: *mut ur_api_version_t,
) -> Result<()> {
    // SAFETY: `hPlatform` is null or a live handle.
    let platform = unsafe { object::<B::Platform>(hPlatform, "hPlatform")? };
    // SAFETY: `pVersion` is null or writable.
    unsafe { put(pVersion, "pVersion", || Ok(origin(platform).layout.api_version())) }
}

#[entry]
pub unsafe extern "C" fn urPlatformGetBackendOption<B: Backend>(
    hPlatform: ur_platform_handle_t, pFrontendOption: *const c_char, ppPlatformOption: *mut *const c_char,
) -> Result<()> {
    // SAFETY: `hPlatform` is null or a live handle.
    let platform = unsafe { object(hPlatform, "hPlatform")? };
    // SAFETY: `pFrontendOption` is null or what its type says.
    let option = unsafe { c_str(pFrontendOption, "pFrontendOption")? };
    // SAFETY: `ppPlatformOption` is null or writable.
    unsafe { put(ppPlatformOption, "ppPlatformOption", || Ok(B::backend_option(platform, option)?.as_ptr())) }
}
