//! Devices, sub-devices, timers, and the selection of a device binary.

use super::prelude::*;

#[entry]
pub unsafe extern "C" fn piDevicesGet<B: Backend>(
    platform: pi_platform, device_type: pi_device_type, num_entries: pi_uint32, devices: *mut pi_device,
    num_devices: *mut pi_uint32,
) -> Result<()> {
    B::devices(
        // SAFETY: `platform` is null or a live handle.
        unsafe { object(platform, "platform")? },
        DeviceType::from_bits_retain(device_type),
        // SAFETY: the list has room for as many entries as the caller states.
        unsafe { list_out(num_entries, devices, num_devices, "num_entries")? },
    )
}

#[entry]
pub unsafe extern "C" fn piDeviceGetInfo<B: Backend>(
    device: pi_device, param_name: pi_device_info, param_value_size: usize, param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> Result<()> {
    // SAFETY: `device` is null or a live handle.
    let device = unsafe { object(device, "device")? };
    // SAFETY: the answer's buffer has the size that the caller states.
    unsafe {
        answer(param_value_size, param_value, param_value_size_ret, |info| {
            B::device_info(device, DeviceInfo(param_name), info)
        })
    }
}

#[entry]
pub unsafe extern "C" fn piDevicePartition<B: Backend>(
    device: pi_device, properties: *const pi_device_partition_property, num_devices: pi_uint32,
    out_devices: *mut pi_device, out_num_devices: *mut pi_uint32,
) -> Result<()> {
    // SAFETY: `device` is null or a live handle.
    let device = unsafe { object(device, "device")? };
    // SAFETY: the arguments are passed on under the same contract.
    let properties = unsafe { partition_properties(properties)? };
    // If a runtime passes a list with a count of 0, it queries the number of sub-devices.
    let list = if num_devices == 0 { core::ptr::null_mut() } else { out_devices };
    if list.is_null() && out_num_devices.is_null() && !out_devices.is_null() {
        return Ok(());
    }
    // SAFETY: the list has room for as many entries as the caller states.
    B::device_partition(device, properties, unsafe {
        list_out(num_devices, list, out_num_devices, "num_devices")?
    })
}

#[entry]
pub unsafe extern "C" fn piDeviceRetain<B: Backend>(device: pi_device) -> Result<()> {
    // SAFETY: `device` is null or a live handle.
    unsafe { object::<B::Device>(device, "device")? }.retain()
}

#[entry]
pub unsafe extern "C" fn piDeviceRelease<B: Backend>(device: pi_device) -> Result<()> {
    // SAFETY: `device` is null or a live handle.
    unsafe { object::<B::Device>(device, "device")?.release() }
}

#[entry]
pub unsafe extern "C" fn piextDeviceSelectBinary<B: Backend>(
    device: pi_device, binaries: *mut pi_device_binary, num_binaries: pi_uint32,
    selected_binary_ind: *mut pi_uint32,
) -> Result<()> {
    // SAFETY: `device` is null or a live handle.
    let device = unsafe { object(device, "device")? };
    if num_binaries == 0 {
        return Err(Error::invalid_value("num_binaries is 0"));
    }
    // SAFETY: `binaries` is null or has `num_binaries` entries.
    let images = unsafe { slice(num_binaries as usize, binaries.cast_const(), "binaries")? };
    let targets: Vec<&CStr> =
        // SAFETY: the arguments are passed on under the same contract.
        images.iter().map(|image| unsafe { target_of(*image) }).collect::<sycl_pi_backend::Result<_>>()?;
    // SAFETY: `selected_binary_ind` is null or writable.
    unsafe { put(selected_binary_ind, "selected_binary_ind", || B::device_select_binary(device, &targets)) }
}

#[entry]
pub unsafe extern "C" fn piextDeviceGetNativeHandle<B: Backend>(
    device: pi_device, native_handle: *mut pi_native_handle,
) -> Result<()> {
    // SAFETY: `device` is null or a live handle.
    let device = unsafe { object(device, "device")? };
    // SAFETY: `native_handle` is null or writable.
    unsafe { put(native_handle, "nativeHandle", || B::device_native_handle(device)) }
}

#[entry]
pub unsafe extern "C" fn piextDeviceCreateWithNativeHandle<B: Backend>(
    native_handle: pi_native_handle, platform: pi_platform, device: *mut pi_device,
) -> Result<()> {
    // SAFETY: `platform` is null or a live handle.
    let platform = unsafe { object_or_null(platform, "platform")? };
    // SAFETY: `device` is null or writable.
    unsafe { create(device, "device", || B::device_create_with_native_handle(native_handle, platform, true)) }
}

#[entry]
pub unsafe extern "C" fn piGetDeviceAndHostTimer<B: Backend>(
    device: pi_device, device_time: *mut u64, host_time: *mut u64,
) -> Result<()> {
    B::device_and_host_timer(
        // SAFETY: `device` is null or a live handle.
        unsafe { object(device, "Device")? },
        // SAFETY: `device_time` is null or writable.
        unsafe { out_or_null(device_time) },
        // SAFETY: `host_time` is null or writable.
        unsafe { out_or_null(host_time) },
    )
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
