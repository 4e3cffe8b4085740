//! Devices.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_ur_core::*;

use crate::Layout;

use super::Bridge;
use super::answer::{NEITHER, answer, paired_back};
use super::device_info::{TYPES, row};
use super::stubs::stubs;

/// Lists the devices of a mask. UR takes one type per call, so several types are queried one after the other.
///
/// # Safety
/// The platform is null or a live handle of this adapter.
unsafe fn devices_of(
    ur: &Bridge,
    platform: pi_platform,
    mask: pi_device_type,
) -> Result<Vec<ur_device_handle_t>, ur_result_t> {
    let mut all = Vec::new();
    for (kind, _) in TYPES.iter().filter(|(_, flag)| mask & u64::from(*flag) != 0 && flag.is_power_of_two()) {
        if *kind == UR_DEVICE_TYPE_CUSTOM && ur.layout() < Layout::V2026_0 {
            continue;
        }
        let mut count = 0;
        // SAFETY: the caller's platform, and valid places.
        unsafe {
            let result = ur.calls.urDeviceGet(platform.cast(), *kind, 0, null_mut(), &mut count);
            if result == UR_RESULT_ERROR_DEVICE_NOT_FOUND {
                continue;
            }
            let mut some = vec![null_mut(); count as usize];
            let result = match (result, count) {
                (UR_RESULT_SUCCESS, 0) => result,
                (UR_RESULT_SUCCESS, _) => {
                    ur.calls.urDeviceGet(platform.cast(), *kind, count, some.as_mut_ptr(), null_mut())
                }
                _ => result,
            };
            if result != UR_RESULT_SUCCESS {
                return Err(result);
            }
            all.extend(some.into_iter().filter(|device| !all.contains(device)).collect::<Vec<_>>());
        }
    }
    Ok(all)
}

/// Converts PI's list of a scheme and its values to UR's form. A null pointer gives an empty list.
///
/// # Safety
/// The list ends with a zero. If it is not empty, a value or a zero follows its first entry.
unsafe fn scheme(list: *const pi_device_partition_property) -> Vec<ur_device_partition_property_t> {
    let entries = (0..64).map(|index| {
        // SAFETY: the caller's list ends with a zero, where the iteration stops.
        unsafe { *list.add(index) }
    });
    let property = |scheme: isize, value: isize| ur_device_partition_property_t {
        type_: u32::try_from(scheme).unwrap_or(NEITHER),
        value: ur_device_partition_value_t { count: value as u32 },
    };
    let mut entries = entries.take_while(|entry| *entry != 0);
    match entries.next() {
        None => Vec::new(),
        Some(PI_EXT_INTEL_DEVICE_PARTITION_BY_CSLICE) => {
            vec![property(PI_EXT_INTEL_DEVICE_PARTITION_BY_CSLICE, 0)]
        }
        Some(PI_DEVICE_PARTITION_BY_COUNTS) => {
            entries.map(|count| property(PI_DEVICE_PARTITION_BY_COUNTS, count)).collect()
        }
        // SAFETY: a scheme has been read, so a value follows it.
        Some(scheme) => vec![property(scheme, unsafe { *list.add(1) })],
    }
}

