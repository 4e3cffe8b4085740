//! Platforms.

stubs! {
    piPlatformsGet(num_entries: pi_uint32, platforms: *mut pi_platform, num_platforms: *mut pi_uint32)
        B::platforms(list_out(num_entries, platforms, num_platforms, "num_entries")?);

    piPlatformGetInfo(platform: pi_platform, param_name: pi_platform_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: *mut usize) {
        let platform = object(platform, "platform")?;
        answer(param_value_size, param_value, param_value_size_ret,
            |info| B::platform_info(platform, PlatformInfo(param_name), info))
    };

    piextPlatformGetNativeHandle(platform: pi_platform, native_handle: *mut pi_native_handle) {
        let platform = object(platform, "platform")?;
        put(native_handle, "nativeHandle", || B::platform_native_handle(platform))
    };

    piextPlatformCreateWithNativeHandle(native_handle: pi_native_handle, platform: *mut pi_platform)
        create(platform, "platform", || B::platform_create_with_native_handle(native_handle));
}
