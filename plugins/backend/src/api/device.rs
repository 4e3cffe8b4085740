//! Devices, sub-devices, timers, the choice among device binaries.

use sycl_pi_core::*;

use crate::{Info, ListOut, New};

api! {
    /// Devices.
    trait DeviceApi {
        /// Writes the platform's devices of that type; none, with success, where no device fits.
        fn piDevicesGet(platform: &Self::Platform, device_type: pi_device_type, out: ListOut<'_, Self::Device>);
        /// Every `PI_DEVICE_INFO_*` and extension query.
        fn piDeviceGetInfo(device: &Self::Device, name: pi_device_info, info: Info<'_>);
        /// Sub-devices. `properties` is one scheme with its values, ended by 0 as the scheme asks.
        fn piDevicePartition(device: &Self::Device, properties: *const pi_device_partition_property,
            out: ListOut<'_, Self::Device>);
        /// One more reference to a sub-device; nothing for a root device.
        fn piDeviceRetain(device: &Self::Device);
        /// One reference to a sub-device less; nothing for a root device.
        fn piDeviceRelease(device: &Self::Device);
        /// Index of the binary that suits the device best; `PI_ERROR_INVALID_BINARY` where none does.
        fn piextDeviceSelectBinary(device: &Self::Device, binaries: &[&pi_device_binary_struct]) -> pi_uint32;
        /// The driver's own handle.
        fn piextDeviceGetNativeHandle(device: &Self::Device) -> pi_native_handle;
        /// The device of a driver's handle.
        fn piextDeviceCreateWithNativeHandle(native: pi_native_handle, platform: Option<&Self::Platform>)
            -> New<Self::Device>;
        /// Both clocks in nanoseconds, read as close together as the driver can; each is optional.
        fn piGetDeviceAndHostTimer(device: &Self::Device, device_time: Option<&mut u64>, host_time: Option<&mut u64>);
    }
}

stubs! {
    piDevicesGet(platform: pi_platform, device_type: pi_device_type, num_entries: pi_uint32, devices: *mut pi_device,
        num_devices: *mut pi_uint32)
        B::piDevicesGet(object(platform, "platform")?, device_type, ListOut::new(num_entries, devices, num_devices)?);

    piDeviceGetInfo(device: pi_device, param_name: pi_device_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) {
        let device = object(device, "device")?;
        answer!(param_value_size, param_value, param_value_size_ret,
            |info| B::piDeviceGetInfo(device, param_name, info))
    };

    piDevicePartition(device: pi_device, properties: *const pi_device_partition_property, num_devices: pi_uint32,
        out_devices: *mut pi_device, out_num_devices: *mut pi_uint32) {
        let device = object(device, "device")?;
        address(properties, "properties")?;
        // A runtime may ask for none of the sub-devices (count 0 with a list): that is a question for the count.
        let list = if num_devices == 0 { core::ptr::null_mut() } else { out_devices };
        if list.is_null() && out_num_devices.is_null() && !out_devices.is_null() {
            return Ok(());
        }
        B::piDevicePartition(device, properties, ListOut::new(num_devices, list, out_num_devices)?)
    };

    piDeviceRetain(device: pi_device) => jump, B::piDeviceRetain(object(device, "device")?);

    piDeviceRelease(device: pi_device) => jump, B::piDeviceRelease(object(device, "device")?);

    piextDeviceSelectBinary(device: pi_device, binaries: *mut pi_device_binary, num_binaries: pi_uint32,
        selected_binary_ind: *mut pi_uint32) {
        let device = object(device, "device")?;
        if num_binaries == 0 {
            return Err(Error::invalid_value("num_binaries is 0"));
        }
        let list = slice(num_binaries as usize, binaries.cast_const(), "binaries")?;
        for binary in list {
            let binary = value(*binary, "an entry of binaries")?;
            address(binary.DeviceTargetSpec, "DeviceTargetSpec of an entry of binaries")?;
        }
        // The entries were just seen to be non-null and aligned, and a reference has a pointer's layout.
        let list = core::slice::from_raw_parts(list.as_ptr().cast::<&pi_device_binary_struct>(), list.len());
        put(selected_binary_ind, "selected_binary_ind", || B::piextDeviceSelectBinary(device, list))
    };

    piextDeviceGetNativeHandle(device: pi_device, native_handle: *mut pi_native_handle) {
        let device = object(device, "device")?;
        put(native_handle, "nativeHandle", || B::piextDeviceGetNativeHandle(device))
    };

    piextDeviceCreateWithNativeHandle(native_handle: pi_native_handle, platform: pi_platform, device: *mut pi_device) {
        let platform = object_or_null(platform, "platform")?;
        create(device, "device", || B::piextDeviceCreateWithNativeHandle(native_handle, platform))
    };

    piGetDeviceAndHostTimer(device: pi_device, device_time: *mut u64, host_time: *mut u64)
        B::piGetDeviceAndHostTimer(object(device, "Device")?, out_or_null(device_time), out_or_null(host_time));
}