stubs! { ur;
    fn piDevicesGet(platform: pi_platform, device_type: pi_device_type, num_entries: pi_uint32, devices: *mut pi_device, num_devices: *mut pi_uint32)
        [platform PI_ERROR_INVALID_PLATFORM]
    {
        let known = PI_DEVICE_TYPE_DEFAULT | PI_DEVICE_TYPE_CPU | PI_DEVICE_TYPE_GPU | PI_DEVICE_TYPE_ACC | PI_DEVICE_TYPE_CUSTOM;
        let single = device_type.count_ones() == 1 || device_type == PI_DEVICE_TYPE_ALL;
        let missing = device_type == PI_DEVICE_TYPE_CUSTOM && ur.layout() < Layout::V2026_0;
        if device_type & !known == 0 && !platform.is_null() && device_type != 0 && (!single || missing) {
            match devices_of(ur, platform, device_type) {
                Err(code) => code,
                Ok(all) => {
                    if !devices.is_null() {
                        for (place, device) in all.iter().take(num_entries as usize).enumerate() {
                            devices.add(place).write(device.cast());
                        }
                    }
                    if !num_devices.is_null() {
                        num_devices.write(all.len() as u32);
                    }
                    UR_RESULT_SUCCESS
                }
            }
        } else {
            let kind = u32::try_from(device_type).map_or(NEITHER, |flag| paired_back(TYPES, flag));
            ur.calls.urDeviceGet(platform.cast(), kind, num_entries, devices.cast(), num_devices)
        }
    }
    fn piDeviceGetInfo(device: pi_device, param_name: pi_device_info, param_value_size: usize, param_value: *mut c_void, param_value_size_ret: *mut usize)
        [device PI_ERROR_INVALID_DEVICE]
    {
        let (name, convert) = row(param_name, ur.layout());
        answer(param_value_size, param_value, param_value_size_ret, convert, |size, value, reported| {
            ur.calls.urDeviceGetInfo(device.cast(), name, size, value, reported)
        })
    }
    fn piDeviceRetain(device: pi_device) [device PI_ERROR_INVALID_DEVICE] {
        ur.calls.urDeviceRetain(device.cast())
    }
    fn piDeviceRelease(device: pi_device) [device PI_ERROR_INVALID_DEVICE] {
        ur.calls.urDeviceRelease(device.cast())
    }
    fn piDevicePartition(device: pi_device, properties: *const pi_device_partition_property, num_devices: pi_uint32, out_devices: *mut pi_device, out_num_devices: *mut pi_uint32)
        [device PI_ERROR_INVALID_DEVICE]
    {
        let list = if properties.is_null() { Vec::new() } else { scheme(properties) };
        let whole = ur_device_partition_properties_t {
            stype: UR_STRUCTURE_TYPE_DEVICE_PARTITION_PROPERTIES,
            pNext: null_mut(),
            pProperties: list.as_ptr(),
            PropCount: list.len(),
        };
        let place = if properties.is_null() { null() } else { &raw const whole };
        ur.calls.urDevicePartition(device.cast(), place, num_devices, out_devices.cast(), out_num_devices)
    }
    fn piextDeviceSelectBinary(device: pi_device, binaries: *mut pi_device_binary, num_binaries: pi_uint32, selected_binary_ind: *mut pi_uint32)
        [device PI_ERROR_INVALID_DEVICE]
    {
        let count = if binaries.is_null() { 0 } else { num_binaries as usize };
        let images: Vec<ur_device_binary_t> = (0..count)
            .map(|index| ur_device_binary_t {
                // The runtime leaves it at 0 in most releases.
                stype: if index % 2 == 0 { UR_STRUCTURE_TYPE_DEVICE_BINARY } else { 0 },
                pNext: null(),
                pDeviceTargetSpec: binaries.add(index).read().as_ref().map_or(null(), |image| image.DeviceTargetSpec),
            })
            .collect();
        let start = if binaries.is_null() { null() } else { images.as_ptr() };
        ur.calls.urDeviceSelectBinary(device.cast(), start, num_binaries, selected_binary_ind)
    }
    fn piextDeviceGetNativeHandle(device: pi_device, nativeHandle: *mut pi_native_handle)
        [device PI_ERROR_INVALID_DEVICE]
    {
        ur.calls.urDeviceGetNativeHandle(device.cast(), nativeHandle)
    }
    fn piextDeviceCreateWithNativeHandle(nativeHandle: pi_native_handle, _platform: pi_platform, device: *mut pi_device) [] {
        match ur.adapter() {
            Ok(adapter) => ur.calls.urDeviceCreateWithNativeHandle(nativeHandle, adapter, null(), device.cast()),
            Err(code) => code,
        }
    }
    fn piGetDeviceAndHostTimer(Device: pi_device, DeviceTime: *mut u64, HostTime: *mut u64)
        [Device PI_ERROR_INVALID_DEVICE]
    {
        ur.calls.urDeviceGetGlobalTimestamps(Device.cast(), DeviceTime, HostTime)
    }
}
