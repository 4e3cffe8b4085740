//! Platforms.

use crate::types::*;

use crate::{Info, ListOut, New};

api! {
    /// Platforms: one per driver that is found.
    trait PlatformApi {
        /// Writes every platform; none, with success, where there is no driver.
        #[doc(alias = "piPlatformsGet")]
        #[doc(alias = "urPlatformGet")]
        fn platforms(out: ListOut<'_, Self::Platform>);
        /// Name, vendor, version, profile, extensions, backend.
        #[doc(alias = "piPlatformGetInfo")]
        #[doc(alias = "urPlatformGetInfo")]
        fn platform_info(platform: &Self::Platform, name: PlatformInfo, info: Info<'_>);
        /// The driver's own handle.
        #[doc(alias = "piextPlatformGetNativeHandle")]
        #[doc(alias = "urPlatformGetNativeHandle")]
        fn platform_native_handle(platform: &Self::Platform) -> NativeHandle;
        /// The platform of a driver's handle.
        #[doc(alias = "piextPlatformCreateWithNativeHandle")]
        #[doc(alias = "urPlatformCreateWithNativeHandle")]
        fn platform_create_with_native_handle(native: NativeHandle) -> New<Self::Platform>;
    }
}
