//! Devices, sub-devices, timers, and the selection of a device image.

use std::ffi::CStr;

use crate::types::*;

use crate::{Info, ListOut, New};

api! {
    /// Devices.
    trait DeviceApi {
        /// Writes the platform's devices of the given type. If no device matches, writes none and succeeds.
        #[doc(alias = "piDevicesGet")]
        #[doc(alias = "urDeviceGet")]
        fn devices(platform: &Self::Platform, device_type: DeviceType, out: ListOut<'_, Self::Device>);
        /// Answers every [`DeviceInfo`] query.
        #[doc(alias = "piDeviceGetInfo")]
        #[doc(alias = "urDeviceGetInfo")]
        fn device_info(device: &Self::Device, name: DeviceInfo, info: Info<'_>);
        /// Creates sub-devices. `properties` is one partition scheme with its values, terminated by 0 as the scheme
        /// requires.
        #[doc(alias = "piDevicePartition")]
        #[doc(alias = "urDevicePartition")]
        fn device_partition(device: &Self::Device, properties: &[isize],
            out: ListOut<'_, Self::Device>);
        /// Returns the index of the binary that suits the device best, or `ErrorCode::INVALID_BINARY` if none does.
        #[doc(alias = "piextDeviceSelectBinary")]
        #[doc(alias = "urDeviceSelectBinary")]
        fn device_select_binary(device: &Self::Device, targets: &[&CStr]) -> u32;
        /// Returns the driver's native handle.
        #[doc(alias = "piextDeviceGetNativeHandle")]
        #[doc(alias = "urDeviceGetNativeHandle")]
        fn device_native_handle(device: &Self::Device) -> NativeHandle;
        /// Creates a device from a native handle. If `owned`, it takes over the caller's reference, provided that the
        /// driver counts references.
        #[doc(alias = "piextDeviceCreateWithNativeHandle")]
        #[doc(alias = "urDeviceCreateWithNativeHandle")]
        fn device_create_with_native_handle(native: NativeHandle, platform: Option<&Self::Platform>, owned: bool)
            -> New<Self::Device>;
        /// Waits until the commands of all queues of the device are complete.
        #[doc(alias = "urDeviceWaitExp")]
        fn device_wait(device: &Self::Device);
        /// Reads both clocks in nanoseconds, as close together as the driver can. Each is optional.
        #[doc(alias = "piGetDeviceAndHostTimer")]
        #[doc(alias = "urDeviceGetGlobalTimestamps")]
        fn device_and_host_timer(device: &Self::Device, device_time: Option<&mut u64>, host_time: Option<&mut u64>);
    }
}
