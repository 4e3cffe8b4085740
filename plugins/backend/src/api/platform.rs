//! Platforms.

use crate::types::*;

use crate::{Info, ListOut, New};

api! {
    /// There is one platform for each driver found.
    trait PlatformApi {
        /// Writes every platform. Without any driver, writes none and succeeds.
        #[doc(alias = "piPlatformsGet")]
        #[doc(alias = "urPlatformGet")]
        fn platforms(out: ListOut<'_, Self::Platform>);
        /// Answers queries for name, vendor, version, profile, extensions and backend.
        #[doc(alias = "piPlatformGetInfo")]
        #[doc(alias = "urPlatformGetInfo")]
        fn platform_info(platform: &Self::Platform, name: PlatformInfo, info: Info<'_>);
        /// Returns the driver's native handle.
        #[doc(alias = "piextPlatformGetNativeHandle")]
        #[doc(alias = "urPlatformGetNativeHandle")]
        fn platform_native_handle(platform: &Self::Platform) -> NativeHandle;
        /// Creates a platform from a native handle.
        #[doc(alias = "piextPlatformCreateWithNativeHandle")]
        #[doc(alias = "urPlatformCreateWithNativeHandle")]
        fn platform_create_with_native_handle(native: NativeHandle) -> New<Self::Platform>;
    }
}
