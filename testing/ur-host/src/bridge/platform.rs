//! Platforms.

use std::ffi::c_void;

use sycl_pi_core::*;
use sycl_ur_core::*;

use crate::Layout;

use super::answer::{NEITHER, answer};
use super::stubs::stubs;

fn info(name: pi_platform_info) -> u32 {
    match name {
        PI_PLATFORM_INFO_NAME => UR_PLATFORM_INFO_NAME,
        PI_PLATFORM_INFO_VENDOR => UR_PLATFORM_INFO_VENDOR_NAME,
        PI_PLATFORM_INFO_VERSION => UR_PLATFORM_INFO_VERSION,
        PI_PLATFORM_INFO_EXTENSIONS => UR_PLATFORM_INFO_EXTENSIONS,
        PI_PLATFORM_INFO_PROFILE => UR_PLATFORM_INFO_PROFILE,
        PI_EXT_PLATFORM_INFO_BACKEND => UR_PLATFORM_INFO_BACKEND,
        _ => NEITHER,
    }
}

stubs! { ur;
    fn piPlatformsGet(num_entries: pi_uint32, platforms: *mut pi_platform, num_platforms: *mut pi_uint32) [] {
        match ur.adapter() {
            Ok(mut adapter) if ur.layout() <= Layout::V2025_2 => ur.calls.urPlatformGet_until_2025_2(
                &mut adapter, 1, num_entries, platforms.cast(), num_platforms),
            Ok(adapter) => ur.calls.urPlatformGet(adapter, num_entries, platforms.cast(), num_platforms),
            // An adapter without its driver reports that there are no adapters.
            Err(UR_RESULT_SUCCESS) if !num_platforms.is_null() => {
                num_platforms.write(0);
                UR_RESULT_SUCCESS
            }
            Err(code) => code,
        }
    }
    fn piPlatformGetInfo(platform: pi_platform, param_name: pi_platform_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [platform PI_ERROR_INVALID_PLATFORM]
    {
        // The numbers of the backends are the same except the last.
        answer(param_value_size, param_value, param_value_size_ret, None, |size, value, reported| {
            ur.calls.urPlatformGetInfo(platform.cast(), info(param_name), size, value, reported)
        })
    }
    fn piextPlatformGetNativeHandle(platform: pi_platform, nativeHandle: *mut pi_native_handle)
        [platform PI_ERROR_INVALID_PLATFORM]
    {
        ur.calls.urPlatformGetNativeHandle(platform.cast(), nativeHandle)
    }
    fn piextPlatformCreateWithNativeHandle(nativeHandle: pi_native_handle, platform: *mut pi_platform) [] {
        match ur.adapter() {
            Ok(adapter) => ur.calls.urPlatformCreateWithNativeHandle(
                nativeHandle, adapter, std::ptr::null(), platform.cast()),
            Err(code) => code,
        }
    }
}
