//! Devices, sub-devices, timers, and the selection of a device binary.

stubs! {
    piDevicesGet(platform: pi_platform, device_type: pi_device_type, num_entries: pi_uint32, devices: *mut pi_device,
        num_devices: *mut pi_uint32)
        B::devices(object(platform, "platform")?, DeviceType::from_bits_retain(device_type), list_out(num_entries, devices, num_devices, "num_entries")?);

    piDeviceGetInfo(device: pi_device, param_name: pi_device_info, param_value_size: usize, param_value: *mut c_void,
        param_value_size_ret: *mut usize) {
        let device = object(device, "device")?;
        answer(param_value_size, param_value, param_value_size_ret,
            |info| B::device_info(device, DeviceInfo(param_name), info))
    };

    piDevicePartition(device: pi_device, properties: *const pi_device_partition_property, num_devices: pi_uint32,
        out_devices: *mut pi_device, out_num_devices: *mut pi_uint32) {
        let device = object(device, "device")?;
        let properties = partition_properties(properties)?;
        // If a runtime passes a list with a count of 0, it queries the number of sub-devices.
        let list = if num_devices == 0 { core::ptr::null_mut() } else { out_devices };
        if list.is_null() && out_num_devices.is_null() && !out_devices.is_null() {
            return Ok(());
        }
        B::device_partition(device, properties, list_out(num_devices, list, out_num_devices, "num_devices")?)
    };

    piDeviceRetain(device: pi_device) object::<B::Device>(device, "device")?.retain();

    piDeviceRelease(device: pi_device) object::<B::Device>(device, "device")?.release();

    piextDeviceSelectBinary(device: pi_device, binaries: *mut pi_device_binary, num_binaries: pi_uint32,
        selected_binary_ind: *mut pi_uint32) {
        let device = object(device, "device")?;
        if num_binaries == 0 {
            return Err(Error::invalid_value("num_binaries is 0"));
        }
        let images = slice(num_binaries as usize, binaries.cast_const(), "binaries")?;
        let targets: Vec<&CStr> =
            images.iter().map(|image| target_of(*image)).collect::<sycl_pi_backend::Result<_>>()?;
        put(selected_binary_ind, "selected_binary_ind", || B::device_select_binary(device, &targets))
    };

    piextDeviceGetNativeHandle(device: pi_device, native_handle: *mut pi_native_handle) {
        let device = object(device, "device")?;
        put(native_handle, "nativeHandle", || B::device_native_handle(device))
    };

    piextDeviceCreateWithNativeHandle(native_handle: pi_native_handle, platform: pi_platform, device: *mut pi_device) {
        let platform = object_or_null(platform, "platform")?;
        create(device, "device", || B::device_create_with_native_handle(native_handle, platform, true))
    };

    piGetDeviceAndHostTimer(device: pi_device, device_time: *mut u64, host_time: *mut u64)
        B::device_and_host_timer(object(device, "Device")?, out_or_null(device_time), out_or_null(host_time));
}

/// Reads a list of a partition scheme and its values, including its terminator. Counts are terminated by a 0 of their
/// own, before that of the list.
///
/// # Safety
///
/// `list` must be null or such a list.
unsafe fn partition_properties<'a>(
    list: *const pi_device_partition_property,
) -> sycl_pi_backend::Result<&'a [pi_device_partition_property]> {
    address(list, "properties")?;
    let mut length = 0;
    // SAFETY: everything up to the terminator may be read.
    while length < MAX_PARTITION_WORDS && unsafe { *list.add(length) } != 0 {
        length += 1;
    }
    // SAFETY: same as above; a list of counts continues after its first 0.
    let has_counts = length > 0 && unsafe { *list } == PI_DEVICE_PARTITION_BY_COUNTS;
    let end = if has_counts { length + 2 } else { length + 1 };
    // SAFETY: same as above.
    Ok(unsafe { core::slice::from_raw_parts(list, end) })
}

/// The maximum length. A list without a terminator is truncated to it and then refused by the backend.
const MAX_PARTITION_WORDS: usize = 1024;
