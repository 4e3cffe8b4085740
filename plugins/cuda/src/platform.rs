//! The only platform, with every GPU of the driver.

use std::sync::OnceLock;

use sycl_pi_backend::api::{Objects, PlatformApi};
use sycl_pi_backend::types::*;
use sycl_pi_backend::{Counted, Error, Info, ListOut, New, Result, Shared, last_error};

use crate::Cuda;
use crate::device::device_object::Device;
use crate::opencl;
use crate::sys::{self, CUdevice, cuda};

/// The platform. It lives as long as the process.
pub struct Platform {
    pub(crate) devices: Vec<Shared<Device>>,
    /// The driver version, such as 12040 for CUDA 12.4.
    pub(crate) driver_version: i32,
}

sycl_pi_backend::counted_kinds!(Platform: RawPlatform, INVALID_PLATFORM, "platform";);

static PLATFORM: OnceLock<std::result::Result<Shared<Platform>, String>> = OnceLock::new();

/// Returns the platform, or an error with the reason if there is no driver or no GPU.
pub(crate) fn platform() -> Result<&'static Shared<Platform>> {
    PLATFORM
        .get_or_init(|| discover().map_err(|error| error.text().to_owned()))
        .as_ref()
        .map_err(|why| Error::new(ErrorCode::DEVICE_NOT_FOUND, why.clone()))
}

fn discover() -> Result<Shared<Platform>> {
    let cuda = cuda()?;
    let (mut count, mut driver_version) = (0, 0);
    cuda.cuDeviceGetCount(&mut count)?;
    cuda.cuDriverGetVersion(&mut driver_version)?;
    let devices = (0..count).map(Device::new).collect::<Result<Vec<_>>>()?;
    if devices.is_empty() {
        return Err(Error::new(
            ErrorCode::DEVICE_NOT_FOUND,
            "the CUDA driver knows no GPU (CUDA_VISIBLE_DEVICES?)",
        ));
    }
    Ok(Counted::share_new(Platform { devices, driver_version }))
}

impl Platform {
    /// Returns the version, such as "12.4".
    pub(crate) fn version(&self) -> String {
        format!("{}.{}", self.driver_version / 1000, self.driver_version % 1000 / 10)
    }
}

/// Returns the device with the driver's number.
pub(crate) fn device_of(raw: CUdevice) -> Result<&'static Shared<Device>> {
    platform()?.devices.iter().find(|device| device.raw == raw).ok_or_else(|| {
        Error::new(ErrorCode::INVALID_DEVICE, format!("{raw} is not a device of the CUDA driver"))
    })
}

fn no_platform(out: ListOut<'_, Counted<Platform>>, why: &str) {
    last_error::record_warning(format!("no CUDA platform: {why}"));
    out.none();
}

impl PlatformApi for Cuda {
    fn platforms(out: ListOut<'_, Counted<Platform>>) -> Result<()> {
        // A missing driver or GPU is not an error. There are no platforms then, and the last error states the reason.
        match (sys::why_missing(), platform()) {
            (None, Ok(platform)) => out.fill(&[platform.handle()]),
            (Some(why), _) => no_platform(out, why),
            (None, Err(why)) => no_platform(out, why.text()),
        }
        Ok(())
    }

    fn platform_info(platform: &Counted<Platform>, name: PlatformInfo, info: Info<'_>) -> Result<()> {
        match name {
            // libsycl drops any OpenCL platform with "NVIDIA CUDA" in its name.
            PlatformInfo::NAME if opencl::is_asked_for() => info.c_str(c"SPIR-V on NVIDIA GPUs"),
            PlatformInfo::NAME => info.c_str(c"NVIDIA CUDA BACKEND"),
            PlatformInfo::VENDOR => info.c_str(c"NVIDIA Corporation"),
            PlatformInfo::VERSION if opencl::is_asked_for() => {
                info.str(&format!("OpenCL 2.1 (CUDA {})", platform.version()))
            }
            PlatformInfo::PROFILE if opencl::is_asked_for() => info.c_str(c"FULL_PROFILE"),
            PlatformInfo::EXTENSIONS if opencl::is_asked_for() => info.c_str(c"cl_khr_il_program"),
            PlatformInfo::VERSION => info.str(&format!("CUDA {}", platform.version())),
            PlatformInfo::PROFILE => info.c_str(c"FULL PROFILE"),
            PlatformInfo::EXTENSIONS => info.c_str(c""),
            PlatformInfo::BACKEND => info.value(Cuda::interface()),
            _ => Err(Error::unknown_query("platform", name)),
        }
    }

    fn platform_native_handle(_: &Counted<Platform>) -> Result<NativeHandle> {
        opencl::refuse_native_handles()?;
        Ok(ONLY_PLATFORM)
    }

    fn platform_create_with_native_handle(native: NativeHandle) -> Result<New<Counted<Platform>>> {
        opencl::refuse_native_handles()?;
        let known = if native == ONLY_PLATFORM { Some(platform()?) } else { None };
        known.map(|platform| platform.new_reference()).ok_or_else(|| {
            Error::new(
                ErrorCode::INVALID_PLATFORM,
                format!("{native:#x} is not a platform: CUDA has one, of handle 0"),
            )
        })
    }
}

/// The native handle of the only platform, for which CUDA has no object.
const ONLY_PLATFORM: NativeHandle = 0;
