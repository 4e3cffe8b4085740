//! Platforms.

use sycl_pi_core::*;

use crate::{Info, ListOut, New};

api! {
    /// Platforms: one per driver that is found.
    trait PlatformApi {
        /// Writes every platform; none, with success, where there is no driver.
        fn piPlatformsGet(out: ListOut<'_, Self::Platform>);
        /// Name, vendor, version, profile, extensions, backend.
        fn piPlatformGetInfo(platform: &Self::Platform, name: pi_platform_info, info: Info<'_>);
        /// The driver's own handle.
        fn piextPlatformGetNativeHandle(platform: &Self::Platform) -> pi_native_handle;
        /// The platform of a driver's handle.
        fn piextPlatformCreateWithNativeHandle(native: pi_native_handle) -> New<Self::Platform>;
    }
}

stubs! {
    piPlatformsGet(num_entries: pi_uint32, platforms: *mut pi_platform, num_platforms: *mut pi_uint32)
        B::piPlatformsGet(ListOut::new(num_entries, platforms, num_platforms)?);

    piPlatformGetInfo(platform: pi_platform, param_name: pi_platform_info, param_value_size: usize,
        param_value: *mut c_void, param_value_size_ret: *mut usize) {
        let platform = object(platform, "platform")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piPlatformGetInfo(platform, param_name, info))
    };

    piextPlatformGetNativeHandle(platform: pi_platform, native_handle: *mut pi_native_handle) {
        let platform = object(platform, "platform")?;
        put(native_handle, "nativeHandle", || B::piextPlatformGetNativeHandle(platform))
    };

    piextPlatformCreateWithNativeHandle(native_handle: pi_native_handle, platform: *mut pi_platform)
        create(platform, "platform", || B::piextPlatformCreateWithNativeHandle(native_handle));
}
