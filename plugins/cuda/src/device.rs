//! Devices and timers. A GPU is a root device; CUDA has no sub-devices.

use std::ffi::c_int;

use sycl_pi_backend::api::DeviceApi;
use sycl_pi_backend::{Counted, Error, Info, ListOut, New, Result, Shared};
use sycl_pi_backend::types::*;

use crate::Cuda;
use crate::clock::Clock;
use crate::platform::{Platform, handle, platform};
use crate::sys::{CUdevice, CUdevice_attribute, cuda};
use crate::{device_info, select};

/// Behind `*mut RawDevice`: lives as long as the process.
pub struct Device {
    pub(crate) raw: CUdevice,
    pub(crate) ordinal: c_int,
    pub(crate) limits: Limits,
    /// One clock for all events of the device.
    pub(crate) clock: Clock,
}

/// What launches are held to.
pub(crate) struct Limits {
    pub(crate) block: [usize; 3],
    pub(crate) threads: usize,
    pub(crate) grid: [usize; 3],
    pub(crate) warp: usize,
    pub(crate) shared: usize,
    pub(crate) shared_opt_in: usize,
    pub(crate) registers: usize,
    pub(crate) multiprocessors: usize,
    pub(crate) major: i32,
    pub(crate) minor: i32,
}

crate::kind!(Device, RawDevice, ErrorCode::INVALID_DEVICE, "*mut RawDevice");

impl Device {
    /// The driver's device of that number.
    pub(crate) fn new(ordinal: c_int) -> Result<Shared<Self>> {
        use CUdevice_attribute::*;
        let mut raw = 0;
        cuda()?.cuDeviceGet(&mut raw, ordinal)?;
        let size = |attribute| value_of(raw, attribute).map(|value| value.max(0) as usize);
        let limits = Limits {
            block: [
                size(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
                size(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
                size(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
            ],
            threads: size(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            grid: [
                size(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
                size(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
                size(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
            ],
            warp: size(CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
            shared: size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?,
            shared_opt_in: size(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN).unwrap_or(0),
            registers: size(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK)?,
            multiprocessors: size(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            major: value_of(raw, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            minor: value_of(raw, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        };
        Ok(Counted::share_new(Self { raw, ordinal, limits, clock: Clock::new() }))
    }

    /// A number of the device's.
    pub(crate) fn attribute(&self, attribute: CUdevice_attribute) -> Result<i32> {
        value_of(self.raw, attribute)
    }

    /// Bytes of the device's memory.
    pub(crate) fn memory(&self) -> Result<usize> {
        let mut bytes = 0;
        cuda()?.cuDeviceTotalMem_v2(&mut bytes, self.raw)?;
        Ok(bytes)
    }

    /// A yes-or-no number of the device's; no where the driver does not know it.
    pub(crate) fn has(&self, attribute: CUdevice_attribute) -> bool {
        self.attribute(attribute).is_ok_and(|value| value != 0)
    }
}

fn value_of(device: CUdevice, attribute: CUdevice_attribute) -> Result<i32> {
    let mut value = 0;
    cuda()?.cuDeviceGetAttribute(&mut value, attribute, device)?;
    Ok(value)
}

/// The device of a driver's number.
pub(crate) fn of_raw(raw: CUdevice) -> Result<&'static Shared<Device>> {
    platform()?
        .devices
        .iter()
        .find(|device| device.raw == raw)
        .ok_or_else(|| Error::new(ErrorCode::INVALID_DEVICE, format!("{raw} is no device of the CUDA driver")))
}

impl DeviceApi for Cuda {
    fn devices(
        platform: &Counted<Platform>,
        device_type: DeviceType,
        out: ListOut<'_, Counted<Device>>,
    ) -> Result<()> {
        const TYPES: DeviceType = DeviceType::DEFAULT
            | DeviceType::CPU
            | DeviceType::GPU
            | DeviceType::ACC
            | DeviceType::CUSTOM;
        if device_type != DeviceType::ALL && (device_type == 0 || device_type & !TYPES != 0) {
            return Err(Error::invalid_value(format!("unknown device_type {device_type:#x}")));
        }
        if device_type & (DeviceType::DEFAULT | DeviceType::GPU) == 0 {
            out.none();
            return Ok(());
        }
        let handles: Vec<_> = platform.devices.iter().map(|device| handle(device)).collect();
        out.fill(&handles);
        Ok(())
    }

    fn device_info(device: &Counted<Device>, name: DeviceInfo, info: Info<'_>) -> Result<()> {
        device_info::get(device, name, info)
    }

    fn device_partition(
        _: &Counted<Device>,
        _: *const PartitionProperty,
        _: ListOut<'_, Counted<Device>>,
    ) -> Result<()> {
        Err(Error::unsupported("a CUDA device has no sub-devices"))
    }

    fn device_retain(_: &Counted<Device>) -> Result<()> {
        Ok(())
    }

    fn device_release(_: &Counted<Device>) -> Result<()> {
        Ok(())
    }

    fn device_select_binary(
        _: &Counted<Device>,
        binaries: &[&pi_device_binary_struct],
    ) -> Result<u32> {
        select::select_binary(binaries)
    }

    fn device_native_handle(device: &Counted<Device>) -> Result<NativeHandle> {
        Ok(device.raw as usize)
    }

    fn device_create_with_native_handle(
        native: NativeHandle,
        _: Option<&Counted<Platform>>,
    ) -> Result<New<Counted<Device>>> {
        let raw = CUdevice::try_from(native)
            .map_err(|_| Error::new(ErrorCode::INVALID_DEVICE, format!("{native:#x} is no CUdevice")))?;
        New::from_raw(handle(of_raw(raw)?))
            .ok_or_else(|| Error::new(ErrorCode::INVALID_DEVICE, "no such device"))
    }

    fn device_and_host_timer(
        _: &Counted<Device>,
        device_time: Option<&mut u64>,
        host_time: Option<&mut u64>,
    ) -> Result<()> {
        // Times of events are told on the host's clock (see `clock`): the two are one.
        let now = crate::clock::host_now();
        for out in [device_time, host_time].into_iter().flatten() {
            *out = now;
        }
        Ok(())
    }
}
