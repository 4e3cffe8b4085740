//! Platforms.

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn piPlatformsGet<B: Backend>(
    num_entries: pi_uint32, platforms: *mut pi_platform, num_platforms: *mut pi_uint32,
) -> Result<()> {
    // SAFETY: the list has room for as many entries as the caller states.
    B::platforms(unsafe { list_out(num_entries, platforms, num_platforms, "num_entries")? })
}

#[entry]
pub unsafe extern "C" fn piPlatformGetInfo<B: Backend>(
    platform: pi_platform, param_name: pi_platform_info, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `platform` is null or a live handle.
    let platform = unsafe { object(platform, "platform")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::platform_info(platform, PlatformInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piextPlatformGetNativeHandle<B: Backend>(
    platform: pi_platform, native_handle: *mut pi_native_handle,
) -> Result<()> {
    // SAFETY: `platform` is null or a live handle.
    let platform = unsafe { object(platform, "platform")? };
    // SAFETY: `native_handle` is null or writable.
    unsafe { put(native_handle, "nativeHandle", || B::platform_native_handle(platform)) }
}

#[entry]
pub unsafe extern "C" fn piextPlatformCreateWithNativeHandle<B: Backend>(
    native_handle: pi_native_handle, platform: *mut pi_platform,
) -> Result<()> {
    // SAFETY: `platform` is null or writable.
    unsafe { create(platform, "platform", || B::platform_create_with_native_handle(native_handle)) }
}
