//! Platforms.

use crate::types::*;

use crate::{Info, ListOut, New};

api! {
    /// Platforms: one per driver that is found.
    trait PlatformApi {
        /// Writes every platform; none, with success, where there is no driver.
        #[doc(alias = "piPlatformsGet")]
        fn platforms(out: ListOut<'_, Self::Platform>);
        /// Name, vendor, version, profile, extensions, backend.
        #[doc(alias = "piPlatformGetInfo")]
        fn platform_info(platform: &Self::Platform, name: PlatformInfo, info: Info<'_>);
        /// The driver's own handle.
        #[doc(alias = "piextPlatformGetNativeHandle")]
        fn platform_native_handle(platform: &Self::Platform) -> NativeHandle;
        /// The platform of a driver's handle.
        #[doc(alias = "piextPlatformCreateWithNativeHandle")]
        fn platform_create_with_native_handle(native: NativeHandle) -> New<Self::Platform>;
    }
}
