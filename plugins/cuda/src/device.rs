//! The device calls. A GPU is a root device; CUDA has no sub-devices.

pub(crate) mod device_context;
pub(crate) mod device_object;

use std::ffi::CStr;

use sycl_pi_backend::api::DeviceApi;
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, ListOut, New, Result};

use self::device_object::Device;
use crate::Cuda;
use crate::device_info;
use crate::opencl;
use crate::platform::{Platform, device_of};
use crate::program::spirv;
use crate::sys::{CUdevice, cuda, with_primary};

/// The target of device images that the driver accepts.
const TARGET: &CStr = c"nvptx64";
/// The target of SPIR-V for 64-bit devices, which this backend compiles.
const SPIRV: &CStr = c"spir64";

impl DeviceApi for Cuda {
    fn devices(
        platform: &Counted<Platform>,
        device_type: DeviceType,
        out: ListOut<'_, Counted<Device>>,
    ) -> Result<()> {
        let known =
            DeviceType::DEFAULT | DeviceType::CPU | DeviceType::GPU | DeviceType::ACC | DeviceType::CUSTOM;
        if device_type != DeviceType::ALL && (device_type.is_empty() || !known.contains(device_type)) {
            return Err(Error::invalid_value(format!("unknown device_type {device_type:#x}")));
        }
        if !device_type.intersects(DeviceType::DEFAULT | DeviceType::GPU) {
            out.none();
            return Ok(());
        }
        let handles: Vec<_> = platform.devices.iter().map(|device| device.handle()).collect();
        out.fill(&handles);
        Ok(())
    }

    fn device_info(device: &Counted<Device>, name: DeviceInfo, info: Info<'_>) -> Result<()> {
        device_info::get(device, name, info)
    }

    fn device_partition(_: &Counted<Device>, _: &[isize], _: ListOut<'_, Counted<Device>>) -> Result<()> {
        Err(Error::unsupported("a CUDA device has no sub-devices"))
    }

    fn device_select_binary(_: &Counted<Device>, targets: &[&CStr]) -> Result<u32> {
        let ahead_of_time = targets.iter().position(|target| *target == TARGET);
        let spirv = || targets.iter().rposition(|target| *target == SPIRV);
        if ahead_of_time.is_none()
            && spirv().is_some()
            && let Err(why) = spirv::check_possible()
        {
            return Err(Error::new(
                ErrorCode::INVALID_BINARY,
                format!("the device's image is SPIR-V, but there is {why}"),
            ));
        }
        let index = ahead_of_time.or_else(spirv).ok_or_else(|| {
            let count = targets.len();
            let text = format!(
                "no image for this device: it takes {TARGET:?} or {SPIRV:?}, the {count} offered are for {targets:?}"
            );
            Error::new(ErrorCode::INVALID_BINARY, text)
        })?;
        Ok(index as u32)
    }

    fn device_native_handle(device: &Counted<Device>) -> Result<NativeHandle> {
        opencl::refuse_native_handles()?;
        Ok(device.raw as usize)
    }

    fn device_create_with_native_handle(
        native: NativeHandle,
        _: Option<&Counted<Platform>>,
        _: bool,
    ) -> Result<New<Counted<Device>>> {
        opencl::refuse_native_handles()?;
        let raw = CUdevice::try_from(native)
            .map_err(|_| Error::new(ErrorCode::INVALID_DEVICE, format!("{native:#x} is not a CUdevice")))?;
        Ok(device_of(raw)?.new_reference())
    }

    fn device_wait(device: &Counted<Device>) -> Result<()> {
        with_primary(device.raw, |_| cuda()?.cuCtxSynchronize())
    }

    fn device_and_host_timer(
        _: &Counted<Device>,
        device_time: Option<&mut u64>,
        host_time: Option<&mut u64>,
    ) -> Result<()> {
        // Event times are on the host's clock (see `clock`), so both timers are the same.
        let now = crate::event::clock::host_now();
        for out in [device_time, host_time].into_iter().flatten() {
            *out = now;
        }
        Ok(())
    }
}
