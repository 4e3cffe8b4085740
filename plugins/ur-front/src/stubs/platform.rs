//! Platforms.

use super::prelude::*;
use crate::connection::any_wrapping_origin;

stubs! {
    urPlatformGet(hAdapter: ur_adapter_handle_t, NumEntries: u32, phPlatforms: *mut ur_platform_handle_t,
        pNumPlatforms: *mut u32) {
        let origin = adapter(hAdapter)?.origin;
        list(NumEntries, phPlatforms, pNumPlatforms, "phPlatforms or pNumPlatforms", B::platforms, |raw| permanent::<B::Platform>(raw, origin))
    };

    urPlatformGet_until_2025_2(phAdapters: *mut ur_adapter_handle_t, NumAdapters: u32, NumEntries: u32, phPlatforms:
        *mut ur_platform_handle_t, pNumPlatforms: *mut u32) {
        if NumAdapters == 0 {
            return Err(error(UR_RESULT_ERROR_INVALID_SIZE, "NumAdapters is 0"));
        }
        let handle = *value(phAdapters, "phAdapters")?;
        // An intermediate loader passes its own wrapper of our handle here, which cannot be checked.
        let wrapped = |failure| if handle.is_null() { Err(failure) } else { any_wrapping_origin().ok_or(failure) };
        let origin = adapter(handle).map_or_else(wrapped, |adapter| Ok(adapter.origin))?;
        list(NumEntries, phPlatforms, pNumPlatforms, "phPlatforms or pNumPlatforms", B::platforms, |raw| permanent::<B::Platform>(raw, origin))
    };

    urPlatformGetInfo(hPlatform: ur_platform_handle_t, propName: ur_platform_info_t, propSize: usize, pPropValue: *mut
        c_void, pPropSizeRet: *mut usize) {
        let platform = object(hPlatform, "hPlatform")?;
        query::platform::<B>(platform, propName, Answer::new(propSize, pPropValue, pPropSizeRet)?)
    };

    urPlatformGetNativeHandle(hPlatform: ur_platform_handle_t, phNativePlatform: *mut ur_native_handle_t) {
        let platform = object(hPlatform, "hPlatform")?;
        put(phNativePlatform, "phNativePlatform", || B::platform_native_handle(platform))
    };

    urPlatformCreateWithNativeHandle(hNativePlatform: ur_native_handle_t, hAdapter: ur_adapter_handle_t, pProperties:
        *const ur_platform_native_properties_t, phPlatform: *mut ur_platform_handle_t) {
        let origin = adapter(hAdapter)?.origin;
        let _ = pProperties;
        put(phPlatform, "phPlatform",
            || Ok(permanent::<B::Platform>(B::platform_create_with_native_handle(hNativePlatform)?.into_raw(), origin)))
    };

    urPlatformGetApiVersion(hPlatform: ur_platform_handle_t, pVersion: *mut ur_api_version_t) {
        let platform = object::<B::Platform>(hPlatform, "hPlatform")?;
        put(pVersion, "pVersion", || Ok(origin(platform).layout.api_version()))
    };

    urPlatformGetBackendOption(hPlatform: ur_platform_handle_t, pFrontendOption: *const c_char, ppPlatformOption: *mut
        *const c_char) {
        let platform = object(hPlatform, "hPlatform")?;
        let option = c_str(pFrontendOption, "pFrontendOption")?;
        put(ppPlatformOption, "ppPlatformOption", || Ok(B::backend_option(platform, option)?.as_ptr()))
    };
}
