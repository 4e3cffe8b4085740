//! Devices, sub-devices, timers.

use std::ffi::CStr;

use sycl_pi_backend::api::DeviceApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Error, Info, ListOut, New, Result, Shared};

use crate::objects::discovery::{self, FoundPlatform};
use crate::objects::{Device, DeviceHandle, PlatformHandle, raw_handle};
use crate::{LevelZero, device_info, select};

/// Returns the sub-devices of a partition scheme, given by PI's property words.
fn partition<'a>(device: &'a DeviceHandle, words: &[isize]) -> Result<&'a [Shared<Device>]> {
    let wrong = |text: String| Err(Error::invalid_value(text));
    match words {
        [0, ..] | [] => wrong("properties has no scheme".into()),
        [scheme, values @ ..] => match (PartitionProperty(*scheme), values) {
            (PartitionProperty::PARTITION_BY_AFFINITY_DOMAIN, [domain, ..]) => {
                let domain = AffinityDomain::from_bits_retain(*domain as u64);
                if domain != AffinityDomain::NUMA && domain != AffinityDomain::NEXT_PARTITIONABLE {
                    return wrong(format!("properties: no sub-devices by affinity domain {domain:#x}"));
                }
                Ok(device.tiles())
            }
            (PartitionProperty::PARTITION_BY_CSLICE, _) => Ok(device.slices()),
            (scheme, _) => wrong(format!(
                "properties: no sub-devices by scheme {scheme:#x}; there are affinity domains and slices"
            )),
        },
    }
}

impl DeviceApi for LevelZero {
    fn devices(
        platform: &PlatformHandle,
        device_type: DeviceType,
        out: ListOut<'_, DeviceHandle>,
    ) -> Result<()> {
        let known =
            DeviceType::DEFAULT | DeviceType::CPU | DeviceType::GPU | DeviceType::ACC | DeviceType::CUSTOM;
        if device_type.is_empty() || (device_type != DeviceType::ALL && !known.contains(device_type)) {
            return Err(Error::new(
                ErrorCode::INVALID_DEVICE_TYPE,
                format!("unknown device type {device_type:#x}"),
            ));
        }
        let roots = discovery::found(platform).map_or(&[][..], |found| &found.roots);
        let fits = |device: &&Shared<Device>| {
            device_type.intersects(device_info::device_type(device) | DeviceType::DEFAULT)
        };
        let handles: Vec<_> = roots.iter().filter(fits).map(|device| raw_handle(device)).collect();
        out.fill(&handles);
        Ok(())
    }

    fn device_info(device: &DeviceHandle, name: DeviceInfo, info: Info<'_>) -> Result<()> {
        device_info::get(device, name, info)
    }

    fn device_partition(
        device: &DeviceHandle,
        properties: &[isize],
        out: ListOut<'_, DeviceHandle>,
    ) -> Result<()> {
        let parts = partition(device, properties)?;
        if parts.is_empty() {
            return Err(Error::invalid_value("the device has no sub-devices by that scheme"));
        }
        for part in parts.iter().take(out.capacity()) {
            part.add_user();
        }
        let handles: Vec<_> = parts.iter().map(|part| raw_handle(part)).collect();
        out.fill(&handles);
        Ok(())
    }

    fn device_select_binary(_: &DeviceHandle, targets: &[&CStr]) -> Result<u32> {
        select::select_binary(targets)
    }

    fn device_native_handle(device: &DeviceHandle) -> Result<NativeHandle> {
        Ok(device.ze.0.expose_provenance())
    }

    fn device_create_with_native_handle(
        native: NativeHandle,
        platform: Option<&PlatformHandle>,
        _: bool,
    ) -> Result<New<DeviceHandle>> {
        let of_platform =
            |found: &&FoundPlatform| platform.is_none_or(|platform| platform.driver == found.platform.driver);
        let mut devices = discovery::platforms().iter().filter(of_platform).flat_map(FoundPlatform::devices);
        let found = devices.find(|device| device.ze.0.addr() == native);
        let Some(device) = found else {
            return Err(Error::new(
                ErrorCode::INVALID_DEVICE,
                format!("{native:#x} is not a Level Zero device of this process"),
            ));
        };
        Ok(device.new_reference())
    }

    fn device_and_host_timer(
        device: &DeviceHandle,
        device_time: Option<&mut u64>,
        host_time: Option<&mut u64>,
    ) -> Result<()> {
        if device_time.is_none() && host_time.is_none() {
            return Ok(());
        }
        let (host, ticks) = device.clocks()?;
        if let Some(out) = device_time {
            *out = device.nanoseconds(ticks);
        }
        if let Some(out) = host_time {
            *out = host;
        }
        Ok(())
    }
}
