//! Devices, sub-devices, timers.

use std::borrow::Cow;
use std::ffi::CStr;
use std::ptr::null_mut;

use sycl_pi_backend::api::DeviceApi;
use sycl_pi_backend::raw::RawDevice;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, ListOut, New, Result};

use crate::OpenCl;
use crate::sys::{self, Device, HasPlatform, Platform, cl, new_reference};
use crate::{device_info, select};

/// Returns the list with each device once. OpenCL ignores duplicates, but Intel's CPU runtimes terminate the process if
/// one device is listed twice before another one.
pub(crate) fn distinct<'d>(devices: &'d [&'d Device]) -> Cow<'d, [&'d Device]> {
    if devices.len() < 2 {
        return Cow::Borrowed(devices);
    }
    let mut list: Vec<&Device> = Vec::with_capacity(devices.len());
    for device in devices {
        if list.iter().all(|known| known.cl() != device.cl()) {
            list.push(device);
        }
    }
    Cow::Owned(list)
}

impl DeviceApi for OpenCl {
    #[inline]
    fn devices(platform: &Platform, device_type: DeviceType, mut out: ListOut<'_, Device>) -> Result<()> {
        const TYPES: DeviceType = DeviceType::DEFAULT
            .union(DeviceType::CPU)
            .union(DeviceType::GPU)
            .union(DeviceType::ACC)
            .union(DeviceType::CUSTOM);
        // Not every driver checks for unknown bits.
        if device_type != DeviceType::ALL && (device_type.is_empty() || !TYPES.contains(device_type)) {
            let text = format!("unknown device type {device_type:#x}");
            return Err(Error::new(ErrorCode::INVALID_DEVICE_TYPE, text));
        }
        let (capacity, devices, count) = out.raw_parts();
        match cl().clGetDeviceIDs(platform.cl(), device_type.bits(), capacity, devices.cast(), count) {
            // A runtime queries every platform for every type, so "none" is a valid answer. The type is a known one,
            // but drivers before OpenCL 1.2 do not know custom devices.
            Err(error)
                if [ErrorCode::DEVICE_NOT_FOUND, ErrorCode::INVALID_DEVICE_TYPE].contains(&error.code()) =>
            {
                out.none();
                Ok(())
            }
            result => {
                sys::prepare_end(platform);
                result
            }
        }
    }

    fn device_info(device: &Device, name: DeviceInfo, info: Info<'_>) -> Result<()> {
        device_info::get(device, name, info)
    }

    fn device_partition(device: &Device, properties: &[isize], mut out: ListOut<'_, Device>) -> Result<()> {
        let (scheme, mut available) = (properties.as_ptr(), 0);
        let (capacity, devices, count) = out.raw_parts();
        cl().clCreateSubDevices(device.cl(), scheme, 0, null_mut(), &mut available)?;
        if devices.is_null() || capacity >= available {
            return cl().clCreateSubDevices(device.cl(), scheme, capacity, devices.cast(), count);
        }
        // OpenCL requires room for all of them. A caller with room for fewer gets those that fit.
        let mut all = vec![null_mut(); available as usize];
        cl().clCreateSubDevices(device.cl(), scheme, available, all.as_mut_ptr(), null_mut())?;
        for extra in all.split_off(capacity as usize) {
            cl().clReleaseDevice(extra)?;
        }
        let all: Vec<*mut RawDevice> = all.into_iter().map(|device| device.cast()).collect();
        out.fill(&all);
        Ok(())
    }

    fn device_select_binary(device: &Device, targets: &[&CStr]) -> Result<u32> {
        select::select_binary(device, targets)
    }

    fn device_native_handle(device: &Device) -> Result<NativeHandle> {
        Ok(sys::native_handle(device))
    }

    fn device_create_with_native_handle(
        native: NativeHandle,
        _: Option<&Platform>,
        owned: bool,
    ) -> Result<New<Device>> {
        if native == 0 {
            return Err(Error::no_native_handle(ErrorCode::INVALID_DEVICE, "a device"));
        }
        if !owned {
            cl().clRetainDevice(core::ptr::with_exposed_provenance_mut(native))?;
        }
        new_reference(core::ptr::with_exposed_provenance_mut(native))
    }

    fn device_and_host_timer(
        device: &Device,
        device_time: Option<&mut u64>,
        host_time: Option<&mut u64>,
    ) -> Result<()> {
        // Through an ICD loader, a function of a newer version than the driver's is a jump to null, so the version is
        // checked first.
        if device.driver()?.version < (2, 1) {
            return Err(Error::unsupported("the driver is older than OpenCL 2.1 and has no timers"));
        }
        match (device_time, host_time) {
            (Some(device_time), Some(host_time)) => {
                cl().clGetDeviceAndHostTimer(device.cl(), device_time, host_time)
            }
            (Some(device_time), None) => cl().clGetDeviceAndHostTimer(device.cl(), device_time, &mut 0),
            (None, Some(host_time)) => cl().clGetHostTimer(device.cl(), host_time),
            (None, None) => Ok(()),
        }
    }
}
