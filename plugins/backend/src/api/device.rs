//! Devices, sub-devices, timers, the choice among device images.

use std::ffi::CStr;

use crate::types::*;

use crate::{Info, ListOut, New};

api! {
    /// Devices.
    trait DeviceApi {
        /// Writes the platform's devices of that type; none, with success, where no device fits.
        #[doc(alias = "piDevicesGet")]
        #[doc(alias = "urDeviceGet")]
        fn devices(platform: &Self::Platform, device_type: DeviceType, out: ListOut<'_, Self::Device>);
        /// Every [`DeviceInfo`].
        #[doc(alias = "piDeviceGetInfo")]
        #[doc(alias = "urDeviceGetInfo")]
        fn device_info(device: &Self::Device, name: DeviceInfo, info: Info<'_>);
        /// Sub-devices. `properties` is one scheme with its values, ended by 0 as the scheme asks.
        #[doc(alias = "piDevicePartition")]
        #[doc(alias = "urDevicePartition")]
        fn device_partition(device: &Self::Device, properties: &[isize],
            out: ListOut<'_, Self::Device>);
        /// Index of the binary that suits the device best; `ErrorCode::INVALID_BINARY` where none does.
        #[doc(alias = "piextDeviceSelectBinary")]
        #[doc(alias = "urDeviceSelectBinary")]
        fn device_select_binary(device: &Self::Device, targets: &[&CStr]) -> u32;
        /// The driver's own handle.
        #[doc(alias = "piextDeviceGetNativeHandle")]
        #[doc(alias = "urDeviceGetNativeHandle")]
        fn device_native_handle(device: &Self::Device) -> NativeHandle;
        /// The device of a driver's handle. With `owned` it takes the caller's reference over, where the driver counts any.
        #[doc(alias = "piextDeviceCreateWithNativeHandle")]
        #[doc(alias = "urDeviceCreateWithNativeHandle")]
        fn device_create_with_native_handle(native: NativeHandle, platform: Option<&Self::Platform>, owned: bool)
            -> New<Self::Device>;
        /// Returns when the commands of all queues of the device are done.
        #[doc(alias = "urDeviceWaitExp")]
        fn device_wait(device: &Self::Device);
        /// Both clocks in nanoseconds, read as close together as the driver can; each is optional.
        #[doc(alias = "piGetDeviceAndHostTimer")]
        #[doc(alias = "urDeviceGetGlobalTimestamps")]
        fn device_and_host_timer(device: &Self::Device, device_time: Option<&mut u64>, host_time: Option<&mut u64>);
    }
}
